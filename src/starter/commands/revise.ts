import { Command } from 'commander';
import { shipmentWorkflowId } from '../../domain/workflow-id';
import type { CliContext } from '../context';
import { ExitCode } from '../exit-code';
import { readOrderFile } from '../order-files';
import { withStoredImages } from '../order-images';
import { renderProblems } from '../problems';
import { sendAnswer } from '../send-answer';
import { confirm, openQuestionOf } from './answer';

interface ReviseOptions {
  readonly by: string;
  readonly reason: string;
  readonly question?: string;
}

/** Another document for an order that waits with a question; refused once it is booked. */
export function reviseCommand(context: CliContext): Command {
  return new Command('revise')
    .description('answer the open question of a shipment with a corrected order document')
    .argument('<file>', 'the whole order as it is to be, JSON or YAML; - is standard input')
    .requiredOption('--by <name>', 'who revises it')
    .requiredOption('--reason <text>', 'why; kept in the timeline')
    .option('--question <id>', 'the question that was read; the open one when left out')
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
  const { shipment, policy, documentHash } = order;
  const { account, orderId } = shipment;
  await context.withShipments(async (shipments, client) => {
    const questionId = options.question ?? (await openQuestionOf(context, shipments, { account, orderId }));
    if (questionId === null) return;
    const { by, reason } = options;
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
  });
}
