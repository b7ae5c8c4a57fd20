import { gzipSync } from 'node:zlib';
import { compressAnswer } from './answer-bytes';
import type { Answer } from './endpoint';
import { codeRule } from './errors';
import type { Fault } from './faults';

type Instead = (fault: Fault) => Answer;
type Spoil = (answer: Answer, fault: Fault) => Answer;

/** Without a body of its own an error status gets the usual error body; an empty text means none at all. */
function scripted(fault: Fault): Answer {
  const { status = 500 } = fault;
  const reason = `Scripted fault: ${status}.`;
  return worded(fault, { status, reason, usual: status < 400 ? undefined : { reason, errors: [] } });
}

/** The body that the fault gives, a page where its content type is HTML, or the usual body. */
function worded(
  fault: Fault,
  { status, reason, usual }: { readonly status: number; readonly reason: string; readonly usual: unknown },
): Answer {
  const { body, contentType } = fault;
  const other = contentType?.includes('html') === true ? pageOf(reason) : usual;
  return { status, headers: headersOf(fault), body: body === undefined ? other : body };
}

const pageOf = (text: string): string =>
  `<!doctype html><html><head><title>${text}</title></head><body><h1>${text}</h1></body></html>`;

/** `Retry-After` in either form of RFC 9110: seconds, or a date. */
function headersOf(fault: Fault): Record<string, string> {
  const { headers = {}, contentType, retryAfter, retryAfterForm } = fault;
  const typed = contentType === undefined ? headers : { ...headers, 'content-type': contentType };
  if (retryAfter === undefined) return typed;
  const date = new Date(Date.now() + retryAfter * 1000).toUTCString();
  return { ...typed, 'retry-after': retryAfterForm === 'date' ? date : String(retryAfter) };
}

/** A gateway does not find what stands: the marketplace itself never sees the request. */
const falseAbsence: Instead = (fault) =>
  worded(
    { ...fault, contentType: fault.contentType ?? 'text/html; charset=utf-8' },
    { status: 404, reason: 'Not Found', usual: { message: 'Not Found' } },
  );

const refusal =
  (usual: { status: number; reason: string; field?: string }): Instead =>
  (fault) => {
    const { status, reason } = { ...usual, status: fault.status ?? usual.status };
    const field = fault.field ?? usual.field;
    const code = fault.code ?? codeRule;
    const errors = field === undefined ? [] : [{ code, field, reason, severity: 'Error' }];
    return worded(fault, { status, reason, usual: { reason, errors } });
  };

/** Answers of faults that keep the endpoint from acting. */
const instead: Partial<Record<Fault['kind'], Instead>> = {
  status: scripted,
  outage: refusal({ status: 503, reason: 'The service is unavailable.' }),
  falseAbsence,
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
export function spoilAnswer(answer: Answer, fault: Fault): Answer {
  const spoilt = spoiling[fault.kind]?.(answer, fault) ?? answer;
  return fault.encoding === undefined ? spoilt : compressAnswer(spoilt, fault.encoding);
}
