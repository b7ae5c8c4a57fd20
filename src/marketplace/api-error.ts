import { requestIdOf, retryAfterMsOf } from './answer';
import { readErrorBody } from './error-body';
import { ApiError, UnexpectedResponseError, type RequestName } from './errors';
import type { HttpAnswer } from './http';
import { redactReading } from './redact';
import { sortOutcome } from './sort-outcome';
import { unreadableReason } from './unreadable';

interface ErrorContext {
  readonly secrets: readonly string[];
  readonly renewable: boolean;
}

/** The error of an answer whose status is not one of success. */
export function apiError(
  request: RequestName,
  answer: HttpAnswer,
  { secrets, renewable }: ErrorContext,
): ApiError | UnexpectedResponseError {
  const { status } = answer;
  const reading = readErrorBody(answer.body.kind === 'whole' ? answer.body.text : '');
  const reasons = [reading.reason, ...reading.fields.flatMap(({ field, reason }) => [field, reason])].join(
    ' ',
  );
  const unreadable = unreadableReason(answer);
  const isReadable = unreadable === null;
  const outcome = sortOutcome(request.operation, { kind: 'answer', status, reasons, renewable, isReadable });
  const requestId = requestIdOf(answer);
  // Redirects are never followed: a repeated write at another address would be a second attempt.
  if (status < 400) {
    return new UnexpectedResponseError({
      request,
      outcome,
      status,
      requestId,
      expected: 'an answer and no redirect',
    });
  }
  const shown = redactReading(reading, secrets);
  const retryAfterMs = retryAfterMsOf(answer);
  // Why a refusal is not believed; in any other case the page's own words say enough.
  const isDoubted = outcome === 'inDoubt' && status < 500;
  const reason = [shown.reason, isDoubted ? unreadable : null].filter((text) => text !== null).join('; ');
  return new ApiError({
    request,
    outcome,
    status,
    requestId,
    retryAfterMs,
    isReadable,
    ...shown,
    reason: reason === '' ? null : reason,
  });
}
