import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { NOTIFICATION_KINDS } from '../../src/domain/notifications';
import type { CloudEvent } from '../../src/notifications/cloud-event';
import type { NotificationEndpoint } from '../../src/notifications/endpoint';
import { signingSecret } from './notifications';

/** One request of Consign. */
export interface Delivery {
  readonly event: CloudEvent;
  /** Of the type, such as `booked`. */
  readonly kind: string;
  readonly orderId: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** `never`: the request stays open. `break`: it was processed, and its answer is lost. */
export type Reaction = number | 'never' | 'break';

/** An endpoint that receives notifications: it can be slow, refuse, break off, and be away. */
export interface EndpointServer {
  readonly url: string;
  /** All requests that arrived whole, the refused ones too. */
  readonly deliveries: readonly Delivery[];
  /** The kinds that an order's requests had, in order of arrival. */
  kindsOf(orderId: string): readonly string[];
  /** How it answers from now on. */
  react(reaction: (delivery: Delivery, earlier: number) => Reaction): void;
  /** Closes every connection, and listens no more. */
  kill(): Promise<void>;
  /** Again at the same address. */
  restart(): Promise<void>;
}

export const SECRET = signingSecret(1);

/** @throws when the request was not signed by one of the secrets */
export function verified({ body, headers }: Delivery, secret = SECRET): CloudEvent {
  return new Webhook(secret).verify(body, headers as Record<string, string>) as CloudEvent;
}

export async function startEndpoint(): Promise<EndpointServer> {
  const deliveries: Delivery[] = [];
  let reactTo: (delivery: Delivery, earlier: number) => Reaction = () => 204;
  let port = 0;
  let server: Server | null = null;
  const listen = async (): Promise<void> => {
    const started = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        const event = JSON.parse(body) as CloudEvent;
        const { headers } = request;
        const kind = event.type.slice(event.type.lastIndexOf('.') + 1);
        const delivery = { event, kind, orderId: event.subject ?? '', headers, body };
        const earlier = deliveries.filter((one) => one.event.id === event.id).length;
        deliveries.push(delivery);
        const reaction = reactTo(delivery, earlier);
        if (reaction === 'break') request.socket.destroy();
        else if (reaction !== 'never') response.writeHead(reaction).end();
      });
    });
    await new Promise<void>((resolve, reject) => {
      started.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    port = (started.address() as AddressInfo).port;
    server = started;
  };
  await listen();
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    deliveries,
    kindsOf: (orderId) => deliveries.filter((one) => one.orderId === orderId).map(({ kind }) => kind),
    react(reaction) {
      reactTo = reaction;
    },
    async kill() {
      const running = server;
      server = null;
      if (running === null) return;
      running.closeAllConnections();
      await new Promise((resolve) => running.close(resolve));
    },
    restart: listen,
  };
}

/** An endpoint of the accounts file that leads to the server. */
export function anEndpointAt(
  { url }: Pick<EndpointServer, 'url'>,
  over: Partial<NotificationEndpoint> = {},
): NotificationEndpoint {
  return {
    ...{ name: 'erp', url, events: NOTIFICATION_KINDS, reportAfterMs: 3_600_000, pauseAfterMs: 432_000_000 },
    secrets: [async () => await Promise.resolve(SECRET)],
    ...over,
  };
}
