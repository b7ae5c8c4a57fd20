import type { TimelineEntry } from '../../domain/shipment-state';
import type { ShipmentView } from '../client/get-shipment';

/** Receives the news of a followed shipment, each once. */
export interface Follower {
  /** A new line of its timeline. */
  readonly onLine: (entry: TimelineEntry, view: ShipmentView) => void;
  /** It waits for something else than before. */
  readonly onWait?: (waitingFor: string) => void;
}

/**
 * Reports what is new in each view of a shipment.
 * @returns the last view; null when there was none
 */
export async function followShipment(
  views: AsyncIterable<ShipmentView>,
  { onLine, onWait }: Follower,
): Promise<ShipmentView | null> {
  let last = '';
  let shown = 0;
  let waits: string | null = null;
  let lastView: ShipmentView | null = null;
  for await (const view of views) {
    // Recognise the last shown line by its text: a long timeline drops its first lines, so a count would skip some.
    const timeline = view.state?.timeline ?? [];
    const key = (entry: TimelineEntry): string => `${entry.at} ${entry.what}`;
    const known = timeline.findLastIndex((entry) => key(entry) === last);
    for (const entry of timeline.slice(shown === 0 ? 0 : known + 1)) {
      onLine(entry, view);
      last = key(entry);
      shown += 1;
    }
    const { status, waitingFor } = view;
    if (status === 'RUNNING' && waitingFor !== null && waitingFor !== waits) onWait?.(waitingFor);
    waits = waitingFor;
    lastView = view;
  }
  return lastView;
}
