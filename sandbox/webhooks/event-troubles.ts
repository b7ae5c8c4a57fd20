import { compact, objectOf, type JsonObject } from '../model/json';
import type { SandboxClock } from '../model/clock';
import type { SandboxSwitches } from '../model/switches';
import type { SeededRandom } from '../model/random';
import type { Labels } from '../records/enum-labels';
import type { Occasion, Troubles } from '../troubles/troubles';

/** An event that is not what happened. */
export type OddEvent = 'twin' | 'reusedId' | 'unknownType' | 'unknownStatus';

/** A type and a status that no version of the API has had so far. */
const unknownType = 'Listing.Reconsidered/v1';
const unknownStatus = 'UnderReview';

export interface Envelope {
  readonly envelope: JsonObject;
  readonly trouble?: OddEvent;
}

export interface Parts {
  readonly clock: SandboxClock;
  readonly labels: Labels;
  readonly switches: Readonly<SandboxSwitches>;
  readonly troubles: Troubles;
}

/** What goes wrong with the events themselves, apart from their delivery: their ids, and strangers among them. */
export class EventTroubles {
  readonly #lastIds = new Map<number, unknown>();

  /** @param random gives the ids of the strangers */
  constructor(
    private readonly parts: Parts,
    private readonly random: SeededRandom,
  ) {}

  /**
   * The envelopes that are sent in place of this one; the first is the event itself.
   * @param draws the numbers that decide
   */
  of(
    envelope: JsonObject,
    { listingId, ...occasion }: Occasion & { readonly listingId: number },
    draws: SeededRandom,
  ): readonly [Envelope, ...Envelope[]] {
    const { labels, troubles } = this.parts;
    // All are drawn for every event, so that changing one chance does not move the others.
    const draw = { twin: draws.next(), reusedId: draws.next(), unknownType: draws.next() };
    const drawn: Readonly<Record<OddEvent, number>> = { ...draw, unknownStatus: draws.next() };
    const isStruck = (kind: OddEvent): boolean =>
      troubles.strikeEvent(kind, { ...occasion, listingId }, drawn[kind]) !== undefined;
    const lastId = this.#lastIds.get(listingId);
    const event: Envelope =
      lastId !== undefined && isStruck('reusedId')
        ? { envelope: { ...envelope, id: lastId }, trouble: 'reusedId' }
        : { envelope };
    this.#lastIds.set(listingId, event.envelope['id']);
    const other = (trouble: OddEvent, changes: JsonObject): readonly Envelope[] =>
      isStruck(trouble) ? [{ envelope: { ...envelope, id: this.random.uuid(), ...changes }, trouble }] : [];
    const status = labels.trio(unknownStatus);
    return [
      event,
      ...other('twin', {}),
      ...other('unknownType', { type: unknownType }),
      ...other('unknownStatus', {
        type: 'Listing.StatusChanged/v1',
        data: { ...pointersOf(envelope), status },
      }),
    ];
  }

  clear(): void {
    this.#lastIds.clear();
  }
}

/** References and pointers to the listing, as far as the event has any. */
function pointersOf({ data }: JsonObject): JsonObject {
  const { referenceNumbers, listingUri, listingId } = objectOf(data);
  return compact({ referenceNumbers, listingUri, listingId });
}
