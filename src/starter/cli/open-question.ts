import type { OrderKey } from '../../domain/workflow-id';
import type { CliContext } from './context';
import { ExitCode } from '../../platform/exit-code';
import type { ShipmentClient } from '../client/shipment-client';

/** The id of the open question. Null when there is none; the reason is printed and the exit code is set. */
export async function openQuestionOf(
  context: Pick<CliContext, 'warn'>,
  shipments: ShipmentClient,
  { account, orderId }: OrderKey,
): Promise<string | null> {
  const view = await shipments.get(account, orderId);
  if (view.state?.question != null) return view.state.question.id;
  if (view.state === null && view.status === 'RUNNING') {
    context.warn(
      `No worker answers for ${view.workflowId}. Start one, or name the question with --question.`,
    );
    process.exitCode = ExitCode.Unreachable;
    return null;
  }
  context.warn(`${view.workflowId} has no open question.`);
  process.exitCode = ExitCode.Invalid;
  return null;
}
