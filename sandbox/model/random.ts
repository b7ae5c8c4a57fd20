/** Random numbers that repeat: the same seed gives the same ids, carriers and prices, so a failed run can be run again. */
export class SeededRandom {
  #state: number;

  constructor(seed: string | number) {
    this.#state = hashText(String(seed));
  }

  /** At least 0, less than 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  integer(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  hex(length: number): string {
    return Array.from({ length }, () => this.integer(0, 15).toString(16)).join('');
  }

  uuid(): string {
    const variant = this.integer(8, 11).toString(16);
    return `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-${variant}${this.hex(3)}-${this.hex(12)}`;
  }
}

/**
 * Random numbers that are each subject's own: what one draws does not depend on how many the others drew before. So the
 * same seed gives an order the same accidents however the orders interleave.
 */
export class RandomPerSubject {
  readonly #draws = new Map<string, number>();

  constructor(private readonly seed: string) {}

  /** The numbers of the subject's next draw. */
  next(subject: string): SeededRandom {
    const draw = (this.#draws.get(subject) ?? 0) + 1;
    this.#draws.set(subject, draw);
    return new SeededRandom(`${this.seed} ${subject} ${draw}`);
  }
}

/** A 32-bit number out of a text (FNV-1a). */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}
