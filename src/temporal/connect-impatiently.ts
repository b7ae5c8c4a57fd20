import { InterceptingCall, status, type Interceptor } from '@grpc/grpc-js';
import {
  Connection,
  defaultGrpcRetryOptions,
  isGrpcServiceError,
  makeGrpcRetryInterceptor,
  type ConnectionOptions,
} from '@temporalio/client';
import { endWhenClosed } from './end-when-closed';

/** How long a call may take before Temporal is asked whether it answers at all, and how long that answer may take. */
const SUSPECT_AFTER_MS = 1_000;
/** The SDK's ten attempts take 21 seconds. These take one: enough for a server that is replaced by another. */
const ATTEMPTS = 4;
const NO_ANSWER = 'Temporal does not answer';
/** What the library says by itself when nothing comes from the server. */
const NO_ANSWERS: ReadonlySet<status> = new Set([
  status.UNAVAILABLE,
  status.DEADLINE_EXCEEDED,
  status.CANCELLED,
]);

/**
 * Connects to Temporal. A call fails within about two seconds while Temporal does not answer at all; while it does, a
 * call may take as long as its deadline allows. Deadlines alone cannot do that: each must be longer than the slowest
 * good answer. And the SDK's retries notice neither a deadline nor an abort between two attempts.
 */
export async function connectImpatiently(options: ConnectionOptions): Promise<Connection> {
  const watch = new OutageWatch();
  const retries = defaultGrpcRetryOptions({ maxAttempts: ATTEMPTS });
  const retry = makeGrpcRetryInterceptor({
    ...retries,
    retryableDecider: (attempt, failed) =>
      failed.details !== NO_ANSWER && retries.retryableDecider(attempt, failed),
  });
  // Those after the first see each attempt.
  const interceptors = [retry, watch.interceptor, endWhenClosed];
  const connection = await Connection.connect({ ...options, interceptors });
  watch.begin(connection);
  return connection;
}

/** Ends calls when Temporal does not answer. */
class OutageWatch {
  private connection: Connection | null = null;
  private answeredAtMs = 0;
  private asking: Promise<boolean> | null = null;

  readonly interceptor: Interceptor = (options, nextCall) => {
    let timer: NodeJS.Timeout | null = null;
    const lookLater = (): void => {
      timer = setTimeout(() => void look(), SUSPECT_AFTER_MS).unref();
    };
    const look = async (): Promise<void> => {
      const isUp = await this.isUp();
      if (timer === null) return;
      if (isUp) lookLater();
      else call.cancelWithStatus(status.UNAVAILABLE, NO_ANSWER);
    };
    const call = new InterceptingCall(nextCall(options), {
      start: (metadata, _listener, next) => {
        lookLater();
        next(metadata, {
          onReceiveStatus: (received, pass) => {
            if (timer !== null) clearTimeout(timer);
            timer = null;
            if (!NO_ANSWERS.has(received.code)) this.answeredAtMs = performance.now();
            pass(received);
          },
        });
      },
    });
    return call;
  };

  /** Until then, the limit for connecting is the only one. */
  begin(connection: Connection): void {
    this.connection = connection;
  }

  /** One question at a time, however many calls wait for its answer. */
  private async isUp(): Promise<boolean> {
    if (this.connection === null) return true;
    this.asking ??= this.ask(this.connection).finally(() => {
      this.asking = null;
    });
    return await this.asking;
  }

  /** @returns whether an answer comes, to this or to any other call: a refusal is one too */
  private async ask(connection: Connection): Promise<boolean> {
    const sinceMs = performance.now();
    try {
      await connection.withDeadline(
        Date.now() + SUSPECT_AFTER_MS,
        async () => await connection.workflowService.getSystemInfo({}),
      );
    } catch (error) {
      // The interceptor has seen whether this is an answer.
      if (!isGrpcServiceError(error)) throw error;
    }
    return this.answeredAtMs >= sinceMs;
  }
}
