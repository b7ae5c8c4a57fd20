import { EXIT_CODES } from '../../platform/exit-code';
import { InvalidOrderError } from '../client/errors';
import { prepareOrder, type PreparedOrder } from '../client/prepare-order';
import type { CliContext } from './context';
import { renderProblems } from './problems';

/**
 * Checks an order file and stores its images; prints problems and warnings.
 * @returns null when the order is invalid; the exit code is set then
 */
export async function prepare(
  context: Pick<CliContext, 'accounts' | 'files' | 'maxImageBytes' | 'warn'>,
  file: string,
): Promise<PreparedOrder | null> {
  const accounts = await context.accounts();
  const files = await context.files();
  const maxImageBytes = await context.maxImageBytes();
  try {
    const order = await prepareOrder({ file }, { accounts, files, maxImageBytes });
    const { warnings } = order;
    if (warnings.length > 0) context.warn(renderProblems({ file, ok: true, warnings }));
    return order;
  } catch (error) {
    if (!(error instanceof InvalidOrderError)) throw error;
    const { problems, warnings } = error;
    context.warn(renderProblems({ file, ok: false, problems, warnings }));
    process.exitCode = EXIT_CODES[error.kind];
    return null;
  }
}
