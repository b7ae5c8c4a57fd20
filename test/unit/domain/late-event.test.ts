import { expect, test } from '@jest/globals';
import {
  isLateMatter,
  judgeLateEvent,
  needsAttention,
  proofAfterEnd,
  type LateEventState,
  type LateReading,
  type OrderEnd,
} from '../../../src/domain/late-event';
import type { ListingRecord } from '../../../src/domain/listing';
import { aListing } from '../../support/builders';

const ORDER = { account: 'acme', orderId: 'SO-1' };
const LISTING = aListing().listingId;
const usd = (minorUnits: number) => ({ minorUnits, currency: 'USD' });
const end = (status: OrderEnd['status'], over: Partial<OrderEnd> = {}): OrderEnd => ({
  ...{ status, listingId: null, standingListings: [], price: null },
  ...over,
});
const reading = (over: Partial<ListingRecord> = {}): LateReading => ({
  kind: 'record',
  record: aListing(over),
});
const completed = end('completed', { listingId: LISTING, price: usd(50_000) });

const OVER = ['withdrawn', 'failed', 'cancelled', 'terminated', 'timedOut'] as const;

test.each(
  OVER.flatMap((status) =>
    [
      ['Booked', 'bookedAfterEnd'],
      ['Completed', 'bookedAfterEnd'],
      ['Active', 'openAfterEnd'],
      ['OnHold', 'openAfterEnd'],
      ['Pondering', 'unclear'],
    ].map(([listing, matter]) => [status, listing, matter] as const),
  ),
)('an order that is %s and a listing that is %s ask %s', (status, listing, matter) => {
  expect(judgeLateEvent(ORDER, end(status), reading({ status: listing ?? null }))).toMatchObject({
    kind: 'ask',
    matter,
  });
});

test.each([
  ['the listing is over', end('failed'), reading({ status: 'Cancelled' })],
  ['there is no such listing', end('failed'), { kind: 'absent' } as const],
  ['the order was never started here', end('unknown'), reading({ status: 'Booked' })],
  ['the order runs', end('running'), reading({ status: 'Booked' })],
  ['the listing is of another order', end('failed'), reading({ status: 'Booked', referenceNumbers: [] })],
  ['the price is as it was', completed, reading({ status: 'Completed', totalCost: usd(50_000) })],
  ['no price is known', completed, reading({ status: 'Completed' })],
])('nothing is asked when %s', (_why, ended, found) => {
  expect(judgeLateEvent(ORDER, ended, found).kind).toBe('nothing');
});

const knew = (listingId: string) => ({ standingListings: [{ listingId, readBy: ['aaaaaaaa'] }] });

test.each([
  ['failed', 'Booked', 'bookedAfterEnd'],
  ['terminated', 'Active', 'openAfterEnd'],
  ['withdrawn', 'Pondering', 'unclear'],
] as const)(
  'a listing without references that a %s order knew as its own is its own',
  (status, listing, matter) => {
    const found = reading({ status: listing, referenceNumbers: [] });
    expect(judgeLateEvent(ORDER, end(status, knew(LISTING)), found)).toMatchObject({ kind: 'ask', matter });
    expect(judgeLateEvent(ORDER, end(status, knew('1')), found).kind).toBe('nothing');
    const another = [{ type: 'ThirdPartyOrderNumber', number: 'acme/SO-2', label: null }];
    const foreign = reading({ status: listing, referenceNumbers: another });
    expect(judgeLateEvent(ORDER, end(status, knew(LISTING)), foreign).kind).toBe('nothing');
  },
);

test('a 404 needs proof if the order knew the listing, and only then', () => {
  const known = end('terminated', knew(LISTING));
  expect(proofAfterEnd(known, LISTING)).toEqual({ readBy: ['aaaaaaaa'], witnesses: [] });
  expect(proofAfterEnd(known, '1')).toEqual({ readBy: [], witnesses: null });
});

test.each([
  ['another price', completed, reading({ status: 'Completed', totalCost: usd(57_550) }), 'lateAdjustment'],
  [
    'another currency',
    completed,
    reading({ status: 'Completed', totalCost: { minorUnits: 50_000, currency: 'CAD' } }),
    'lateAdjustment',
  ],
  [
    'a second live listing',
    { ...completed, listingId: '1' },
    reading({ status: 'Booked' }),
    'possibleDoubleBooking',
  ],
  ['an unreadable listing', end('failed'), { kind: 'unreadable', reason: '401' } as const, 'unclear'],
  ['no listing at all', end('failed'), { kind: 'unnamed' } as const, 'unclear'],
])('%s asks', (_which, ended, found, matter) => {
  expect(judgeLateEvent(ORDER, ended, found)).toMatchObject({ kind: 'ask', matter });
});

test.each([
  ['after a failure', end('failed'), 'Booked'],
  ['after another listing', { ...completed, listingId: '1' }, 'Booked'],
  ['that is open', end('withdrawn'), 'Active'],
])('the link that cancels a booking %s is kept outside the text', (_which, ended, status) => {
  const cancellationLink = 'https://market.example/cancel?token=bearer';
  const finding = judgeLateEvent(ORDER, ended, reading({ status, cancellationLink }));
  expect(finding).toMatchObject({ kind: 'ask', cancellationLink });
  expect(finding.kind === 'ask' ? finding.text : '').toContain('`consign show acme/SO-1` has the link');
  expect(finding.kind === 'ask' ? finding.text : '').not.toContain('token');
});

test.each([
  ['an event of a failed order', end('failed'), 'Listing.Booked/v1', [], true],
  ['a price event after completion', completed, 'Listing.PriceDetailsUpdated/v1', [LISTING], true],
  ['another event after completion', completed, 'Listing.Booked/v1', [LISTING], false],
  ['another listing after completion', completed, 'Listing.Booked/v1', ['1'], true],
  ['a listing where none is known', end('completed'), 'Listing.Booked/v1', ['1'], false],
])('%s: late matter or not', (_which, ended, type, listingIds, isMatter) => {
  expect(isLateMatter(ended, { type, listingIds })).toBe(isMatter);
});

test('an unacknowledged problem needs attention, and so does an acknowledged one that changed', () => {
  const state: LateEventState = {
    ...{ ...ORDER, listingId: LISTING, events: 1, since: null },
    asks: { kind: 'ask', matter: 'openAfterEnd', key: 'open', text: '', cancellationLink: null },
    acknowledged: null,
  };
  const acknowledged = { by: 'Pat', reason: 'seen', at: '2035-03-01T12:00:00.000Z', key: 'open' };
  expect(needsAttention(state)).toBe(true);
  expect(needsAttention({ ...state, acknowledged })).toBe(false);
  expect(needsAttention({ ...state, acknowledged: { ...acknowledged, key: 'live' } })).toBe(true);
  expect(needsAttention({ ...state, asks: null })).toBe(false);
});
