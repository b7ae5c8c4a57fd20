import type { Dispatcher, FormData } from 'undici';
import {
  createDispatcher,
  isProxyLoginNeeded,
  NotConnectedError,
  proxyTrouble,
} from '../platform/network/dispatcher';
import { ConnectionError, type RequestName } from './errors';
import { readHttpBody, type HttpBody } from './http-body';
import { sortOutcome, type Operation } from './sort-outcome';

export interface HttpRequest extends RequestName {
  readonly method: Dispatcher.HttpMethod;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData | null;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly mayStillSend?: () => boolean;
}

export interface HttpResponse {
  readonly status: number;
  /** The first value of a header, by its lower case name. */
  readonly header: (name: string) => string | null;
  /** Every value of a header, by its lower case name. */
  readonly headers: (name: string) => readonly string[];
  readonly body: HttpBody;
}

export interface Http {
  send(request: HttpRequest): Promise<HttpResponse>;
  close(): Promise<void>;
}

/** One request that is over, for metrics. */
export interface FinishedCall {
  readonly operation: Operation;
  /** The status of the answer. `cancelled`: Consign no longer needed the answer, which says nothing about the marketplace. */
  readonly status: number | 'noAnswer' | 'cancelled';
  readonly durationMs: number;
}

export interface HttpOptions {
  readonly baseUrl: string;
  readonly defaultTimeoutMs: number;
  /** Called after each request, also one that failed. */
  readonly onCall?: ((call: FinishedCall) => void) | undefined;
  /** Replaces all connections, for tests; then it is unknown whether a connection was made. */
  readonly dispatcher?: Dispatcher;
}

/** The time to send was over when the connection was ready. */
class TooLateError extends Error {
  override readonly name = 'TooLateError';
  readonly code = 'TOO_LATE_TO_SEND';
}

/** All that undici reports of such an answer. */
const PROXY_LOGIN_NEEDED: HttpResponse = {
  status: 407,
  header: () => null,
  headers: () => [],
  body: { kind: 'whole', text: 'the proxy wants a user and a password', isText: true },
};

/**
 * Writes that do harm when repeated use a new connection each. The other side may just have closed a kept connection,
 * and then a lost write could not be distinguished from one that arrived.
 */
const FRESH_CONNECTION: ReadonlySet<Operation> = new Set([
  'createListing',
  'updateListing',
  'deleteListing',
  'uploadListingImage',
  'acceptRate',
]);

interface Line {
  readonly dispatcher: Dispatcher;
  /** Null when that was not observed. */
  readonly connected: () => boolean | null;
  readonly release: () => Promise<void>;
}

function describeFailure(error: unknown, deadline: AbortSignal, timeoutMs: number, caller?: AbortSignal) {
  if (deadline.aborted) return { code: 'DEADLINE', reason: `nothing whole within ${timeoutMs} ms` };
  if (caller?.aborted === true) return { code: 'ABORTED', reason: 'the call was cancelled' };
  const code =
    typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
      ? error.code
      : null;
  const why = code === null ? 'the connection failed' : `the connection failed (${code})`;
  return { code, reason: proxyTrouble(error) ?? why };
}

function valuesOf(header: string | readonly string[] | undefined): readonly string[] {
  if (header === undefined) return [];
  return typeof header === 'string' ? [header] : header;
}

/** One attempt for each call, no redirects, and a deadline from the connection to the last byte. */
export function createHttp(options: HttpOptions): Http {
  const base = new URL(options.baseUrl);
  const prefix = base.pathname.replace(/\/+$/, '');
  const pool = options.dispatcher ?? createDispatcher({ connections: 32 });
  const origin = base.origin;

  function openLine({ operation, mayStillSend = () => true }: HttpRequest): Line {
    if (options.dispatcher !== undefined || !FRESH_CONNECTION.has(operation)) {
      return { dispatcher: pool, connected: () => null, release: async () => {} };
    }
    let connected = false;
    const dispatcher = createDispatcher({
      keepAlive: false,
      onConnected: () => {
        if (!mayStillSend()) return new TooLateError();
        connected = true;
        return null;
      },
    });
    // Destroyed, not closed, because nothing that still waits may be sent after the call has ended.
    return { dispatcher, connected: () => connected, release: async () => await dispatcher.destroy() };
  }

  async function attempt(request: HttpRequest): Promise<HttpResponse> {
    const timeoutMs = request.timeoutMs ?? options.defaultTimeoutMs;
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = request.signal === undefined ? deadline : AbortSignal.any([request.signal, deadline]);
    const line = openLine(request);
    const noAnswer = (error: unknown, connected: boolean | null): ConnectionError => {
      const { code, reason } = describeFailure(error, deadline, timeoutMs, request.signal);
      const outcome = sortOutcome(request.operation, { kind: 'noAnswer', connected });
      return new ConnectionError({ request, outcome, code, reason, cause: error });
    };
    // A request that waits for its connection does not notice the signal.
    signal.addEventListener('abort', () => void line.release(), { once: true });
    const query = request.query.toString();
    try {
      // With a foreign dispatcher this is the only check; Consign's own checks again once connected.
      if (request.mayStillSend?.() === false) throw new TooLateError();
      const response = await line.dispatcher.request({
        origin,
        path: `${prefix}${request.path}${query === '' ? '' : `?${query}`}`,
        method: request.method,
        headers: {
          // A gateway that does not compress cannot garble a refusal. Compressed answers are still decoded.
          'accept-encoding': 'identity',
          ...request.headers,
          ...(FRESH_CONNECTION.has(request.operation) && { connection: 'close' }),
        },
        body: request.body,
        signal,
      });
      const headers = (name: string): readonly string[] => valuesOf(response.headers[name]);
      const header = (name: string): string | null => headers(name)[0] ?? null;
      const coding = { encodings: headers('content-encoding'), contentType: header('content-type') };
      return {
        status: response.statusCode,
        header,
        headers,
        body: await readHttpBody(response.body, coding, (error) => noAnswer(error, true)),
      };
    } catch (error) {
      if (isProxyLoginNeeded(error)) return PROXY_LOGIN_NEEDED;
      const isBefore = error instanceof NotConnectedError || error instanceof TooLateError;
      // An observed connection is certain evidence: after it was made, something may have been sent.
      throw noAnswer(error, line.connected() ?? (isBefore ? false : null));
    } finally {
      await line.release();
    }
  }

  async function send(request: HttpRequest): Promise<HttpResponse> {
    const startedAtMs = performance.now();
    let status: FinishedCall['status'] = 'noAnswer';
    try {
      const answer = await attempt(request);
      status = answer.status;
      return answer;
    } catch (error) {
      if (request.signal?.aborted === true) status = 'cancelled';
      throw error;
    } finally {
      const { operation } = request;
      options.onCall?.({ operation, status, durationMs: performance.now() - startedAtMs });
    }
  }

  return { send, close: async () => (options.dispatcher === undefined ? await pool.destroy() : undefined) };
}
