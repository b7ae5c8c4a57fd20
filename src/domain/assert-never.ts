/** The default branch of a switch over a union: a new member becomes a compile error here. */
export function assertNever(value: never): never {
  throw new TypeError(`unexpected value: ${JSON.stringify(value)}`);
}
