import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { FixedPriceAnswer } from '../../../domain/fixed-price';
import type { LtlQuote } from '../../../domain/quote';
import { emptyRateCauses } from '../../../domain/empty-rates';
import type { RateCause } from '../../../domain/rate-cause';
import { quoteWorkflowId } from '../../../domain/workflow-id';
import type { FurnitureQuoteInput, LtlQuoteInput } from '../../../contract/workflow-input';
import { askWorkers, type AskOptions } from '../../client/ask-workers';
import type { CliContext } from '../context';
import { ExitCode } from '../../../platform/exit-code';
import { readOrderFile } from '../../client/order-files';
import { renderProblems } from '../problems';
import type { StartableOrder } from '../../client/shipment-client';
import { renderCauses, renderFixedPrice, renderRates } from '../show-quote';

export interface QuoteOptions {
  readonly json?: boolean;
  /** Seconds. */
  readonly wait?: number;
}

/** What a quote found: for people, for programs, and whether there is a price. */
interface Quoted {
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
  readonly hasPrice: boolean;
}

/** `consign quote`. */
export async function quote(
  context: CliContext,
  files: readonly string[],
  options: QuoteOptions,
): Promise<void> {
  const accounts = await context.accounts();
  const reads = await Promise.all(files.map(async (file) => await readOrderFile(file, accounts)));
  for (const read of reads) {
    if (!read.ok || read.warnings.length > 0) context.warn(renderProblems(read));
    if (!read.ok) process.exitCode = ExitCode.Invalid;
  }
  const good = reads.filter((read) => read.ok);
  if (good.length === 0) return;
  await context.withShipments(async (_, client) => {
    for (const { file, order } of good) {
      const { orderId, account } = order.shipment;
      const hasIntegrator = accounts.orderAccountOf(account)?.hasIntegrator ?? false;
      const onProgress = (text: string): void => context.warn(`${orderId}: ${text}`);
      const quoted = await quoteOrder(client, withWait(order, options.wait), { hasIntegrator, onProgress });
      context.print(options.json === true ? JSON.stringify({ file, ...quoted.json }) : quoted.text);
      if (!quoted.hasPrice) process.exitCode ??= ExitCode.Failed;
    }
  });
}

function withWait(order: StartableOrder, seconds: number | undefined): StartableOrder {
  if (seconds === undefined) return order;
  const { rates } = order.policy;
  const maximumWaitMs = Math.round(seconds * 1_000);
  const minimumWaitMs = Math.min(rates.minimumWaitMs, maximumWaitMs);
  return { ...order, policy: { ...order.policy, rates: { ...rates, minimumWaitMs, maximumWaitMs } } };
}

/** Asks a worker for the price or the rates of one order. */
export async function quoteOrder(
  client: Client,
  { shipment, account, policy }: StartableOrder,
  { hasIntegrator, ...options }: AskOptions & { readonly hasIntegrator: boolean },
): Promise<Quoted> {
  const common = {
    workflowId: quoteWorkflowId(shipment.account, shipment.orderId, randomUUID().slice(0, 8)),
    summary: `quote for ${shipment.account}/${shipment.orderId}; books nothing`,
    account: account.name,
  };
  if (shipment.kind === 'furniture') {
    const input: FurnitureQuoteInput = { account, shipment };
    const asked = { ...common, type: 'furnitureQuote', input, timeoutMs: FIXED_PRICE_MS };
    const fixedPrice = await askWorkers<FurnitureQuoteInput, FixedPriceAnswer>(client, asked, options);
    const text = renderFixedPrice(shipment, fixedPrice);
    return { text, json: { kind: 'furniture', fixedPrice }, hasPrice: true };
  }
  const { maximumWaitMs, pace } = policy.rates;
  const timeoutMs = FIXED_PRICE_MS + maximumWaitMs + 2 * pace.maximumMs;
  const input: LtlQuoteInput = { account, shipment, policy };
  const asked = { ...common, type: 'ltlQuote', input, timeoutMs };
  const found = await askWorkers<LtlQuoteInput, LtlQuote>(client, asked, options);
  if (found.rates.length > 0) {
    return { text: renderRates(shipment, found), json: { kind: 'ltl', ...found }, hasPrice: true };
  }
  const context = { requestedAt: found.requestedAt, closedDays: policy.pickup.closedDays };
  const possibleCauses = [...emptyRateCauses(shipment, context), ...(hasIntegrator ? [] : [NO_INTEGRATOR])];
  const text = `${renderRates(shipment, found)}\n${renderCauses(possibleCauses, maximumWaitMs)}`;
  return { text, json: { kind: 'ltl', ...found, possibleCauses }, hasPrice: false };
}

const NO_INTEGRATOR: RateCause = {
  path: '$.account',
  problem: 'the account has no integratorId; without it the marketplace gives no custom rates',
  remedy: 'set it in the accounts file',
};

/** Longer than the workflow's own limits: those must end it first. Milliseconds. */
const FIXED_PRICE_MS = 5 * 60_000;
