import type { PollPace, ShipmentPolicy } from './policy';
import type { ShipmentState } from './shipment-state';

/**
 * How often the listing is read although no event came. Rarely while events come: then a reading finds nothing. A reading
 * that had to repair something shows that events are lost, and from then on the policy's own pace holds.
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
