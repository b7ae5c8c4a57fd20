import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach } from '@jest/globals';
import { closeSandboxes, until } from './marketplace-client';

export interface ReceivedEvent {
  readonly headers: IncomingHttpHeaders;
  readonly envelope: {
    readonly specversion: string;
    readonly source: string;
    readonly id: string;
    readonly time: string;
    readonly type: string;
    readonly data: Record<string, unknown>;
  };
}

export interface EventReceiver {
  readonly url: string;
  readonly received: ReceivedEvent[];
  /** What to answer next, one status after the other; then 200 for ever. */
  readonly statuses: number[];
  ofType: (type: string) => Promise<ReceivedEvent>;
}

/** A new receiver for each test of a file. It is closed after the sandboxes that send to it. */
export function useEventReceiver(): EventReceiver {
  let current: Awaited<ReturnType<typeof receiveEvents>> | null = null;
  const running = () => {
    if (current === null) throw new Error('the receiver runs within tests only');
    return current;
  };
  beforeEach(async () => {
    current = await receiveEvents();
  });
  afterEach(async () => {
    await closeSandboxes();
    await current?.close();
  });
  return {
    get url() {
      return running().url;
    },
    get received() {
      return running().received;
    },
    get statuses() {
      return running().statuses;
    },
    ofType: async (type) => await running().ofType(type),
  };
}

/** A webhook receiver that keeps what it is sent. */
export async function receiveEvents(): Promise<EventReceiver & { close(): Promise<void> }> {
  const received: ReceivedEvent[] = [];
  const statuses: number[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, envelope: JSON.parse(text) as ReceivedEvent['envelope'] });
      response.writeHead(statuses.shift() ?? 200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/events`,
    received,
    statuses,
    ofType: async (type) => {
      const find = (): ReceivedEvent | undefined => received.find(({ envelope }) => envelope.type === type);
      return (await until(find, (event) => event !== undefined)) as ReceivedEvent;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
