import type { LookupFunction } from 'node:net';
import { buildConnector, EnvHttpProxyAgent, errors, Pool, type Dispatcher } from 'undici';
import { proxySettings } from './proxy-settings';

export interface DispatcherOptions {
  /** Resolves hosts for direct connections; a proxy resolves names itself. */
  readonly lookup?: LookupFunction;
  /** Connections to one host at once; default: no limit. */
  readonly connections?: number;
  /** False: every request uses a new connection. */
  readonly keepAlive?: boolean;
  /**
   * Called once a connection is established, before the first byte of a request: an error ends it. Through a proxy, that is
   * the tunnel to an https host. A proxy forwards plain http itself, so for http it is the connection to the proxy.
   */
  readonly onConnected?: () => Error | null;
}

/** Thrown when no connection was established: the request was certainly not sent. `code` is the platform's. */
export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError';

  constructor(
    message: string,
    readonly code: string | null,
    cause: Error,
  ) {
    super(message, { cause });
  }
}

const TUNNEL_TIMEOUT_MS = 10_000;

/** undici's codes for a failed tunnel. They would make its client retry for as long as the request waits. */
const ABOUT_TUNNELS = /^UND_ERR_(?!CONNECT_TIMEOUT)/;

function notConnected(error: Error): NotConnectedError {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  if (code === null || !ABOUT_TUNNELS.test(code)) return new NotConnectedError(error.message, code, error);
  const status = /^Proxy response \((\d+)\)/.exec(error.message)?.[1];
  const said = status === undefined ? 'made no connection to the host' : `answered ${status}`;
  return new NotConnectedError(`the proxy ${said}`, 'PROXY_REFUSED', error);
}

/**
 * Whether a proxy answered 407 to a plain http request, which undici turns into an error. The request was not forwarded:
 * the proxy first requires authentication.
 */
export const isProxyLoginNeeded = (error: unknown): boolean =>
  error instanceof errors.InvalidArgumentError && error.message.startsWith('Proxy Authentication Required');

/** What a proxy did instead of forwarding a request; null when no proxy is the cause. */
export function proxyTrouble(error: unknown): string | null {
  if (isProxyLoginNeeded(error)) return 'the proxy answered 407';
  return error instanceof NotConnectedError && error.code === 'PROXY_REFUSED' ? error.message : null;
}

/**
 * Sends all HTTP requests of this process: directly, or through the proxy that the environment names. Its only time limits
 * are 10 s for each step of connecting: to the host or the proxy, the tunnel, TLS.
 */
export function createDispatcher(options: DispatcherOptions = {}): Dispatcher {
  const { lookup, connections, keepAlive = true, onConnected = () => null } = options;
  const watched =
    (connect: buildConnector.connector): buildConnector.connector =>
    (target, callback) => {
      connect(target, (...result) => {
        const [error, socket] = result;
        if (error !== null) return callback(notConnected(error), null);
        const refusal = onConnected();
        if (refusal === null) return callback(null, socket);
        socket.destroy();
        return callback(refusal, null);
      });
    };
  return new EnvHttpProxyAgent({
    ...proxySettings(process.env),
    connect: { lookup },
    clientFactory: (origin, { connect }: Pool.Options) =>
      new Pool(origin, { connect, headersTimeout: TUNNEL_TIMEOUT_MS }),
    // Many proxies tunnel only to the https port, and forward plain http.
    proxyTunnel: false,
    factory: (origin, { connect }: Pool.Options) =>
      new Pool(origin, {
        ...(connections === undefined ? {} : { connections }),
        ...(keepAlive ? {} : { pipelining: 0 }),
        headersTimeout: 0,
        bodyTimeout: 0,
        connect: watched(typeof connect === 'function' ? connect : buildConnector({ ...connect })),
      }),
  });
}
