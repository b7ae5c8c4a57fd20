import type { PollPace, ShipmentPolicy } from './policy';
import type { ShipmentState } from './shipment-state';

/**
 * How often to read the listing when no event comes. Rarely while events come, because a reading then finds nothing
 * new. Once a reading had to repair something, events are being lost, and the policy's own pace applies.
 */
export function sweepPaceOf(
  { events, repairs }: Pick<ShipmentState, 'events' | 'repairs'>,
  { sweepPace, sweepWidening }: Pick<ShipmentPolicy, 'sweepPace' | 'sweepWidening'>,
): PollPace {
  if (events.taken === 0 || repairs > 0) return sweepPace;
  return {
    initialMs: Math.round(sweepPace.initialMs * sweepWidening),
    maximumMs: Math.round(sweepPace.maximumMs * sweepWidening),
  };
}
