import { Command } from 'commander';
import type { CliContext } from '../context';
import { ExitCode } from '../../processes/exit-code';
import { readOrderFile } from '../order-files';
import { withStoredImages, type OrderWithImages } from '../order-images';
import { renderProblems } from '../problems';

interface StartOptions {
  readonly json?: boolean;
  readonly checked?: string;
  readonly by?: string;
}

export function startCommand(context: CliContext): Command {
  return new Command('start')
    .description('start the shipment of each order; safe to repeat, an order is never started twice')
    .argument('<files...>', 'order documents, JSON or YAML; - is standard input')
    .option('--json', 'print one JSON object for each order')
    .option(
      '--checked <text>',
      'what you checked at the marketplace to know that nothing is booked; needed after a withdrawn, cancelled, terminated or timed-out run',
    )
    .option('--by <name>', 'who checked it; needed with --checked')
    .hook('preAction', needBoth)
    .action(async (files: string[], options: StartOptions) => await start(context, files, options));
}

function needBoth(command: Command): void {
  const { checked, by } = command.opts<StartOptions>();
  if ((checked === undefined) !== (by === undefined))
    command.error('Give --checked and --by together: what you checked, and your name.');
}

async function start(context: CliContext, files: readonly string[], options: StartOptions): Promise<void> {
  const { checked, by } = options;
  const statement = checked === undefined || by === undefined ? undefined : { checked, by };
  const accounts = context.accounts();
  const reads = await Promise.all(files.map(async (file) => await readOrderFile(file, accounts)));
  // The images of all orders before any of them starts: one that cannot be used stops them all.
  const orders: OrderWithImages[] = [];
  for (const read of reads)
    orders.push(await withStoredImages(read, context.files(), { maxBytes: context.maxImageBytes() }));
  const refused = orders.filter(({ read }) => !read.ok);
  if (refused.length > 0) {
    for (const { read } of refused) context.warn(renderProblems(read));
    context.warn(`Nothing was started: ${refused.length} of ${reads.length} orders are not good.`);
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
