import { isAlias, isMap, isScalar, isSeq, type Node, type Scalar, type YAMLMap } from 'yaml';
import { jsonPath } from './json-path';
import type { Problem } from './problem';

/**
 * Texts that people often write without quotes, and whose digits are not a number: 02110 is not 2110, and 0x46 is not
 * freight class 70. Money is parsed from text, too. They are read exactly as written.
 */
const DIGIT_TEXTS: readonly string[] = ['postalCode', 'freightClass', 'amount'];

interface Anchored {
  readonly node: Node;
  value: unknown;
  /** Null while it is being read: an alias to it would never end. */
  bytes: number | null;
}

type Keys = readonly (string | number)[];

export interface PlainValue {
  readonly value: unknown;
  /** About the size of its JSON, without the time and memory that writing it would take. */
  readonly bytes: number;
  readonly problems: readonly Problem[];
}

/** The plain JSON of a parsed document. The time depends on the size of the text, not on what its aliases expand to. */
export function plainValue(root: Node | null, lineAt: (offset: number) => number): PlainValue {
  const reader = new PlainReader(lineAt);
  return { value: reader.read(root, []), bytes: reader.bytes, problems: reader.problems };
}

class PlainReader {
  bytes = 0;
  readonly problems: Problem[] = [];
  readonly #anchors = new Map<string, Anchored>();

  constructor(private readonly lineAt: (offset: number) => number) {}

  read(node: unknown, keys: Keys): unknown {
    if (isAlias(node)) return this.#readAlias(node.source, keys, node);
    const anchored = this.#anchor(node);
    const before = this.bytes;
    const value = this.#readNode(node, keys);
    if (anchored !== null) {
      anchored.value = value;
      anchored.bytes = this.bytes - before;
    }
    return value;
  }

  #anchor(node: unknown): Anchored | null {
    if (!(isScalar(node) || isMap(node) || isSeq(node)) || node.anchor === undefined) return null;
    const anchored: Anchored = { node, value: undefined, bytes: null };
    this.#anchors.set(node.anchor, anchored);
    return anchored;
  }

  #readNode(node: unknown, keys: Keys): unknown {
    if (isMap(node)) return this.#readMap(node, keys);
    if (isSeq(node)) {
      this.bytes += 2 + node.items.length;
      return node.items.map((item, index) => this.read(item, [...keys, index]));
    }
    const value = isScalar(node) ? scalarValue(node, keys.at(-1)) : null;
    this.bytes += Buffer.byteLength(JSON.stringify(value) ?? 'null');
    return value;
  }

  #readAlias(name: string, keys: Keys, alias: Node): unknown {
    const found = this.#anchors.get(name);
    if (found === undefined) {
      this.#report(keys, `the alias *${name} has no anchor before it`, 'write the value itself', alias);
      return null;
    }
    if (found.bytes === null) {
      this.#report(keys, `the alias *${name} refers to itself`, 'write the value itself', alias);
      return null;
    }
    this.bytes += found.bytes;
    return isScalar(found.node) ? scalarValue(found.node, keys.at(-1)) : found.value;
  }

  #readMap(map: YAMLMap, keys: Keys): Record<string, unknown> {
    const value: Record<string, unknown> = {};
    this.bytes += 2;
    for (const { key: keyNode, value: inner } of map.items) {
      const key = this.#readKey(keyNode, keys);
      if (key === null) continue;
      const at = [...keys, key];
      this.bytes += 2;
      if (Object.hasOwn(value, key)) {
        this.#report(at, 'is given twice', 'remove one of the two', keyNode);
      }
      // An assignment to `__proto__` would not set a key.
      const read = this.read(inner, at);
      Object.defineProperty(value, key, {
        value: read,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return value;
  }

  /** Null where the key is not a text. */
  #readKey(node: unknown, keys: Keys): string | null {
    if (isScalar(node)) {
      // Read the key as a value too: it may have an anchor, and its size counts.
      this.read(node, keys);
      return typeof node.value === 'string' ? node.value : sourceOf(node);
    }
    this.#report(keys, 'a key is not a text', 'write keys as plain words', node);
    return null;
  }

  #report(keys: Keys, problem: string, remedy: string, node: unknown): void {
    const offset =
      isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range?.[0] : undefined;
    const where = offset === undefined ? '' : ` (line ${this.lineAt(offset)})`;
    this.problems.push({ path: jsonPath(keys), problem: `${problem}${where}`, remedy });
  }
}

const sourceOf = (node: Scalar): string => node.source ?? String(node.value);

function scalarValue(node: Scalar, key: string | number | undefined): unknown {
  const isDigitText = typeof node.value === 'number' && DIGIT_TEXTS.includes(String(key));
  return isDigitText ? sourceOf(node) : node.value;
}
