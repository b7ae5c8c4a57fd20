import type { FastifyError } from 'fastify';
import { problemPage } from '../../domain/docs-page';
import { UserError } from '../../platform/user-error';
import { NotConfirmedError, SeveralListingsError } from '../client/errors';
import { OrderConflictError } from '../client/order-conflict';
import { ApiError, type FieldProblem, type ProblemCode } from './api-error';

/** A problem as RFC 9457 describes it, with the code of Consign. */
export interface ProblemDetails {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ProblemCode;
  readonly errors?: readonly FieldProblem[];
  /** Why an order id may not be used again. */
  readonly reason?: OrderConflictError['reason'];
  /** The question of an answer that is not confirmed: name it when you repeat the answer. */
  readonly questionId?: string;
  /** Listings of which one must be named. */
  readonly listingIds?: readonly (string | null)[];
}

interface Outcome {
  readonly status: number;
  readonly title: string;
}

/** How the API answers each problem. */
export const OUTCOMES: Readonly<Record<ProblemCode, Outcome>> = {
  invalidInput: { status: 400, title: 'An argument is invalid' },
  invalidRequest: { status: 400, title: 'The request is invalid' },
  unauthorized: { status: 401, title: 'A valid token is needed' },
  forbidden: { status: 403, title: 'The token does not allow this' },
  notFound: { status: 404, title: 'No such shipment' },
  documentNotFound: { status: 404, title: 'No such document' },
  unknownPath: { status: 404, title: 'No such path' },
  conflict: { status: 409, title: 'The order id may not be used again' },
  ended: { status: 409, title: 'The shipment has ended' },
  failed: { status: 409, title: 'The shipment failed' },
  noQuestion: { status: 409, title: 'No question is open' },
  staleQuestion: { status: 409, title: 'Another question is open' },
  refused: { status: 409, title: 'The shipment or its account refused the request' },
  nothingToAcknowledge: { status: 409, title: 'Nothing needs to be acknowledged' },
  severalListings: { status: 409, title: 'Several listings need a person' },
  tooLarge: { status: 413, title: 'The body is too large' },
  wrongMediaType: { status: 415, title: 'The body is not JSON' },
  invalidOrder: { status: 422, title: 'The order is invalid' },
  idMismatch: { status: 422, title: 'The path names another order than the body' },
  keyReused: { status: 422, title: 'The idempotency key belongs to another request' },
  tooManyRequests: { status: 429, title: 'Too many requests' },
  temporalRefused: { status: 400, title: 'Temporal refused the request' },
  noAnswer: { status: 502, title: 'The marketplace did not answer' },
  noWorker: { status: 503, title: 'No worker takes the task' },
  notConfirmed: { status: 503, title: 'Temporal did not confirm the request in time' },
  temporalUnreachable: { status: 503, title: 'Temporal does not answer' },
  fileStore: { status: 500, title: 'A file cannot be stored or read' },
  invalidSettings: { status: 500, title: 'The API is not configured correctly' },
  invalidAccounts: { status: 500, title: 'The API is not configured correctly' },
  processFailed: { status: 500, title: 'The API failed' },
  internal: { status: 500, title: 'The API failed' },
};

/** When to send a request again that was answered with 503. */
export const RETRY_AFTER_SECONDS = 5;

/** The refusals of Fastify and its plugins, by status. */
const REFUSALS: ReadonlyMap<number, readonly [ProblemCode, string]> = new Map([
  [400, ['invalidRequest', 'The request cannot be read. Send JSON.']],
  [
    413,
    [
      'tooLarge',
      'The body is too large. Put one order into it, and name its images instead of embedding them; split a file of many orders.',
    ],
  ],
  [414, ['invalidRequest', 'A part of the path is too long.']],
  [
    415,
    [
      'wrongMediaType',
      'Send the body as application/json; many orders as text/csv or application/x-ndjson to /imports.',
    ],
  ],
  [429, ['tooManyRequests', 'Wait for as many seconds as Retry-After says, then send the request again.']],
]);

const INTERNAL = new ApiError(
  'internal',
  'The API failed. Its log says why. It is unknown whether the request took effect: send it again.',
);

/** What to answer to a request that ended with this error. Errors that are no problem of the caller say nothing more. */
export function problemOf(error: unknown): ProblemDetails {
  if (error instanceof ApiError) return details(error.code, error.message, withErrors(error.errors));
  if (error instanceof UserError) return details(error.kind, textOf(error), membersOf(error));
  if (isFastifyError(error)) {
    if (error.validation !== undefined)
      return details('invalidRequest', 'The request is invalid.', withErrors(fieldProblems(error)));
    const [code, detail] = REFUSALS.get(error.statusCode ?? 500) ?? [];
    if (code !== undefined && detail !== undefined) return details(code, detail);
  }
  return details(INTERNAL.code, INTERNAL.message);
}

function details(code: ProblemCode, detail: string, members: Partial<ProblemDetails> = {}): ProblemDetails {
  const { status, title } = OUTCOMES[code];
  // The reason of a failure here names files and addresses that are nobody's business.
  return {
    // From the root of the API, which serves the page.
    type: `/${problemPage(code)}`,
    title,
    status,
    code,
    detail: status === 500 ? INTERNAL.message : detail,
    ...members,
  };
}

const withErrors = (errors: readonly FieldProblem[]): Partial<ProblemDetails> =>
  errors.length === 0 ? {} : { errors };

/** Without what `explain` of a conflict adds: who withdrew the order, and why. */
const textOf = ({ message, hint }: UserError): string => (hint === null ? message : `${message} ${hint}`);

function membersOf(error: UserError): Partial<ProblemDetails> {
  if (error instanceof OrderConflictError) return { reason: error.reason };
  if (error instanceof SeveralListingsError) return { listingIds: error.listingIds };
  if (error instanceof NotConfirmedError && error.questionId !== null)
    return { questionId: error.questionId };
  return {};
}

const isFastifyError = (error: unknown): error is FastifyError =>
  error instanceof Error && ('statusCode' in error || 'validation' in error);

const ROOTS: Readonly<Record<string, string>> = {
  body: '$',
  querystring: 'query',
  params: 'path',
  headers: 'headers',
};

/** The messages of the schemas never contain a value. */
function fieldProblems({ validation = [], validationContext = 'body' }: FastifyError): FieldProblem[] {
  const root = ROOTS[validationContext] ?? validationContext;
  return validation.map(({ instancePath, message }) => {
    const names = instancePath.split('/').filter((name) => name !== '');
    const path = names.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`)).join('');
    const problem = message ?? 'is invalid';
    return { path: `${root}${path}`, problem, remedy: 'send what /openapi.json describes' };
  });
}
