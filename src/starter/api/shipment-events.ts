import { hash } from 'node:crypto';
import { isOpen, type ShipmentView } from '../client/get-shipment';
import { frame } from './event-stream';

/** Made of the content, so another process gives the same id to the same view. */
const idOf = (view: ShipmentView): string => hash('sha256', JSON.stringify(view)).slice(0, 24);

/** The id of the last event of all: who connects again with it has everything. */
export const endIdOf = (view: ShipmentView): string => `${idOf(view)}.end`;

/**
 * The views of a shipment as events. Each view is the whole state, so a caller that connects again with the last id
 * misses nothing that still counts: it gets the current view, unless it has that.
 * @param views those after `first`; the events end with them
 * @param lastEventId the id of the last event that the caller has
 */
export async function* shipmentEvents(
  first: ShipmentView,
  views: AsyncIterable<ShipmentView>,
  lastEventId: string | undefined,
): AsyncGenerator<string, void, void> {
  if (idOf(first) !== lastEventId) yield frame('shipment', first, idOf(first));
  let shown = first;
  if (isOpen(first))
    for await (const view of views) {
      shown = view;
      yield frame('shipment', shown, idOf(shown));
    }
  if (!isOpen(shown)) yield frame('end', { status: shown.status }, endIdOf(shown));
}
