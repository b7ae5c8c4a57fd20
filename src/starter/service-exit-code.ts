import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import { ExitCode } from './exit-code';
import { writeErr } from './terminal-text';

/** gRPC's status of a request that cannot be answered as it is, such as a filter that cannot be read. */
const INVALID_ARGUMENT = 3;

/**
 * Temporal refused the request, or went away in the middle of a command: says so.
 * @returns null when the error is not Temporal's
 */
export function serviceExitCode(error: Error): ExitCode | null {
  if (!(error instanceof ServiceError)) return null;
  const { cause } = error;
  const code: number | null = isGrpcServiceError(cause) ? cause.code : null;
  if (isGrpcServiceError(cause) && code === INVALID_ARGUMENT) {
    writeErr(`Temporal cannot take this: ${cause.details}\n`);
    return ExitCode.Invalid;
  }
  const why = cause instanceof Error ? cause.message : error.message;
  writeErr(`Temporal did not answer: ${why}\n`);
  return ExitCode.Unreachable;
}
