import { ConnectionError, type RequestName } from './errors';

/** A caller that gives up must not cancel what other callers wait for. */
export async function rejectOnAbort<T>(
  flight: Promise<T>,
  request: RequestName,
  signal?: AbortSignal,
): Promise<T> {
  if (signal === undefined) return await flight;
  return await new Promise<T>((resolve, reject) => {
    const abort = (): void => {
      const reason = 'the call was cancelled while it waited to be signed in';
      reject(
        new ConnectionError({ request, outcome: 'notSent', code: 'ABORTED', reason, cause: signal.reason }),
      );
    };
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    flight.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
