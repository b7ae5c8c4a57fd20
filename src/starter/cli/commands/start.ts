import type { CliContext } from '../context';
import { ExitCode } from '../../../platform/exit-code';
import { readOrderFile } from '../../client/order-files';
import { withStoredImages, type OrderWithImages } from '../../client/order-images';
import { renderProblems } from '../problems';

export interface StartOptions {
  readonly json?: boolean;
  readonly checked?: string;
  readonly by?: string;
}

/** `consign start`. */
export async function start(
  context: CliContext,
  documents: readonly string[],
  options: StartOptions,
): Promise<void> {
  const { checked, by } = options;
  const statement = checked === undefined || by === undefined ? undefined : { checked, by };
  const accounts = await context.accounts();
  const reads = await Promise.all(documents.map(async (file) => await readOrderFile(file, accounts)));
  // Store the images of all orders before any order starts: an unusable image stops them all.
  const orders: OrderWithImages[] = [];
  const files = await context.files();
  const limits = { maxBytes: await context.maxImageBytes() };
  for (const read of reads) orders.push(await withStoredImages(read, files, limits));
  const refused = orders.filter(({ read }) => !read.ok);
  if (refused.length > 0) {
    for (const { read } of refused) context.warn(renderProblems(read));
    const verb = refused.length === 1 ? 'is' : 'are';
    context.warn(`No orders were started: ${refused.length} of ${reads.length} ${verb} invalid.`);
    process.exitCode = ExitCode.Invalid;
    return;
  }
  await context.withShipments(async (shipments) => {
    for (const { read, order } of orders) {
      if (order === null) continue;
      if (read.warnings.length > 0) context.warn(renderProblems(read));
      const started = await shipments.start(order, statement);
      context.print(
        options.json === true
          ? JSON.stringify({ file: read.file, ...started })
          : `${OUTCOME[started.outcome]} ${started.workflowId} (run ${started.runId})`,
      );
    }
  });
}

const OUTCOME = { started: 'started', already: 'already started:', restarted: 'started again' } as const;
