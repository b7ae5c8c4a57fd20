import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { bytesOf, htmlType, pageOf, type Answer } from '../model/answer';
import { codeRule, errorEntry } from '../model/errors';
import type { AnswerTrouble } from './trouble';

interface Refusal {
  readonly status: number;
  readonly reason: string;
  /** Named in the entry of the error body; without it there is no entry. */
  readonly field?: string;
}

/** Troubles that keep the endpoint from acting, with what they answer unless they say otherwise. */
const refusals: Partial<Record<AnswerTrouble['kind'], Refusal>> = {
  outage: { status: 503, reason: 'The service is unavailable.' },
  ipRefused: {
    status: 403,
    reason: 'The IP address 203.0.113.7 is not on the list of allowed addresses.',
  },
  suspended: { status: 403, reason: 'The account is suspended.' },
  cardDeclined: { status: 400, reason: 'The card was declined.', field: 'paymentMethodId' },
  cardExpired: { status: 400, reason: 'The card has expired.', field: 'paymentMethodId' },
  fieldError: { status: 400, reason: 'Invalid or missing parameter.', field: 'title' },
  duplicate: { status: 400, reason: 'Duplicate: this exists already.', field: 'listing' },
};

const unread = '<!doctype html><title>Please wait</title>{"';
const json = 'application/json; charset=utf-8';

/** The body of the trouble, a page where its content type is HTML, or the usual body. */
function worded(trouble: AnswerTrouble, { status, reason }: Refusal, usual: unknown): Answer {
  const { body, contentType } = trouble;
  const other = contentType?.includes('html') === true ? pageOf(reason) : usual;
  return { status, headers: headersOf(trouble), body: body === undefined ? other : body };
}

/** `Retry-After` in either form of RFC 9110: seconds, or a date. */
function headersOf({ headers = {}, contentType, retryAfter, retryAfterForm }: AnswerTrouble) {
  const date = new Date(Date.now() + (retryAfter ?? 0) * 1000).toUTCString();
  return {
    ...headers,
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
    ...(retryAfter === undefined
      ? {}
      : { 'retry-after': retryAfterForm === 'date' ? date : String(retryAfter) }),
  };
}

/** An error status without a body gets the usual error body; an empty text means no body. */
function statusAnswer(trouble: AnswerTrouble): Answer {
  const { status = 500 } = trouble;
  const reason = `Scripted trouble: ${status}.`;
  return worded(trouble, { status, reason }, status < 400 ? undefined : { reason, errors: [] });
}

/** The answer of a trouble that keeps the endpoint from acting; undefined where it acts. */
export function answerInstead(trouble: AnswerTrouble): Answer | undefined {
  const { kind, contentType = htmlType } = trouble;
  if (kind === 'status') return statusAnswer(trouble);
  // A gateway does not find what stands: the marketplace itself never sees the request.
  if (kind === 'falseAbsence')
    return worded(
      { ...trouble, contentType },
      { status: 404, reason: 'Not Found' },
      { message: 'Not Found' },
    );
  const usual = refusals[kind];
  if (usual === undefined) return undefined;
  const { status = usual.status, field = usual.field, code = codeRule } = trouble;
  const { reason } = usual;
  const errors = field === undefined ? [] : [errorEntry(field, reason, code)];
  return worded(trouble, { status, reason }, { reason, errors });
}

function withLocation(answer: Answer, change: (location: string) => string | undefined): Answer {
  const { location, ...others } = answer.headers ?? {};
  const changed = typeof location === 'string' ? change(location) : location;
  return { ...answer, headers: { ...others, ...(changed === undefined ? {} : { location: changed }) } };
}

/** What troubles make of the answer after the endpoint has acted. */
const spoiling: Partial<Record<AnswerTrouble['kind'], (answer: Answer, trouble: AnswerTrouble) => Answer>> = {
  statusAfter: (_answer, trouble) => statusAnswer(trouble),
  garbage: ({ status }) => ({ status, headers: { 'content-type': json }, body: unread }),
  unreadable: (answer) => ({
    ...answer,
    headers: { ...answer.headers, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: compress.broken(Buffer.from('{"message":"a body whose end is missing"}')),
  }),
  noLocation: (answer) => withLocation(answer, () => undefined),
  foreignLocation: (answer) =>
    withLocation(answer, (location) =>
      location.replace(/^(?:https?:\/\/[^/]+)?/u, 'https://elsewhere.example'),
    ),
  otherLocation: (answer) =>
    withLocation(answer, (location) =>
      location.replace(/\d(?=\D*$)/u, (digit) => String((Number(digit) + 1) % 10)),
    ),
};

/** The answer as the trouble lets it out; unchanged by one of another kind. */
export function spoilAnswer(answer: Answer, trouble: AnswerTrouble): Answer {
  const spoilt = spoiling[trouble.kind]?.(answer, trouble) ?? answer;
  return trouble.encoding === undefined ? spoilt : compressAnswer(spoilt, trouble.encoding);
}

type Encoding = NonNullable<AnswerTrouble['encoding']>;
const compress: Readonly<Record<Encoding, (bytes: Buffer) => Buffer>> = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  broken: (bytes) => gzipSync(bytes).subarray(0, 12),
};

/** An answer without a body stays as it is: there is nothing to compress. */
function compressAnswer(answer: Answer, encoding: Encoding): Answer {
  const { bytes, contentType } = bytesOf(answer.body);
  if (bytes.length === 0) return answer;
  const name = encoding === 'broken' ? 'gzip' : encoding;
  return {
    ...answer,
    headers: { 'content-type': contentType, ...answer.headers, 'content-encoding': name },
    body: compress[encoding](bytes),
  };
}
