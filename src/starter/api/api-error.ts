import type { ErrorKind } from '../../platform/error-kind';

/** What can be wrong with a request before a method of the client library is called. */
type RequestProblem =
  | 'unauthorized'
  | 'forbidden'
  | 'unknownPath'
  | 'invalidRequest'
  | 'idMismatch'
  | 'documentNotFound'
  | 'tooLarge'
  | 'wrongMediaType'
  | 'tooManyRequests'
  | 'internal';

/** The code of a problem that the API answers with. */
export type ProblemCode = ErrorKind | RequestProblem;

/** One problem of a body, a path or a query. */
export interface FieldProblem {
  /**
   * JSON path in the body, such as `$.items[0].size`; or `query.limit`, `path.account`, `headers.idempotency-key`; of a
   * file with many orders `line 2: $.account` or `line 2, column 3: account`.
   */
  readonly path: string;
  readonly problem: string;
  /** What would be right. */
  readonly remedy: string;
}

/** Thrown to answer a request with a problem. The text contains no personal data and no secret. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly code: ProblemCode,
    detail: string,
    /** Every problem of the request, when it is about its fields. */
    readonly errors: readonly FieldProblem[] = [],
  ) {
    super(detail);
  }
}
