/** One entry of the marketplace's error body; codes run from 40000 to 50000. */
export interface ErrorEntry {
  readonly code: number;
  readonly field: string;
  readonly reason: string;
  readonly severity: 'Error';
}

/** A date rule is broken, or the thing exists already. */
export const codeRule = 40_001;
/** A value is missing or not allowed. */
export const codeInvalid = 40_006;
/** Content that looks like a script. */
export const codeScript = 40_010;

export const errorEntry = (field: string, reason: string, code: number = codeInvalid): ErrorEntry => ({
  ...{ code, field, reason },
  severity: 'Error',
});

/** Thrown wherever the marketplace answers with one of its errors. */
export class ApiProblem extends Error {
  constructor(
    readonly status: number,
    readonly reason: string,
    readonly errors: readonly ErrorEntry[] = [],
    /** In place of the usual error body. */
    readonly body?: object,
  ) {
    super(reason);
    this.name = 'ApiProblem';
  }
}

/** The OAuth endpoints have an error body of their own (RFC 6749). */
export const oauthProblem = (status: number, error: string, description: string): ApiProblem =>
  new ApiProblem(status, description, [], { error, error_description: description });

/** One problem, whose reason is that of its only entry. */
export const problemWith = (field: string, reason: string, code?: number): ApiProblem =>
  new ApiProblem(400, 'Invalid or missing parameter.', [errorEntry(field, reason, code)]);

export function unreachable(value: never): never {
  throw new Error(`not expected here: ${JSON.stringify(value)}`);
}
