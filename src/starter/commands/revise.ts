import type { Client } from '@temporalio/client';
import { Command } from 'commander';
import type { AmendmentInput } from '../../domain/amendment';
import { shipmentWorkflowId } from '../../domain/workflow-id';
import type { CliContext } from '../context';
import { ExitCode } from '../exit-code';
import { readOrderFile } from '../order-files';
import { amendOpenListing } from '../amend-open-listing';
import { withStoredImages } from '../order-images';
import { renderProblems } from '../problems';
import type { ShipmentClient } from '../shipment-client';
import { sendAnswer } from '../send-answer';
import { confirm, openQuestionOf } from './answer';

interface ReviseOptions {
  readonly by: string;
  readonly reason: string;
  readonly question?: string;
}

/** Another document for an order that waits with a question, or for its booking; refused once it is booked. */
export function reviseCommand(context: CliContext): Command {
  return new Command('revise')
    .description(
      'answer the open question with a corrected order document, or change the open listing of a furniture order',
    )
    .argument('<file>', 'the complete corrected order, JSON or YAML; - is standard input')
    .requiredOption('--by <name>', 'who revises it')
    .requiredOption('--reason <text>', 'why; kept in the timeline')
    .option('--question <id>', 'the question that you read; default: the open one')
    .action(async (file: string, options: ReviseOptions) => await revise(context, file, options));
}

async function revise(context: CliContext, file: string, options: ReviseOptions): Promise<void> {
  const given = await readOrderFile(file, context.accounts());
  const limits = { maxBytes: context.maxImageBytes() };
  const { read, order } = await withStoredImages(given, context.files(), limits);
  if (order === null || read.warnings.length > 0) context.warn(renderProblems(read));
  if (order === null) {
    process.exitCode = ExitCode.Invalid;
    return;
  }
  const { by, reason, question } = options;
  await context.withShipments(async (shipments, client) => {
    const revision = { by, reason, ...order };
    const { account, orderId } = order.shipment;
    const { state } = await shipments.get(account, orderId);
    if (question === undefined && state?.phase === 'awaitingBooking' && state.question === null)
      await amendOpenListing({ context, shipments, client }, revision, state.amendment);
    else await answerQuestion({ context, shipments, client }, revision, question);
  });
}

interface Parts {
  readonly context: CliContext;
  readonly shipments: ShipmentClient;
  readonly client: Client;
}

async function answerQuestion(
  { context, shipments, client }: Parts,
  { by, reason, shipment, policy, documentHash }: AmendmentInput,
  named: string | undefined,
): Promise<void> {
  const { account, orderId } = shipment;
  const questionId = named ?? (await openQuestionOf(context, shipments, { account, orderId }));
  if (questionId === null) return;
  const handle = client.workflow.getHandle(shipmentWorkflowId(account, orderId));
  await confirm(
    { context, client, again: `repeat it with --question ${questionId}` },
    async () =>
      await sendAnswer(
        handle,
        { questionId, by, reason },
        { kind: 'revise', shipment, policy, documentHash },
      ),
  );
}
