import type { Client } from '@temporalio/client';
import { setTimeout as delay } from 'node:timers/promises';
import type { AmendmentInput, AmendmentReport } from '../../domain/amendment';
import { commandLines } from '../../domain/command-lines';
import { shipmentWorkflowId } from '../../domain/workflow-id';
import { confirm } from './confirm';
import type { CliContext } from './context';
import { ExitCode } from '../../platform/exit-code';
import { sendAmendment } from '../client/send-answer';
import type { ShipmentClient } from '../client/shipment-client';

/** Most changes end sooner. A slower one continues by itself, and `show` reports its result. */
const REPORT_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 300;

interface Parts {
  readonly context: CliContext;
  readonly shipments: ShipmentClient;
  readonly client: Client;
  readonly json: boolean | undefined;
}

/** Sends a change of the open listing and prints its result, or that it is still in progress. */
export async function amendOpenListing(
  { context, shipments, client, json }: Parts,
  input: AmendmentInput,
  earlier: AmendmentReport | null,
): Promise<void> {
  const { account, orderId } = input.shipment;
  const handle = client.workflow.getHandle(shipmentWorkflowId(account, orderId));
  const isTaken = await confirm({ context, client, json, what: 'change' }, async () => {
    await sendAmendment(handle, input, earlier?.at ?? null);
  });
  if (!isTaken) return;
  const until = Date.now() + REPORT_WITHIN_MS;
  while (Date.now() < until) {
    const { state } = await shipments.get(account, orderId);
    const report = state?.amendment ?? null;
    if (report !== null && report.status !== 'underWay') {
      if (json === true) context.print(JSON.stringify(report));
      else if (report.status === 'done') context.print(report.what);
      else context.warn(report.what);
      if (report.status === 'refused') process.exitCode = ExitCode.Invalid;
      return;
    }
    await delay(LOOK_EVERY_MS);
  }
  if (json === true) context.print(JSON.stringify({ status: 'underWay' }));
  else
    context.print(
      `The change is in progress; \`${commandLines.show({ account, orderId })}\` shows its result.`,
    );
}
