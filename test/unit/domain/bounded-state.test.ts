import { unreadIds } from '../../../src/domain/candidates';
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { boundedTracking } from '../../../src/domain/bounded-record';
import {
  addWarning,
  excludeRate,
  keepRates,
  keepUnread,
  noRoomToBook,
} from '../../../src/domain/bounded-state';
import { BOOKING_TRACES, LIST_LIMITS, TEXT_BYTES } from '../../../src/domain/bounds';
import { wantAttachments } from '../../../src/domain/documents';
import type { ListingRecord } from '../../../src/domain/listing';
import { applyListing } from '../../../src/domain/listing-progress';
import { boundedEvent, type MarketplaceEvent } from '../../../src/domain/marketplace-event';
import type { LtlRate } from '../../../src/domain/rate';
import { classifyEvent } from '../../../src/domain/seen-events';
import {
  enterPhase,
  initialState,
  keepLoad,
  addTimeline,
  type ShipmentState,
} from '../../../src/domain/shipment-state';
import { aBeside, aFurnitureShipment, aLeft, aListing, aRate } from '../../support/builders';
import { fuzzing } from '../../support/fuzzing';

const AT = '2035-03-01T12:00:00.000Z';
const BOOKED = enterPhase(initialState(aFurnitureShipment()), { phase: 'booked', listingId: '1' });
const MAX_STATE_BYTES = 200_000;

const anyText = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom('x'.repeat(3_000), '運'.repeat(2_000), '"'.repeat(2_500), '\ud83d'.repeat(900)),
);
const anyId = fc.oneof(fc.nat().map(String), anyText);
const anyEvent: fc.Arbitrary<MarketplaceEvent> = fc.record({
  id: anyId,
  type: anyText,
  time: anyText,
  listingIds: fc.array(anyId, { maxLength: 40 }),
  attachmentIds: fc.array(anyId, { maxLength: 40 }),
  digest: anyText,
});
const anyRecord: fc.Arbitrary<ListingRecord> = fc
  .record({
    title: anyText,
    status: fc.option(anyText),
    transitStatus: fc.option(anyText),
    paymentStatus: fc.option(anyText),
    cancellationLink: fc.option(anyText),
    checksum: fc.option(anyText),
    billOfLadingNumber: fc.option(anyText),
    carrier: fc.option(fc.record({ userId: fc.option(anyText), displayName: anyText })),
    postalCodes: fc.array(anyText, { maxLength: 60 }),
    referenceNumbers: fc.array(fc.record({ number: anyText, type: anyText, label: fc.option(anyText) }), {
      maxLength: 60,
    }),
  })
  .map((parts) => ({ ...aListing(), ...parts }));
const anyRate: fc.Arbitrary<LtlRate> = fc
  .record({ rateId: anyText, serviceType: fc.option(anyText) })
  .map((parts) => aRate(parts));

type Happening = (state: ShipmentState) => ShipmentState;

function hear(state: ShipmentState, heard: MarketplaceEvent): ShipmentState {
  const event = boundedEvent(heard);
  const seen = { ...state, ...classifyEvent(state, event).seen };
  const wanted = wantAttachments(seen, event.attachmentIds ?? [], AT);
  return keepUnread({ ...seen, wantedAttachments: wanted.wantedAttachments }, event.listingIds);
}

const anyHappening: fc.Arbitrary<Happening> = fc.oneof(
  anyEvent.map(
    (event): Happening =>
      (state) =>
        hear(state, event),
  ),
  anyRecord.map(
    (record): Happening =>
      (state) =>
        applyListing(state, record, AT),
  ),
  anyText.map(
    (text): Happening =>
      (state) =>
        addTimeline(state, AT, text),
  ),
  anyText.map(
    (text): Happening =>
      (state) =>
        addWarning(state, text),
  ),
  anyText.map(
    (rateId): Happening =>
      (state) =>
        excludeRate(state, rateId),
  ),
  fc.array(anyRate, { maxLength: 90 }).map((rates): Happening => {
    const decision = { decidedAt: AT, rule: 'cheapest', chosen: null, losses: [] } as const;
    return (state) => keepRates(state, rates, decision);
  }),
  fc.array(anyText, { maxLength: 90 }).map((statuses): Happening => {
    const known = {
      ...{ latitude: null, longitude: null, lastKnownPlace: statuses[0] ?? null },
      ...{ summary: null, carrierContact: null },
    };
    const tracking = { ...known, statuses: statuses.map((status) => ({ status, setAt: null })) };
    return (state) => ({ ...state, tracking: boundedTracking(tracking) });
  }),
);

