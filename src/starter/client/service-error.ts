import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import { ExitCode } from '../../platform/exit-code';
import { UserError } from '../../platform/user-error';

/** gRPC's status of an invalid request, such as a filter that cannot be parsed. */
const INVALID_ARGUMENT = 3;

/**
 * Explains that Temporal refused the request, or became unreachable during a command.
 * @returns null when the error is not Temporal's
 */
export function explainServiceError(error: Error): UserError | null {
  if (!(error instanceof ServiceError)) return null;
  const { cause } = error;
  const code: number | null = isGrpcServiceError(cause) ? cause.code : null;
  if (isGrpcServiceError(cause) && code === INVALID_ARGUMENT)
    return new UserError(`Temporal refused the request: ${cause.details}`, { cause: error });
  const why = cause instanceof Error ? cause.message : error.message;
  return new UserError(`Temporal did not answer: ${why}`, { exitCode: ExitCode.Unreachable, cause: error });
}
