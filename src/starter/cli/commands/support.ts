import { writeFile } from 'node:fs/promises';
import type { Client } from '@temporalio/client';
import { AccountsError } from '../../../accounts/errors';
import type { AccountReport } from '../../../accounts/report';
import { marketplaceQueue, SHIPMENTS_QUEUE } from '../../../contract/task-queue';
import { parseOrderReference, type OrderKey } from '../../../domain/workflow-id';
import { ConfigError } from '../../../platform/config';
import { errorCode } from '../../../platform/error-code';
import { PRIVATE_FILE } from '../../../platform/private-files';
import { UserError } from '../../../platform/user-error';
import { orderInput } from '../../client/order-input';
import { readOrderRecord, type OrderRecord } from '../../client/order-record';
import { findWorkers, type Queue } from '../../client/pollers';
import { pendingActivities, publicHistory } from '../../client/public-history';
import { publicVersions } from '../../client/public-versions';
import type { CliContext } from '../context';
import { packageVersion } from '../../../platform/package-version';
import { renderSupport, supportSections, type SupportFacts } from '../support/bundle';
import { variableNames } from '../support/public-settings';

export interface SupportOptions {
  readonly account?: string;
  readonly out?: string;
  readonly json?: boolean;
}

/** `consign support`. */
export async function support(
  context: CliContext,
  text: string,
  { account, out, json }: SupportOptions,
): Promise<void> {
  const order = account === undefined ? await context.orderOf(text) : orderIn(account, text);
  const report = await accountReport(context, order.account);
  const facts = await context.withShipments(
    async (_, client) => await supportFacts(client, await readOrderRecord(client, order), report),
  );
  const sections = supportSections(facts);
  const bundle = json === true ? JSON.stringify({ sections }, null, 2) : renderSupport(sections);
  if (out === undefined) context.print(bundle);
  else {
    await writeNew(out, `${bundle}\n`);
    context.print(`written: ${out}`);
  }
}

function orderIn(account: string, text: string): OrderKey {
  const order = parseOrderReference(`${account}/${text}`);
  if (order === null) throw new UserError('With --account, give the order id alone.');
  return order;
}

/** Null when the accounts file here cannot be used: a bundle is wanted most when something is wrong. */
async function accountReport(
  context: Pick<CliContext, 'accounts'>,
  name: string,
): Promise<AccountReport | null> {
  try {
    const { accounts } = await (await context.accounts()).report();
    return accounts.find((account) => account.name === name) ?? null;
  } catch (error) {
    if (error instanceof AccountsError || error instanceof ConfigError) return null;
    throw error;
  }
}

async function supportFacts(
  client: Client,
  record: OrderRecord,
  account: AccountReport | null,
): Promise<SupportFacts> {
  const { payloads, runs, description, order } = record;
  const events = [];
  for (const run of runs) events.push(...(await publicHistory(run, payloads)));
  const serving = async (queue: Queue): Promise<number | null> =>
    (await findWorkers(client, queue))?.serving.length ?? null;
  return {
    madeAt: new Date().toISOString(),
    consign: packageVersion(),
    node: `${process.version} (${process.platform} ${process.arch})`,
    versions: await publicVersions(client, record),
    ...{ record, events, account },
    pending: await pendingActivities(description, payloads),
    workers: {
      shipments: await serving({ name: SHIPMENTS_QUEUE, kind: 'workflow' }),
      account: await serving({ name: marketplaceQueue(order.account), kind: 'activity' }),
    },
    policy: (await orderInput(record))?.policy,
    variables: variableNames(process.env),
  };
}

/** Never replaces a file: a mistyped name may be that of an order document. */
async function writeNew(file: string, content: string): Promise<void> {
  try {
    await writeFile(file, content, { flag: 'wx', mode: PRIVATE_FILE });
  } catch (error) {
    const code = errorCode(error);
    if (typeof code !== 'string') throw error;
    const why = code === 'EEXIST' ? 'exists already' : `cannot be written (${code})`;
    throw new UserError(`${file} ${why}.`, { hint: 'Choose another name for --out.' });
  }
}
