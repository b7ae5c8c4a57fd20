import { personDecisions, seenPrices, sentRequests } from '../../client/decision-record';
import { orderInput } from '../../client/order-input';
import { readOrderRecord } from '../../client/order-record';
import { writePack } from '../../client/write-pack';
import type { CliContext } from '../context';
import type { PackFacts } from '../dispute-pack/contents';
import { makePack } from '../dispute-pack/pack';

export interface DisputePackOptions {
  readonly out: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** `consign dispute-pack`. */
export async function disputePack(
  context: CliContext,
  text: string,
  { out, force, json }: DisputePackOptions,
): Promise<void> {
  const order = await context.orderOf(text);
  const facts = await context.withShipments(async (_, client): Promise<PackFacts> => {
    const record = await readOrderRecord(client, order);
    return {
      ...{ madeAt: new Date().toISOString(), record, order: await orderInput(record) },
      requests: await sentRequests(record),
      decisions: await personDecisions(record),
      prices: await seenPrices(record),
    };
  });
  const { files, missing } = await makePack(facts, await context.files());
  await writePack(files, { out, name: `dispute-${order.orderId}`, isForced: force === true });
  if (json === true) {
    const written = files.map(({ path, bytes }) => ({ path, sizeInBytes: bytes.length }));
    context.print(JSON.stringify({ out, files: written, missing }, null, 2));
    return;
  }
  context.print(`written: ${out} (${files.length} files, with names, phones and addresses)`);
  for (const one of missing) context.print(`missing: ${one}`);
}
