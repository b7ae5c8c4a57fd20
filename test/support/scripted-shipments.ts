import { ApplicationFailure, condition, defineSignal, setHandler } from '@temporalio/workflow';
import { initialState } from '../../src/domain/shipment-state';
import type { FurnitureShipmentInput } from '../../src/workflows/input';
import { shipmentStateQuery } from '../../src/workflows/messages';

export { unroutedEvent } from '../../src/workflows/unrouted-event';

export type Ending = 'complete' | 'fail';
export const endSignal = defineSignal<[Ending]>('end');

/** In the place of the real workflow: ends as it is told to, and answers the query. */
export async function furnitureShipment({ shipment }: FurnitureShipmentInput): Promise<string> {
  const told: Ending[] = [];
  setHandler(shipmentStateQuery, () => initialState(shipment));
  setHandler(endSignal, (ending) => void told.push(ending));
  await condition(() => told.length > 0);
  if (told[0] === 'fail') throw ApplicationFailure.nonRetryable('the marketplace refused the order');
  return 'done';
}

/** As a worker of another version would be: it runs, and does not know the query. */
export async function ltlShipment(): Promise<void> {
  await condition(() => false);
}
