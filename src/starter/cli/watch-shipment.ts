import { setTimeout as pause } from 'node:timers/promises';
import type { TimelineEntry } from '../../domain/shipment-state';
import type { ShipmentClient, ShipmentView } from '../client/shipment-client';

const PACE_MS = 700;

/** Receives the news of a followed shipment, each once. */
export interface Watcher {
  /** A new line of its timeline. */
  readonly onLine: (entry: TimelineEntry, view: ShipmentView) => void;
  /** It waits for something else than before. */
  readonly onWait?: (waitingFor: string) => void;
}

/**
 * Follows a shipment until it ends.
 * @returns the last view
 */
export async function watchShipment(
  client: ShipmentClient,
  order: { readonly account: string; readonly orderId: string },
  { onLine, onWait }: Watcher,
): Promise<ShipmentView> {
  let last = '';
  let shown = 0;
  let waits: string | null = null;
  for (;;) {
    const view = await client.get(order.account, order.orderId);
    // Recognise the last shown line by its text: a long timeline drops its first lines, so a count would skip some.
    const timeline = view.state?.timeline ?? [];
    const key = (entry: TimelineEntry): string => `${entry.at} ${entry.what}`;
    const known = timeline.findLastIndex((entry) => key(entry) === last);
    for (const entry of timeline.slice(shown === 0 ? 0 : known + 1)) {
      onLine(entry, view);
      last = key(entry);
      shown += 1;
    }
    if (view.status !== 'RUNNING') return view;
    if (view.waitingFor !== null && view.waitingFor !== waits) onWait?.(view.waitingFor);
    waits = view.waitingFor;
    await pause(PACE_MS);
  }
}
