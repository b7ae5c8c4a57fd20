import type { EventSourceMessage } from 'eventsource-parser';
import { useEffect, useState } from 'react';
import type { ShipmentView } from '../src/starter/client/get-shipment';
import { ApiProblem, isWorthRepeating, shipmentPath } from './api';
import { readEvents, RECONNECT_MS } from './event-stream';
import { useSession, type Session } from './session';

/** What is known of a shipment now. */
export interface LiveShipment {
  /** Null before the first event. */
  readonly view: ShipmentView | null;
  /** The last view with a state: a view has none while no worker answers. */
  readonly known: ShipmentView | null;
  readonly connection: 'connecting' | 'live' | 'ended' | 'refused';
  /** Why the stream cannot go on. */
  readonly problem: string | null;
}

const NOTHING: LiveShipment = { view: null, known: null, connection: 'connecting', problem: null };

/** Follows a shipment by server-sent events. */
export function useLiveShipment(account: string, orderId: string): LiveShipment {
  const session = useSession();
  const [live, setLive] = useState(NOTHING);
  useEffect(() => {
    const stop = new AbortController();
    setLive(NOTHING);
    void follow(session, { account, orderId, signal: stop.signal, change: setLive });
    return () => stop.abort();
  }, [session, account, orderId]);
  return live;
}

interface Following {
  readonly account: string;
  readonly orderId: string;
  readonly signal: AbortSignal;
  readonly change: (next: (before: LiveShipment) => LiveShipment) => void;
}

/** Connects again until the shipment has ended, the API refuses, or the page is left. */
async function follow(session: Session, { account, orderId, signal, change }: Following): Promise<void> {
  const add = (facts: Partial<LiveShipment>): void => {
    if (!signal.aborted) change((before) => ({ ...before, ...facts }));
  };
  const seen = { lastId: '', hasEnded: false };
  const onEvent = ({ event, data, id }: EventSourceMessage): void => {
    seen.lastId = id ?? seen.lastId;
    if (event === 'shipment') {
      const view = JSON.parse(data) as ShipmentView;
      add({ view, ...(view.state === null ? {} : { known: view }), connection: 'live', problem: null });
    }
    if (event === 'end') seen.hasEnded = true;
    if (event === 'problem') add({ problem: (JSON.parse(data) as ApiProblem['problem']).detail });
  };
  const onOpen = (): void => add({ connection: 'live', problem: null });
  while (!signal.aborted && !seen.hasEnded) {
    try {
      const headers: Readonly<Record<string, string>> =
        seen.lastId === '' ? {} : { 'last-event-id': seen.lastId };
      const place = `${shipmentPath(account, orderId)}/events`;
      if (!(await readEvents(session, place, { headers, signal, onOpen, onEvent }))) break;
    } catch (error) {
      if (signal.aborted) return;
      const problem = error instanceof Error ? error.message : String(error);
      if (error instanceof ApiProblem && !isWorthRepeating(error)) {
        add({ connection: 'refused', problem });
        return;
      }
      add({ problem });
    }
    if (seen.hasEnded) break;
    add({ connection: 'connecting' });
    await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
  }
  add({ connection: 'ended' });
}
