import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { attachmentsNamed, wantAttachments } from '../../../src/domain/documents';
import { applyListing } from '../../../src/domain/listing-progress';
import { EVENT_TYPES, type MarketplaceEvent } from '../../../src/domain/marketplace-event';
import { classifyEvent, type EventNovelty, type SeenEvents } from '../../../src/domain/seen-events';
import { enterPhase, initialState, type ShipmentState } from '../../../src/domain/shipment-state';
import { aFurnitureShipment, aListing } from '../../support/builders';

const NONE: SeenEvents = {
  seenEventIds: [],
  seenDigests: [],
  events: { taken: 0, doubled: 0, quarantined: 0 },
};
type Seen = Pick<MarketplaceEvent, 'id' | 'digest' | 'key'>;

function lookAtAll(
  events: readonly Seen[],
  from: SeenEvents = NONE,
): { kinds: EventNovelty[]; seen: SeenEvents } {
  const kinds: EventNovelty[] = [];
  let seen = from;
  for (const event of events) {
    const look = classifyEvent(seen, event);
    kinds.push(look.kind);
    seen = look.seen;
  }
  return { kinds, seen };
}

const a = 'a'.repeat(64);
const b = 'b'.repeat(64);

test('the same identifier with the same content is doubled', () => {
  const { kinds, seen } = lookAtAll([
    { id: '1', digest: a },
    { id: '1', digest: a },
  ]);
  expect(kinds).toEqual(['new', 'doubled']);
  expect(seen.events).toEqual({ taken: 1, doubled: 1, quarantined: 0 });
});

test('the same identifier with other content is quarantined, once for each content', () => {
  const { kinds, seen } = lookAtAll([
    { id: '1', digest: a },
    { id: '1', digest: b },
    { id: '1', digest: b },
    { id: '1', digest: a },
  ]);
  expect(kinds).toEqual(['new', 'quarantined', 'doubled', 'doubled']);
  expect(seen.events).toEqual({ taken: 1, doubled: 2, quarantined: 1 });
});

test.each<[string, Seen, EventNovelty]>([
  ['of another key and other content', { id: '1', key: 'bolt', digest: b }, 'new'],
  ['of another key and the same content', { id: '1', key: 'bolt', digest: a }, 'new'],
  ['of the same key and other content', { id: '1', key: 'acme', digest: b }, 'quarantined'],
  ['of the same key and content', { id: '1', key: 'acme', digest: a }, 'doubled'],
  ['of no key', { id: '1', digest: b }, 'new'],
])('an event %s is recognised by its key, not by its identifier', (_which, second, kind) => {
  expect(lookAtAll([{ id: '1', key: 'acme', digest: a }, second]).kinds).toEqual(['new', kind]);
});

test('the same content under a new identifier is new', () => {
  const events = ['1', '2'].map((id) => ({ id, digest: a }));
  expect(lookAtAll(events).kinds).toEqual(['new', 'new']);
});

test('without a digest on either side the identifier alone decides', () => {
  expect(lookAtAll([{ id: '1' }, { id: '1', digest: a }, { id: '1' }]).kinds).toEqual([
    'new',
    'doubled',
    'doubled',
  ]);
});

test.each(['__proto__', 'constructor', ''])('%j is an identifier like any other', (id) => {
  expect(
    lookAtAll([
      { id, digest: a },
      { id, digest: b },
    ]).kinds,
  ).toEqual(['new', 'quarantined']);
});

test('every event is counted, and what is kept is bounded', () => {
  const event = fc.record({
    id: fc.nat({ max: 900 }).map(String),
    digest: fc.option(fc.constantFrom(a, b), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 2_000, size: 'max' }), (events) => {
      const { seen } = lookAtAll(
        events.map(({ id, digest }) => (digest === undefined ? { id } : { id, digest })),
      );
      const { taken, doubled, quarantined } = seen.events;
      expect(taken + doubled + quarantined).toBe(events.length);
      expect(seen.seenEventIds.length).toBeLessThanOrEqual(500);
      expect(seen.seenDigests.length).toBeLessThanOrEqual(500);
    }),
    { numRuns: 30 },
  );
});

const LISTING = '273679133';
const AT = '2035-03-06T12:00:00.000Z';
const ATTACHMENT = 'Listing.Attachment.AttachmentAdded/v1';
const cost = { totalCost: { minorUnits: 57_550, currency: 'USD' } };
/** What a reading finds after so many events. */
const RECORDS = [
  aListing({ status: 'Booked' }),
  aListing({ status: 'Booked', transitStatus: 'Dispatched' }),
  aListing({ status: 'Booked', transitStatus: 'PickedUp' }),
  aListing({ status: 'Completed', transitStatus: 'Delivered', ...cost }),
];
const END = RECORDS.at(-1) ?? aListing();

function anEvent(type: string): MarketplaceEvent {
  const attachmentIds = type === ATTACHMENT ? ['proof-of-delivery'] : [];
  return { id: type, type, time: AT, listingIds: [LISTING], attachmentIds, digest: a };
}

/** As the workflow does: each new event is a hint to read the record, which has moved on meanwhile; the sweep ends it. */
function live(types: readonly string[], isRead: (index: number) => boolean): ShipmentState {
  let state = enterPhase(initialState(aFurnitureShipment()), {
    phase: 'awaitingBooking',
    unverified: null,
    listingId: LISTING,
  });
  for (const [index, type] of types.entries()) {
    const event = anEvent(type);
    const { kind, seen } = classifyEvent(state, event);
    state = { ...state, ...seen };
    if (kind === 'doubled') continue;
    const { wantedAttachments } = wantAttachments(state, attachmentsNamed(event, []), AT);
    state = { ...state, wantedAttachments };
    // A burst of events is read once.
    const record = RECORDS[Math.floor((index * RECORDS.length) / types.length)];
    if (record !== undefined && isRead(index)) state = applyListing(state, record, AT);
  }
  return applyListing(state, END, AT);
}

/** All but the story and the order in which identifiers came. */
function outcome(state: ShipmentState): object {
  const { seenEventIds, seenDigests, events } = state;
  const ids = [...new Set(seenEventIds)].sort();
  const same = { timeline: [], seenEventIds: ids, seenDigests: [], events: {} };
  return { ...state, ...same, digests: seenDigests.length, taken: events.taken };
}

test('events in any order, with copies and with bursts that are read once, lead to the same end', () => {
  const expected = outcome(live(EVENT_TYPES, () => true));
  expect(expected).toMatchObject({
    ...{ at: { phase: 'delivered' }, taken: EVENT_TYPES.length, notices: [] },
    listing: { transitStatus: 'Delivered', totalCost: cost.totalCost },
    wantedAttachments: [{ attachmentId: 'proof-of-delivery' }],
  });
  const several = fc
    .array(fc.constantFrom(...EVENT_TYPES), { maxLength: 12 })
    .chain((copies) =>
      fc.shuffledSubarray([...EVENT_TYPES, ...copies], { minLength: EVENT_TYPES.length + copies.length }),
    );
  fc.assert(
    fc.property(several, fc.array(fc.boolean(), { minLength: 19, maxLength: 19 }), (types, reads) => {
      const end = live(types, (index) => reads[index] === true);
      expect(outcome(end)).toEqual(expected);
      expect(end.events.doubled).toBe(types.length - EVENT_TYPES.length);
    }),
  );
});
