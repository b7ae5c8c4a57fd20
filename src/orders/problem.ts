/**
 * A certain correction: the author of the document cannot have meant anything else. A correction that is only probably
 * right is a remedy without a fix.
 */
export type Fix =
  | { readonly path: string; readonly value: unknown }
  /** Turns the number at this path into a text with the same digits. */
  | { readonly path: string; readonly asText: true }
  | { readonly path: string; readonly renameTo: string }
  | { readonly path: string; readonly remove: true };

/** One problem of a document, in the terms of its author. */
export interface Problem {
  /** JSON path, such as `$.items[0].size.length`. */
  readonly path: string;
  readonly problem: string;
  /** What the author should do. */
  readonly remedy: string;
  /** Set only when the remedy is certain. */
  readonly fix?: Fix;
}

const isWithin = (path: string, outer: string): boolean =>
  path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);

/** Collects every problem: all are reported at once. */
export class Problems {
  readonly problems: Problem[] = [];
  readonly warnings: Problem[] = [];
  readonly #malformed: string[] = [];

  add(path: string, problem: string, remedy: string, fix?: Fix): void {
    if (!this.#isReported(path)) this.problems.push(toProblem({ path, problem, remedy, fix }));
  }

  warn(path: string, problem: string, remedy: string, fix?: Fix): void {
    if (!this.#isReported(path)) this.warnings.push(toProblem({ path, problem, remedy, fix }));
  }

  /** A malformed place: nothing else is reported about it, inside it or around it. */
  addMalformed(problem: Problem): void {
    this.problems.push(problem);
    this.#malformed.push(problem.path);
  }

  /** Malformed parts are removed before the rest is checked. That they are then missing is not a second problem. */
  #isReported(path: string): boolean {
    return this.#malformed.some((malformed) => isWithin(malformed, path) || isWithin(path, malformed));
  }
}

/** Omits the key `fix` when there is none, because problems are printed as JSON. */
function toProblem({ fix, ...problem }: Omit<Problem, 'fix'> & { readonly fix: Fix | undefined }): Problem {
  return fix === undefined ? problem : { ...problem, fix };
}
