import { jsonBytes, keepNewest, LIST_LIMITS } from './bounds';
import { keyOf, type MarketplaceEvent } from './marketplace-event';

/** An event that came before, and a digest of its content. */
export interface SeenDigest {
  readonly id: string;
  readonly digest: string;
}

/** How many events a shipment received. */
export interface EventCounts {
  readonly taken: number;
  readonly doubled: number;
  /** The identifier came before, with other content. */
  readonly quarantined: number;
}

/** What the state keeps of past events, by key. */
export interface SeenEvents {
  readonly seenEventIds: readonly string[];
  readonly seenDigests: readonly SeenDigest[];
  readonly events: EventCounts;
}

/**
 * 64 bits distinguish the contents of events. An attacker who could search for a collision needs the webhook's secret
 * anyway.
 */
const DIGEST_DIGITS = 16;

/** `quarantined`: an event with a known identifier and other content. Consign does not act on it, and reports it. */
export type EventNovelty = 'new' | 'doubled' | 'quarantined';

/**
 * Decides whether an event came before, and counts it. Same identifier and same content, or no content to compare:
 * doubled. Same identifier and other content: quarantined, once for each content. Anything else is new, even content
 * that came under another identifier, because reading the listing again does no harm.
 */
export function classifyEvent(
  { seenEventIds, seenDigests, events }: SeenEvents,
  event: Pick<MarketplaceEvent, 'id' | 'key' | 'digest'>,
): { readonly kind: EventNovelty; readonly seen: SeenEvents } {
  const digest = event.digest?.slice(0, DIGEST_DIGITS) ?? null;
  const id = keyOf(event);
  const kind = noveltyOf({ seenEventIds, seenDigests }, id, digest);
  if (kind === 'doubled') {
    return { kind, seen: { seenEventIds, seenDigests, events: { ...events, doubled: events.doubled + 1 } } };
  }
  const counted =
    kind === 'new'
      ? { ...events, taken: events.taken + 1 }
      : { ...events, quarantined: events.quarantined + 1 };
  return {
    kind,
    seen: {
      seenEventIds: kind === 'new' ? newestIds([...seenEventIds, id]) : seenEventIds,
      seenDigests: digest === null ? seenDigests : newestDigests([...seenDigests, { id, digest }]),
      events: counted,
    },
  };
}

/** Quotes around an id; for a digest also the names of its fields. */
const BYTES_BESIDE_ID = 2;
const BYTES_BESIDE_DIGEST = 24;

const newestIds = (ids: readonly string[]): readonly string[] =>
  keepNewest(ids, LIST_LIMITS.seenEventIds, (id) => jsonBytes(id) + BYTES_BESIDE_ID).kept;

const newestDigests = (digests: readonly SeenDigest[]): readonly SeenDigest[] =>
  keepNewest(
    digests,
    LIST_LIMITS.seenDigests,
    ({ id, digest }) => jsonBytes(id) + jsonBytes(digest) + BYTES_BESIDE_DIGEST,
  ).kept;

function noveltyOf(
  { seenEventIds, seenDigests }: Omit<SeenEvents, 'events'>,
  id: string,
  digest: string | null,
): EventNovelty {
  if (!seenEventIds.includes(id)) return 'new';
  const known = seenDigests.filter((seen) => seen.id === id);
  if (digest === null || known.length === 0) return 'doubled';
  return known.some((seen) => seen.digest === digest) ? 'doubled' : 'quarantined';
}
