import type { SandboxSwitches } from './switches';

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

/** Thrown wherever the marketplace answers with an error of its own. */
export class ApiProblem extends Error {
  constructor(
    readonly status: number,
    readonly reason: string,
    readonly errors: readonly ErrorEntry[] = [],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(reason);
    this.name = 'ApiProblem';
  }
}

/** Thrown by the OAuth endpoints, which have an error body of their own (RFC 6749). */
export class OAuthProblem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly description: string,
  ) {
    super(description);
    this.name = 'OAuthProblem';
  }
}

/** The contract does not show the error body; each form that was met is a value of the switch `errorBody`. */
export function errorBody(
  problem: { reason: string; errors: readonly ErrorEntry[] },
  form: SandboxSwitches['errorBody'],
): { contentType: string; body: unknown } {
  const json = 'application/json; charset=utf-8';
  switch (form) {
    case 'reason':
      return { contentType: json, body: { reason: problem.reason, errors: problem.errors } };
    case 'developerMessage':
      return {
        contentType: json,
        body: {
          errors: problem.errors.map(({ code, field, reason }) => ({
            errorCode: code,
            field,
            developerMessage: reason,
            userMessage: problem.reason,
          })),
        },
      };
    case 'message':
      return { contentType: json, body: { message: problem.reason } };
    case 'html':
      return {
        contentType: 'text/html; charset=utf-8',
        body: `<html><head><title>${problem.reason}</title></head><body><h1>${problem.reason}</h1></body></html>`,
      };
    case 'empty':
      return { contentType: json, body: undefined };
    default:
      return unreachable(form);
  }
}

export function unreachable(value: never): never {
  throw new Error(`not expected here: ${JSON.stringify(value)}`);
}
