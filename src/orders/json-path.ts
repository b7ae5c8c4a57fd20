const PLAIN_KEY = /^[A-Za-z_$][\w$-]*$/;

/** `['items', 0, 'size']` as `$.items[0].size`; a key that would be misread is put in brackets and quotes. */
export function jsonPath(keys: readonly PropertyKey[]): string {
  return keys.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    const name = String(key);
    return PLAIN_KEY.test(name) ? `${text}.${name}` : `${text}[${JSON.stringify(name)}]`;
  }, '$');
}

const STEP = /\.([A-Za-z_$][\w$-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/gy;

/** The keys of a path that `jsonPath` wrote. @throws RangeError for any other text */
export function keysOf(path: string): (string | number)[] {
  const keys: (string | number)[] = [];
  let end = 1;
  for (const [step, name, index, quoted] of path.slice(1).matchAll(STEP)) {
    end += step.length;
    if (index !== undefined) keys.push(Number(index));
    else keys.push(name ?? String(JSON.parse(quoted ?? '""')));
  }
  if (!path.startsWith('$') || end !== path.length) throw new RangeError(`${path} is not a JSON path`);
  return keys;
}
