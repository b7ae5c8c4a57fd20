import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isOpen, type ShipmentView } from '../client/get-shipment';
import { problemOf } from './problem-details';

/** How events are sent. */
export interface EventStreamOptions {
  /** The id of the last event that the caller has. */
  readonly lastEventId: string | undefined;
  /** A comment is sent after this long without an event: a proxy would close a silent connection. Milliseconds. */
  readonly heartbeatMs: number;
}

/** How soon a browser connects again. Milliseconds. */
const RECONNECT_MS = 2_000;

/** Made of the content, so another process gives the same id to the same view. */
const idOf = (view: ShipmentView): string => hash('sha256', JSON.stringify(view)).slice(0, 24);

/** The id of the last event of all: who connects again with it has everything. */
export const endIdOf = (view: ShipmentView): string => `${idOf(view)}.end`;

const frame = (event: string, data: unknown, id: string | null): string =>
  `${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/**
 * The views of a shipment as server-sent events. Each view is the whole state, so a caller that connects again with the
 * last id misses nothing that still counts: it gets the current view, unless it has that.
 * @param views those after `first`; the stream ends with them
 */
export async function* shipmentEvents(
  first: ShipmentView,
  views: AsyncIterator<ShipmentView>,
  { lastEventId, heartbeatMs }: EventStreamOptions,
): AsyncGenerator<string, void, void> {
  yield `retry: ${RECONNECT_MS}\n\n`;
  if (idOf(first) !== lastEventId) yield frame('shipment', first, idOf(first));
  let shown = first;
  while (isOpen(shown)) {
    const next = views.next().then(
      ({ done, value }) =>
        done === true ? ({ kind: 'over' } as const) : ({ kind: 'view', view: value } as const),
      (error: unknown) => ({ kind: 'failed', error }) as const,
    );
    let found = await Promise.race([next, silence(heartbeatMs)]);
    while (found === null) {
      yield ': heartbeat\n\n';
      found = await Promise.race([next, silence(heartbeatMs)]);
    }
    if (found.kind === 'over') return;
    if (found.kind === 'failed') {
      yield frame('problem', problemOf(found.error), null);
      return;
    }
    shown = found.view;
    yield frame('shipment', shown, idOf(shown));
  }
  yield frame('end', { status: shown.status }, endIdOf(shown));
}

const silence = async (ms: number): Promise<null> => await delay(ms, null, { ref: false });
