import { hash } from 'node:crypto';
import { z } from 'zod';
import {
  bookingSaid,
  EVENT_TYPES,
  readClues,
  type EventClues,
  type MarketplaceEvent,
} from '../domain/marketplace-event';
import { described } from '../platform/described';
import { contentDigest } from './digest';
import { refusal, type Refusal } from './refusal';

/** Longer than any format of an instant. */
const MAX_TIME = 64;

/** The CloudEvents envelope (contract: Events). Extra attributes are kept; `time` and `data` may be anything. */
export const envelopeSchema = z.looseObject({
  specversion: described(z.literal('1.0'), 'Version of CloudEvents.'),
  id: described(
    z.string().min(1).max(200),
    'A repeated event has the same id; an event without one is refused.',
  ),
  source: described(z.string().max(2_000), "The sender; may be the listing's address."),
  type: described(
    z.string().min(1).max(200),
    `Known types: ${EVENT_TYPES.join(', ')}. Any other type is passed on too.`,
  ),
  time: described(z.unknown(), 'When it happened.').optional(),
  data: described(z.unknown(), 'Names the listing or the order. A hint: Consign reads the listing.'),
});

export type Verdict =
  | {
      readonly kind: 'event';
      readonly event: MarketplaceEvent;
      readonly clues: EventClues;
      /** False: this version does not know the type of the event, but still passes it on. */
      readonly isKnownType: boolean;
    }
  | Refusal;

/**
 * Reads one envelope. An event without an id is refused, never given one.
 * @param integration whose URL received it: the same id at another URL is another event
 */
export function readEnvelope(envelope: unknown, integration: string): Verdict {
  const parsed = envelopeSchema.safeParse(envelope);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      ({ path, message }) => `${path.join('.') || 'body'}: ${message}`,
    );
    return refusal('noEvent', `not an event of the marketplace: ${problems.join('; ')}`);
  }
  const { id, type, time, source, data } = parsed.data;
  const clues = readClues(source, data);
  const says = typeof data === 'object' && data !== null ? bookingSaid(type, data) : null;
  return {
    kind: 'event',
    event: {
      ...{ id, type, time: timeText(time) },
      ...{ listingIds: clues.listingIds, attachmentIds: clues.attachmentIds },
      key: eventKey([integration, source, id]),
      digest: contentDigest(type, data),
      ...(says === null ? {} : { says }),
      ...(clues.leftOut === null ? {} : { leftOut: clues.leftOut }),
    },
    clues,
    isKnownType: EVENT_TYPES.some((known) => known === type),
  };
}

const timeText = (time: unknown): string =>
  typeof time === 'string' || typeof time === 'number' ? String(time).slice(0, MAX_TIME) : '';

/** 128 bits are enough, and shorter than most identifiers. */
const eventKey = (parts: readonly string[]): string => hash('sha256', JSON.stringify(parts)).slice(0, 32);
