import { z } from 'zod';
import {
  bookingSaid,
  EVENT_TYPES,
  readClues,
  type EventClues,
  type MarketplaceEvent,
} from '../domain/marketplace-event';
import { contentDigest } from './digest';

/** The CloudEvents envelope (contract: Events). Extra attributes are kept, `data` may be anything. */
const envelopeSchema = z.looseObject({
  specversion: z.literal('1.0'),
  id: z.string().min(1).max(200),
  source: z.string().max(2_000),
  type: z.string().min(1).max(200),
  time: z.iso.datetime({ offset: true }).max(64),
  data: z.record(z.string(), z.unknown()).optional(),
});

export type Verdict =
  | {
      readonly kind: 'event';
      readonly event: MarketplaceEvent;
      readonly clues: EventClues;
      /** Of a type that this version does not know; it is passed on all the same. */
      readonly isKnownType: boolean;
    }
  | { readonly kind: 'refused'; readonly reason: string };

/** Reads the raw body of a webhook. An event without an id is refused, never given one. */
export function readEnvelope(body: Buffer): Verdict {
  let json: unknown;
  try {
    json = JSON.parse(body.toString('utf8'));
  } catch {
    return { kind: 'refused', reason: 'the body is not JSON' };
  }
  const parsed = envelopeSchema.safeParse(json);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      ({ path, message }) => `${path.join('.') || 'body'}: ${message}`,
    );
    return { kind: 'refused', reason: `not an event of the marketplace: ${problems.join('; ')}` };
  }
  const { id, type, time, source, data } = parsed.data;
  const clues = readClues(source, data ?? {});
  const says = bookingSaid(type, data ?? {});
  return {
    kind: 'event',
    event: {
      ...{ id, type, time, listingIds: clues.listingIds, attachmentIds: clues.attachmentIds },
      digest: contentDigest(type, data ?? {}),
      ...(says === null ? {} : { says }),
      ...(clues.leftOut === null ? {} : { leftOut: clues.leftOut }),
    },
    clues,
    isKnownType: EVENT_TYPES.some((known) => known === type),
  };
}
