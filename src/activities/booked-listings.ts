import { Context } from '@temporalio/activity';
import type { PollPace } from '../domain/policy';
import { compareTracking, type KnownContacts, type Tracking, type TrackingMark } from '../domain/tracking';
import { poll, watch } from './reads-and-polls';
import type { ActivityDependencies, ListingInput } from './dependencies';
import { pendingUntilReady, pendingUntilReadable, type PollDocumentInput } from './not-ready';

/** Bounds the contacts, because a state is queried often and a payload has a limit. */
const MAX_CONTACTS_LENGTH = 16_384;

export interface WatchTrackingInput extends ListingInput {
  /** Null returns the first reading. */
  readonly known: TrackingMark | null;
  readonly pace: PollPace;
  /** False: the tracking was just read. */
  readonly isDue: boolean;
  /** When a new position alone becomes news, counted from the start of the watch. */
  readonly positionDueInMs: number;
}

export function createBookedListingActivities({ marketplaceOf }: ActivityDependencies) {
  /** GET /v2/listings/{listingId}/track, until there is news. */
  async function watchTracking(input: WatchTrackingInput): Promise<Tracking> {
    const { account, listingId, known, pace, isDue, positionDueInMs } = input;
    const { currentAttemptScheduledTimestampMs, scheduledTimestampMs } = Context.current().info;
    // Both times come from the server's clock.
    const isPositionDue = currentAttemptScheduledTimestampMs - scheduledTimestampMs >= positionDueInMs;
    return await watch<Tracking>({ pace, isDue }, async (call) => {
      const reading = await pendingUntilReady('tracking', () =>
        marketplaceOf(account).getTracking(listingId, call),
      );
      if (reading.kind === 'pending' || known === null) return reading;
      const change = compareTracking(known, reading.value);
      if (change === 'news' || (change === 'position' && isPositionDue)) return reading;
      return { kind: 'pending', saw: `unchanged but for its position: ${known.place ?? 'no place'}` };
    });
  }

  /**
   * GET /v2/listings/{listingId}/contacts, until they are ready. Their inner fields are not documented, so they are
   * kept unchanged; `known` stands for contacts that are too large to keep.
   */
  async function pollContacts({ account, listingId, pace }: PollDocumentInput): Promise<KnownContacts> {
    const contacts = await poll(pace, (call) =>
      pendingUntilReadable('contacts', () => marketplaceOf(account).getListingContacts(listingId, call)),
    );
    return JSON.stringify(contacts).length > MAX_CONTACTS_LENGTH ? 'known' : contacts;
  }

  return { watchTracking, pollContacts };
}
