/** What a text names that must not be published. */
type Named = 'account' | 'attachment' | 'event' | 'listing' | 'order' | 'rate';

/** Replaces ids. Equal ids get the same stand-in, such as `listing-1`, and a stand-in does not depend on the text of its id. */
export class StandIns {
  readonly #known = new Map<string, string>();
  readonly #counts = new Map<Named, number>();

  of(named: Named, id: string): string {
    const key = `${named} ${id}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const count = (this.#counts.get(named) ?? 0) + 1;
    this.#counts.set(named, count);
    const standIn = `${named}-${count}`;
    this.#known.set(key, standIn);
    return standIn;
  }
}
