/**
 * A correction that is certain: nobody who wrote the document can have meant anything else. What would only
 * probably be right is a remedy and no fix.
 */
export type Fix =
  | { readonly path: string; readonly value: unknown }
  /** The number that stands there, as a text with the digits that were written. */
  | { readonly path: string; readonly asText: true }
  | { readonly path: string; readonly renameTo: string }
  | { readonly path: string; readonly remove: true };

/** One thing that is wrong with a document, in the words of whoever wrote it. */
export interface Problem {
  /** JSON path, such as `$.items[0].size.length`. */
  readonly path: string;
  readonly problem: string;
  /** What would be right. */
  readonly remedy: string;
  /** Only where the remedy is certain. */
  readonly fix?: Fix;
}

const isWithin = (path: string, outer: string): boolean =>
  path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);

/** Collects every problem, so that all are told at once. */
export class Problems {
  readonly problems: Problem[] = [];
  readonly warnings: Problem[] = [];
  readonly #malformed: string[] = [];

  add(path: string, problem: string, remedy: string, fix?: Fix): void {
    if (!this.#isTold(path)) this.problems.push(toProblem({ path, problem, remedy, fix }));
  }

  warn(path: string, problem: string, remedy: string, fix?: Fix): void {
    if (!this.#isTold(path)) this.warnings.push(toProblem({ path, problem, remedy, fix }));
  }

  /** A place that does not even have the form of what belongs there: nothing else is told of it or around it. */
  addMalformed(problem: Problem): void {
    this.problems.push(problem);
    this.#malformed.push(problem.path);
  }

  /** What was malformed is taken out before the rest is checked; that it is then missing is no second problem. */
  #isTold(path: string): boolean {
    return this.#malformed.some((told) => isWithin(told, path) || isWithin(path, told));
  }
}

/** Without a key for a fix that there is not: problems are printed as JSON. */
function toProblem({ fix, ...problem }: Omit<Problem, 'fix'> & { readonly fix: Fix | undefined }): Problem {
  return fix === undefined ? problem : { ...problem, fix };
}
