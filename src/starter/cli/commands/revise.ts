import type { Client } from '@temporalio/client';
import type { AmendmentInput } from '../../../domain/amendment';
import { orderReference, shipmentWorkflowId, type OrderKey } from '../../../domain/workflow-id';
import { amendOpenListing } from '../amend-open-listing';
import { confirm } from '../confirm';
import type { CliContext } from '../context';
import { ExitCode } from '../../../platform/exit-code';
import { openQuestionOf } from '../open-question';
import { readOrderFile } from '../../client/order-files';
import { withStoredImages } from '../../client/order-images';
import { renderProblems } from '../problems';
import { sendAnswer } from '../../client/send-answer';
import type { ShipmentClient } from '../../client/shipment-client';

export interface ReviseOptions {
  readonly by: string;
  readonly reason: string;
  readonly question?: string;
  readonly json?: boolean;
}

/**
 * `consign revise`: a corrected document for an order that has an open question or is not booked yet.
 * @param options `order`: the order that the person named; the document must contain it
 */
export async function reviseOrder(
  context: CliContext,
  file: string,
  options: ReviseOptions & { readonly order?: OrderKey },
): Promise<void> {
  const given = await readOrderFile(file, await context.accounts());
  const limits = { maxBytes: await context.maxImageBytes() };
  const { read, order } = await withStoredImages(given, await context.files(), limits);
  if (order === null || read.warnings.length > 0) context.warn(renderProblems(read));
  if (order === null) {
    process.exitCode = ExitCode.Invalid;
    return;
  }
  const { by, reason, question, json, order: named } = options;
  const { account, orderId } = order.shipment;
  if (named !== undefined && (named.account !== account || named.orderId !== orderId)) {
    const other = orderReference(named.account, named.orderId);
    context.warn(`${file} contains order ${orderReference(account, orderId)}, not ${other}.`);
    process.exitCode = ExitCode.Invalid;
    return;
  }
  await context.withShipments(async (shipments, client) => {
    const revision = { by, reason, ...order };
    const { state } = await shipments.get(account, orderId);
    const parts = { context, shipments, client, json };
    if (question === undefined && state?.at.phase === 'awaitingBooking' && state.question === null)
      await amendOpenListing(parts, revision, state.amendment);
    else await answerQuestion(parts, revision, question);
  });
}

interface Parts {
  readonly context: CliContext;
  readonly shipments: ShipmentClient;
  readonly client: Client;
  readonly json: boolean | undefined;
}

async function answerQuestion(
  { context, shipments, client, json }: Parts,
  { by, reason, shipment, policy, documentHash }: AmendmentInput,
  named: string | undefined,
): Promise<void> {
  const { account, orderId } = shipment;
  const questionId = named ?? (await openQuestionOf(context, shipments, { account, orderId }));
  if (questionId === null) return;
  const handle = client.workflow.getHandle(shipmentWorkflowId(account, orderId));
  await confirm(
    { context, client, json, what: 'answer', questionId },
    async () =>
      await sendAnswer(
        handle,
        { questionId, by, reason },
        { kind: 'revise', shipment, policy, documentHash },
      ),
  );
}
