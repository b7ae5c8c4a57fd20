import { gzipSync } from 'node:zlib';
import type { Answer } from './endpoint';
import { codeRule } from './errors';
import type { Fault } from './faults';

type Instead = (fault: Fault) => Answer;
type Spoil = (answer: Answer, fault: Fault) => Answer;

/** Without a body of its own an error status gets the usual error body; an empty text means none at all. */
function scripted(fault: Fault): Answer {
  const { status = 500, body } = fault;
  const usual = status < 400 ? undefined : { reason: `Scripted fault: ${status}.`, errors: [] };
  return { status, headers: headersOf(fault), body: body === undefined ? usual : body };
}

/** `Retry-After` in either form of RFC 9110: seconds, or a date. */
function headersOf({ headers = {}, retryAfter, retryAfterForm }: Fault): Record<string, string> {
  if (retryAfter === undefined) return headers;
  const date = new Date(Date.now() + retryAfter * 1000).toUTCString();
  return { ...headers, 'retry-after': retryAfterForm === 'date' ? date : String(retryAfter) };
}

const refusal =
  (usual: { status: number; reason: string; field?: string }): Instead =>
  (fault) => {
    const { status, reason } = { ...usual, status: fault.status ?? usual.status };
    const field = fault.field ?? usual.field;
    const code = fault.code ?? codeRule;
    const errors = field === undefined ? [] : [{ code, field, reason, severity: 'Error' }];
    return { status, headers: headersOf(fault), body: fault.body ?? { reason, errors } };
  };

/** Answers of faults that keep the endpoint from acting. */
const instead: Partial<Record<Fault['kind'], Instead>> = {
  status: scripted,
  outage: refusal({ status: 503, reason: 'The service is unavailable.' }),
  ipRefused: refusal({
    status: 403,
    reason: 'The IP address 203.0.113.7 is not on the list of allowed addresses.',
  }),
  suspended: refusal({ status: 403, reason: 'The account is suspended.' }),
  cardDeclined: refusal({ status: 400, reason: 'The card was declined.', field: 'paymentMethodId' }),
  cardExpired: refusal({ status: 400, reason: 'The card has expired.', field: 'paymentMethodId' }),
  fieldError: refusal({ status: 400, reason: 'Invalid or missing parameter.', field: 'title' }),
  duplicate: refusal({ status: 400, reason: 'Duplicate: this exists already.', field: 'listing' }),
};

function withoutLocation({ headers = {}, ...answer }: Answer): Answer {
  const { location: _location, ...rest } = headers;
  return { ...answer, headers: rest };
}

function withLocation(answer: Answer, change: (location: string) => string): Answer {
  const location = answer.headers?.['location'];
  return typeof location === 'string'
    ? { ...answer, headers: { ...answer.headers, location: change(location) } }
    : answer;
}

/** What faults make of the answer after the endpoint has acted. */
const spoiling: Partial<Record<Fault['kind'], Spoil>> = {
  statusAfter: (_answer, fault) => scripted(fault),
  garbage: (answer) => ({
    status: answer.status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: '<!doctype html><title>Please wait</title>{"',
  }),
  unreadable: (answer) => ({
    ...answer,
    headers: { ...answer.headers, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: gzipSync('{"message":"a body whose end is missing"}').subarray(0, 12),
  }),
  noLocation: withoutLocation,
  foreignLocation: (answer) =>
    withLocation(
      answer,
      (location) => `https://elsewhere.example${location.replace(/^https?:\/\/[^/]+/u, '')}`,
    ),
  otherLocation: (answer) =>
    withLocation(answer, (location) =>
      location.replace(/\d(?=\D*$)/u, (digit) => String((Number(digit) + 1) % 10)),
    ),
};

/** The answer of a fault that keeps the endpoint from acting; undefined where it acts. */
export const answerInstead = (fault: Fault): Answer | undefined => instead[fault.kind]?.(fault);

/** The answer as the fault lets it out; unchanged by a fault of another kind. */
export const spoilAnswer = (answer: Answer, fault: Fault): Answer =>
  spoiling[fault.kind]?.(answer, fault) ?? answer;
