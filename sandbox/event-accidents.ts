import type { EventAccident } from './delivery-counts';
import { compact, objectOf, type JsonObject } from './json';
import type { SeededRandom } from './random';
import type { SandboxSwitches } from './switches';
import type { Wording } from './wording';

interface Parts {
  /** Gives the ids of the strangers. */
  readonly random: SeededRandom;
  readonly switches: Readonly<SandboxSwitches>;
  readonly wording: Wording;
}

/** A type and a status that no version of the API has had so far. */
const [unknownType, unknownStatus] = ['Listing.Reconsidered/v1', 'UnderReview'];

export interface Envelope {
  readonly envelope: JsonObject;
  readonly accident?: EventAccident;
}

/** What goes wrong with the events themselves, apart from their delivery: their ids, and strangers among them. */
export class EventAccidents {
  readonly #lastIds = new Map<number, unknown>();

  constructor(private readonly parts: Parts) {}

  /**
   * The envelopes that are sent in place of this one; the first is the event itself.
   * @param draws the numbers that decide
   */
  of(envelope: JsonObject, listingId: number, draws: SeededRandom): readonly [Envelope, ...Envelope[]] {
    const { random, switches, wording } = this.parts;
    // All are drawn for every event, so that changing one share does not move the others.
    const [twin, reused, type, status] = [draws.next(), draws.next(), draws.next(), draws.next()];
    const lastId = this.#lastIds.get(listingId);
    const isReused = lastId !== undefined && reused < switches.webhookReusedIds;
    const event: Envelope = isReused
      ? { envelope: { ...envelope, id: lastId }, accident: 'reusedId' }
      : { envelope };
    this.#lastIds.set(listingId, event.envelope['id']);
    const other = (accident: EventAccident, changes: JsonObject): Envelope => ({
      envelope: { ...envelope, id: random.uuid(), ...changes },
      accident,
    });
    const statusChange = {
      type: 'Listing.StatusChanged/v1',
      data: { ...pointersOf(envelope), status: wording.trio(unknownStatus) },
    };
    return [
      event,
      ...(twin < switches.webhookTwins ? [other('twin', {})] : []),
      ...(type < switches.webhookUnknownTypes ? [other('unknownType', { type: unknownType })] : []),
      ...(status < switches.webhookUnknownStatuses ? [other('unknownStatus', statusChange)] : []),
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
