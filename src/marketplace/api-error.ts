import { requestIdOf, retryAfterMsOf } from './api-response';
import { readErrorBody } from './error-body';
import { ApiError, UnexpectedResponseError, type RequestName } from './errors';
import type { HttpResponse } from './http';
import { hintsOf } from './refusal-hints';
import { redactError, type Sent } from './redact';
import { sortOutcome } from './sort-outcome';
import { unreadableReason } from './unreadable';

interface ErrorContext {
  readonly sent: Sent;
  readonly renewable: boolean;
}

/** The error for an answer without a success status. */
export function apiError(
  request: RequestName,
  answer: HttpResponse,
  { sent, renewable }: ErrorContext,
): ApiError | UnexpectedResponseError {
  const { status } = answer;
  const reading = readErrorBody(answer.body.kind === 'whole' ? answer.body.text : '');
  const reasons = [reading.reason, ...reading.fields.flatMap(({ field, reason }) => [field, reason])].join(
    ' ',
  );
  const unreadable = unreadableReason(answer);
  const isReadable = unreadable === null;
  const outcome = sortOutcome(request.operation, { kind: 'answer', status, reasons, renewable, isReadable });
  // Redirects are never followed: repeating a write at another address would be a second attempt.
  if (status < 400) {
    return new UnexpectedResponseError({
      request,
      outcome,
      status,
      expected: 'an answer and no redirect',
    });
  }
  const { codes, fields, problems, words } = redactError(reading, status, sent);
  const retryAfterMs = retryAfterMsOf(answer);
  // Why the refusal is in doubt.
  const isDoubted = outcome === 'inDoubt' && status < 500;
  const doubted = isDoubted && unreadable !== null ? [unreadable] : [];
  return new ApiError({
    request,
    outcome,
    status,
    requestId: requestIdOf(answer, sent),
    retryAfterMs,
    isReadable,
    codes,
    fields,
    words,
    reasons: [...problems, ...hintsOf(reasons), ...doubted],
  });
}
