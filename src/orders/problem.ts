/** One thing that is wrong with a document, in the words of whoever wrote it. */
export interface Problem {
  /** JSON path, such as `$.items[0].size.length`. */
  readonly path: string;
  readonly problem: string;
  /** What would be right. */
  readonly remedy: string;
}

/** Collects every problem, so that all are told at once. */
export class Problems {
  readonly problems: Problem[] = [];
  readonly warnings: Problem[] = [];

  add(path: string, problem: string, remedy: string): void {
    this.problems.push({ path, problem, remedy });
  }

  warn(path: string, problem: string, remedy: string): void {
    this.warnings.push({ path, problem, remedy });
  }
}

/** `['items', 0, 'size']` as `$.items[0].size`. */
export function jsonPath(keys: readonly PropertyKey[]): string {
  return keys.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}.${String(key)}`),
    '$',
  );
}
