import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import { ExitCode } from '../../platform/exit-code';
import { UserError } from '../../platform/user-error';

/** gRPC's status of a request that cannot be answered as it is, such as a filter that cannot be read. */
const INVALID_ARGUMENT = 3;

/**
 * Temporal refused the request, or went away in the middle of a command.
 * @returns null when the error is not Temporal's
 */
export function explainServiceError(error: Error): UserError | null {
  if (!(error instanceof ServiceError)) return null;
  const { cause } = error;
  const code: number | null = isGrpcServiceError(cause) ? cause.code : null;
  if (isGrpcServiceError(cause) && code === INVALID_ARGUMENT)
    return new UserError(`Temporal cannot take this: ${cause.details}`, { cause: error });
  const why = cause instanceof Error ? cause.message : error.message;
  return new UserError(`Temporal did not answer: ${why}`, { exitCode: ExitCode.Unreachable, cause: error });
}