test('any events and records leave a small state, with each line within its limit', () => {
  fc.assert(
    fc.property(
      fc.array(anyHappening, { maxLength: 60 }),
      fc.integer({ min: 1, max: 12 }),
      (happenings, times) => {
        let state = BOOKED;
        for (let round = 0; round < times; round += 1) for (const happen of happenings) state = happen(state);
        expect(Buffer.byteLength(JSON.stringify(state))).toBeLessThan(MAX_STATE_BYTES);
        const lines = state.timeline.map(({ what }) => Buffer.byteLength(JSON.stringify(what)) - 2);
        expect(Math.max(0, ...lines)).toBeLessThanOrEqual(TEXT_BYTES.line);
        const notices = state.notices.map((text) => Buffer.byteLength(JSON.stringify(text)) - 2);
        expect(Math.max(0, ...notices)).toBeLessThanOrEqual(TEXT_BYTES.notice);
        expect(unreadIds(state).length).toBeLessThanOrEqual(LIST_LIMITS.unread.count);
      },
    ),
    fuzzing(60),
  );
});

test('a state with the most of everything stays below 200 KB', () => {
  let state = BOOKED;
  for (let number = 0; number < 6_000; number += 1) {
    const id = `0f1d7c2e-5a50-4e4a-8a52-${String(number).padStart(12, '0')}`;
    state = hear(state, {
      id,
      type: 't',
      time: AT,
      listingIds: [String(number)],
      attachmentIds: [id],
      digest: id,
    });
    state = addWarning(
      addTimeline(state, AT, `${number} ${'line '.repeat(40)}`),
      `${number} ${'notice '.repeat(40)}`,
    );
  }
  expect(Buffer.byteLength(JSON.stringify(state))).toBeLessThan(MAX_STATE_BYTES);
  expect(state.leftOut.listings).toBe(6_000 - LIST_LIMITS.unread.count - 1);
});

test('a listing that the order knows is never left out, however many others events name before it', () => {
  const foreign = Array.from({ length: 500 }, (_, index) => String(1_000 + index));
  const state = keepUnread({ ...BOOKED, candidates: [aBeside('77', { status: 'Booked' }), aLeft('88')] }, [
    ...foreign,
    '77',
    '88',
    '1',
  ]);
  expect(unreadIds(state)).toHaveLength(102);
  expect(unreadIds(state)).toEqual(expect.arrayContaining(['77', '88']));
  expect(unreadIds(state)).not.toContain('1');
  expect(state.leftOut.listings).toBe(400);
});

test.each([
  [
    'listings that were left',
    { candidates: Array.from({ length: BOOKING_TRACES.left }, (_, index) => aLeft(String(index))) },
  ],
  [
    'acceptances that may still be booked',
    {
      earlierAcceptances: Array.from({ length: BOOKING_TRACES.earlierAcceptances }, (_, index) => ({
        ...{ rateId: 'r', executionId: String(index), carrier: 'c', since: AT, leftOn: AT },
        said: { kind: 'over' as const },
      })),
    },
  ],
  [
    'listings beside its own',
    {
      candidates: Array.from({ length: BOOKING_TRACES.beside }, (_, index) => aBeside(String(index))),
    },
  ],
])('with as many %s as the state can hold, nothing more is booked', (_which, full) => {
  expect(noRoomToBook(BOOKED)).toBeNull();
  expect(noRoomToBook({ ...BOOKED, ...full })).not.toBeNull();
});

test('a revision back to an earlier load is stored once', () => {
  const load = { postalCodes: ['1', '2'], weightsInGrams: [5] } as const;
  expect(keepLoad(keepLoad(BOOKED, load), { ...load }).earlierLoads).toEqual([load]);
});

test('of too many rates the cheapest stay, and the chosen one', () => {
  const rates = Array.from({ length: 200 }, (_, index) =>
    aRate({ rateId: `r${index}`, totalPrice: { minorUnits: 100_000 - index, currency: 'USD' } }),
  );
  const decision = { decidedAt: AT, rule: 'fastest', chosen: rates[0] ?? null, losses: [] } as const;
  const state = keepRates(BOOKED, rates, decision);
  expect(state.rates.map(({ rateId }) => rateId).slice(0, 3)).toEqual(['r0', 'r199', 'r198']);
  expect(state.leftOut.rates).toBe(200 - state.rates.length);
});
