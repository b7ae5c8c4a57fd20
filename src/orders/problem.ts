/** One thing that is wrong with a document, in the words of whoever wrote it. */
export interface Problem {
  /** JSON path, such as `$.items[0].size.length`. */
  readonly path: string;
  readonly problem: string;
  /** What would be right. */
  readonly remedy: string;
}

const isWithin = (path: string, outer: string): boolean =>
  path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);

/** Collects every problem, so that all are told at once. */
export class Problems {
  readonly problems: Problem[] = [];
  readonly warnings: Problem[] = [];
  readonly #malformed: string[] = [];

  add(path: string, problem: string, remedy: string): void {
    if (!this.#isTold(path)) this.problems.push({ path, problem, remedy });
  }

  warn(path: string, problem: string, remedy: string): void {
    if (!this.#isTold(path)) this.warnings.push({ path, problem, remedy });
  }

  /** A place that does not even have the form of what belongs there: nothing else is told of it or around it. */
  addMalformed(path: string, problem: string, remedy: string): void {
    this.problems.push({ path, problem, remedy });
    this.#malformed.push(path);
  }

  /** What was malformed is taken out before the rest is checked; that it is then missing is no second problem. */
  #isTold(path: string): boolean {
    return this.#malformed.some((told) => isWithin(told, path) || isWithin(path, told));
  }
}

/** `['items', 0, 'size']` as `$.items[0].size`. */
export function jsonPath(keys: readonly PropertyKey[]): string {
  return keys.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}.${String(key)}`),
    '$',
  );
}
