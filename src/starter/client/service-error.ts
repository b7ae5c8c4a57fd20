import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import { TemporalUnreachableError } from '../../temporal/client-connection';
import { TemporalRefusedError } from './errors';
import { messageOf } from '../../platform/message-of';

/** gRPC's status of an invalid request, such as a filter that cannot be parsed. */
const INVALID_ARGUMENT = 3;

/**
 * Asks Temporal.
 * @throws TemporalUnreachableError when it does not answer
 * @throws TemporalRefusedError when it refuses the request
 */
export async function explained<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw explain(error);
  }
}

/** As `explained`, for each step of an iteration. */
export async function* explainedEach<T>(entries: AsyncIterable<T>): AsyncGenerator<T, void, void> {
  try {
    yield* entries;
  } catch (error) {
    throw explain(error);
  }
}

/** @returns the same error when it is not one of Temporal's service */
function explain(error: unknown): unknown {
  const cause = error instanceof ServiceError ? (error.cause ?? error) : error;
  const code: number | null = isGrpcServiceError(cause) ? cause.code : null;
  if (isGrpcServiceError(cause) && code === INVALID_ARGUMENT)
    return new TemporalRefusedError(`Temporal refused the request: ${cause.details}`, { cause: error });
  if (!(error instanceof ServiceError) && !isGrpcServiceError(error)) return error;
  const why = messageOf(cause);
  return new TemporalUnreachableError(`Temporal did not answer: ${why}`, { cause: error });
}
