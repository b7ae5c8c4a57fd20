import type { CliContext } from '../context';
import type { PreparedOrder } from '../../client/prepare-order';
import { prepare } from '../prepare';

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
  // Prepare all orders before any order starts: an invalid one, or an unusable image, stops them all.
  const orders: { readonly file: string; readonly order: PreparedOrder }[] = [];
  for (const file of documents) {
    const order = await prepare(context, file);
    if (order !== null) orders.push({ file, order });
  }
  const refused = documents.length - orders.length;
  if (refused > 0) {
    const verb = refused === 1 ? 'is' : 'are';
    context.warn(`No orders were started: ${refused} of ${documents.length} ${verb} invalid.`);
    return;
  }
  await context.withShipments(async (shipments) => {
    for (const { file, order } of orders) {
      const started = await shipments.start(order, statement);
      context.print(
        options.json === true
          ? JSON.stringify({ file, ...started })
          : `${OUTCOME[started.outcome]} ${started.workflowId} (run ${started.runId})`,
      );
    }
  });
}

const OUTCOME = { started: 'started', already: 'already started:', restarted: 'started again' } as const;
