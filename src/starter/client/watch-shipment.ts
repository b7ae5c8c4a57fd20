import { isDeepStrictEqual } from 'node:util';
import type { Client } from '@temporalio/client';
import type { OrderKey } from '../../domain/workflow-id';
import { pause } from '../../platform/pause';
import { TemporalUnreachableError } from '../../temporal/client-connection';
import { getShipment, isOpen, type ShipmentView } from './get-shipment';
import { explained } from './service-error';

/** How a shipment is followed. */
export interface WatchOptions {
  /** Ends the iteration, without an error. */
  readonly signal?: AbortSignal | undefined;
  /** How long Temporal may be unreachable before the iteration throws; five minutes by default. Milliseconds. */
  readonly patienceMs?: number | undefined;
}

/** Between two looks. */
const PACE_MS = 700;
const PATIENCE_MS = 300_000;

/**
 * The views of a shipment, each when it differs from the one before, up to its end.
 * @throws ShipmentNotFoundError
 * @throws TemporalUnreachableError at once when it does not answer at first, later after `patienceMs`
 */
export async function* watchShipment(
  client: Client,
  order: OrderKey,
  { signal = new AbortController().signal, patienceMs = PATIENCE_MS }: WatchOptions = {},
): AsyncGenerator<ShipmentView, void, void> {
  let shown: ShipmentView | null = null;
  let answeredAtMs = Date.now();
  while (!signal.aborted) {
    const view = await lookUntilAborted(client, order, signal);
    if (signal.aborted) return;
    if (view instanceof TemporalUnreachableError) {
      if (shown === null || Date.now() - answeredAtMs > patienceMs) throw view;
    } else {
      answeredAtMs = Date.now();
      if (!isDeepStrictEqual(view, shown)) yield view;
      shown = view;
      if (!isOpen(view)) return;
    }
    await pause(PACE_MS, signal);
  }
}

async function lookUntilAborted(
  client: Client,
  order: OrderKey,
  signal: AbortSignal,
): Promise<ShipmentView | TemporalUnreachableError> {
  // The SDK never removes its listeners, and a shipment may be followed for weeks: each look has its own signal.
  const look = new AbortController();
  const stop = (): void => look.abort();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await explained(
      async () => await client.withAbortSignal(look.signal, async () => await getShipment(client, order)),
    );
  } catch (error) {
    if (error instanceof TemporalUnreachableError) return error;
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
