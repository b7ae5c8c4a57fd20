import { ApplicationFailure, condition, defineSignal, setHandler, upsertMemo } from '@temporalio/workflow';
import { FailureType } from '../../src/domain/failure-type';
import { initialState } from '../../src/domain/shipment-state';
import type { ShipmentResult } from '../../src/domain/shipment-result';
import type { FurnitureShipmentInput } from '../../src/workflows/run/input';
import { shipmentStateQuery } from '../../src/contract/messages';

export { lateEvent } from '../../src/workflows/events/late-event';
export { unroutedEvent } from '../../src/workflows/events/unrouted-event';

/** `fail`: before anything was booked; `break`: in another way. */
export type Ending = 'complete' | 'fail' | 'break';
/** How it ends, and with which result. */
export const endSignal = defineSignal<[Ending, ShipmentResult?]>('end');

/** In the place of the real workflow: ends as it is told to, and answers the query. */
export async function furnitureShipment({
  shipment,
}: FurnitureShipmentInput): Promise<ShipmentResult | string> {
  const told: [Ending, ShipmentResult?][] = [];
  setHandler(shipmentStateQuery, () => initialState(shipment));
  setHandler(endSignal, (...ending) => void told.push(ending));
  await condition(() => told.length > 0);
  const [ending, result] = told[0] ?? ['complete'];
  if (ending === 'fail')
    throw ApplicationFailure.nonRetryable(
      'the marketplace refused the order',
      FailureType.FailedBeforeBooking,
    );
  if (ending === 'break')
    throw ApplicationFailure.nonRetryable('the listing cannot be read', FailureType.NotFound);
  if (result?.kind === 'withdrawn') upsertMemo({ withdrawn: result });
  return result ?? 'done';
}

/** As a worker of another version would be: it runs, and does not know the query. */
export async function ltlShipment(): Promise<void> {
  await condition(() => false);
}
