import type { CliContext } from '../context';
import { ExitCode } from '../../../platform/exit-code';
import { validate } from '../../client/order-files';
import { renderProblems } from '../problems';
import { hasPrice, renderQuote } from '../show-quote';

export interface QuoteOptions {
  readonly json?: boolean;
  /** Seconds. */
  readonly wait?: number;
}

/** `consign quote`. */
export async function quote(
  context: CliContext,
  files: readonly string[],
  { json, wait }: QuoteOptions,
): Promise<void> {
  const accounts = await context.accounts();
  const reads = await Promise.all(files.map(async (file) => await validate({ file }, accounts)));
  for (const read of reads) {
    if (!read.ok || read.warnings.length > 0) context.warn(renderProblems(read));
    if (!read.ok) process.exitCode = ExitCode.Invalid;
  }
  const good = reads.filter((read) => read.ok);
  if (good.length === 0) return;
  const maximumWaitMs = wait === undefined ? undefined : Math.round(wait * 1_000);
  await context.withShipments(async (shipments) => {
    for (const { file, order } of good) {
      const onProgress = (text: string): void => context.warn(`${order.shipment.orderId}: ${text}`);
      const quoted = await shipments.quote(order, { maximumWaitMs, onProgress });
      const waitedMs = maximumWaitMs ?? order.policy.rates.maximumWaitMs;
      context.print(
        json === true ? JSON.stringify({ file, ...quoted }) : renderQuote(order.shipment, quoted, waitedMs),
      );
      if (!hasPrice(quoted)) process.exitCode ??= ExitCode.Failed;
    }
  });
}
