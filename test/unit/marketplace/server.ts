import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import {
  DEFAULT_SETTINGS,
  type MarketplaceAccount,
  type MarketplaceSettings,
} from '../../../src/marketplace/account';
import { createMarketplace, type ClosableMarketplace } from '../../../src/marketplace/create-marketplace';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export interface TestServer {
  readonly url: string;
  readonly seen: SeenRequest[];
  close(): Promise<void>;
}

const closers: (() => Promise<void>)[] = [];

/** To be called after each test. */
export async function closeAll(): Promise<void> {
  await Promise.all(closers.splice(0).map(async (close) => await close()));
}

export async function startServer(
  answer: (request: SeenRequest, response: http.ServerResponse) => void,
): Promise<TestServer> {
  const seen: SeenRequest[] = [];
  const server = http.createServer((incoming, response) => {
    let body = '';
    incoming.setEncoding('latin1');
    incoming.on('data', (chunk: string) => (body += chunk));
    incoming.on('end', () => {
      const request = {
        method: incoming.method ?? '',
        url: incoming.url ?? '',
        headers: incoming.headers,
        body,
      };
      seen.push(request);
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  closers.push(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, close };
}

/** A server below HTTP: `onData` gets the socket after the first bytes of the request. */
export async function startRawServer(onData: (socket: net.Socket) => void): Promise<string> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => sockets.delete(socket));
    socket.once('data', () => onData(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An address where nobody listens. */
export async function deadUrl(): Promise<string> {
  const server = await startServer(() => {});
  await server.close();
  return server.url;
}

export const reply =
  (status: number, body: unknown = '', headers: Record<string, string> = {}) =>
  (_: SeenRequest, response: http.ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

export function anAccount(
  baseUrl: string,
  overrides: Partial<Omit<MarketplaceAccount, 'settings'>> & { settings?: Partial<MarketplaceSettings> } = {},
): MarketplaceAccount {
  const { settings, ...rest } = overrides;
  return {
    name: 'acme',
    environment: 'sandbox',
    baseUrl,
    webUrl: baseUrl,
    auth: { kind: 'apiKey', key: async () => 'key-secret-1\n' },
    source: 'acmefurniture',
    integratorId: 'integrator-7',
    userId: null,
    ...rest,
    settings: { ...DEFAULT_SETTINGS, ...settings },
  };
}

export function aMarketplace(
  account: MarketplaceAccount,
  dependencies: Parameters<typeof createMarketplace>[1] = {},
): ClosableMarketplace {
  const marketplace = createMarketplace(account, { defaultTimeoutMs: 5_000, ...dependencies });
  closers.push(async () => await marketplace.close());
  return marketplace;
}

export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    (value) => {
      throw new Error(`expected a failure, got ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
}
