import { QUESTION_KINDS } from './question';
import type { IsoInstant } from './shipment';

/** Everything that is asked of a person, or shown to one because it waits. */
export const ASKED_KINDS = [
  ...QUESTION_KINDS,
  // Of an event of an order that has ended.
  ...(['bookedAfterEnd', 'openAfterEnd', 'lateAdjustment', 'unclear'] as const),
  // The marketplace's record of a listing.
  'unreadable',
  // What another version of Consign asks.
  'other',
] as const;
export type AskedKind = (typeof ASKED_KINDS)[number];

/** What a workflow asks, for the metrics: mirrored in the memo `asks`. */
export interface Asks {
  readonly kind: AskedKind;
  readonly since: IsoInstant;
}

export const isAskedKind = (kind: unknown): kind is AskedKind => ASKED_KINDS.some((known) => known === kind);
