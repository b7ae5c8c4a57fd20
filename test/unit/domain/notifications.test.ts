import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { StoredAttachment, StoredBillOfLading } from '../../../src/domain/documents';
import type { ListingRecord } from '../../../src/domain/listing';
import { applyListing } from '../../../src/domain/listing-progress';
import {
  newsOf,
  NOTHING_NOTIFIED,
  notifiedOrder,
  type News,
  type NotificationKind,
} from '../../../src/domain/notifications';
import type { Question } from '../../../src/domain/question';
import {
  addTimeline,
  enterPhase,
  initialState,
  leaveListing,
  type ShipmentState,
} from '../../../src/domain/shipment-state';
import { aFurnitureShipment, aListing } from '../../support/builders';
import { fuzzing } from '../../support/fuzzing';

const AT = '2035-03-06T12:00:00.000Z';
const usd = (minorUnits: number) => ({ minorUnits, currency: 'USD' });
const LISTING = '273679133';

const awaiting: ShipmentState = enterPhase(initialState(aFurnitureShipment()), {
  phase: 'awaitingBooking',
  unverified: null,
  listingId: LISTING,
});
const read = (state: ShipmentState, over: Partial<ListingRecord>, at = AT): ShipmentState =>
  applyListing(state, aListing({ totalCost: usd(20_000), ...over }), at);

const booked = read(awaiting, { status: 'Booked' });
const inTransit = read(booked, { status: 'Booked', transitStatus: 'PickedUp' });
const delivered = read(inTransit, { status: 'Completed', transitStatus: 'Delivered' });
const settled = enterPhase(delivered, { phase: 'settled', listingId: LISTING, deliveredAt: AT });
const cancelled = enterPhase(awaiting, { phase: 'cancelled', by: 'Pat', reason: 'x', endedAt: AT });

function asks(state: ShipmentState, id: string): ShipmentState {
  const question: Question = {
    ...{ id, kind: 'listingEnded', text: 'Listing 7 was cancelled. Rebook or close.', since: AT },
    ...{ answers: ['rebook', 'close'], listingIds: ['7'], offer: null, supportAddress: 'help@example.com' },
  };
  return { ...state, question };
}
const answered = (state: ShipmentState): ShipmentState => ({ ...state, question: null });

const FILE = { contentType: 'application/pdf', sizeInBytes: 9, fetchedAt: AT };
const bill = (billOfLadingNumber: string): StoredBillOfLading => ({
  ...{ ...FILE, fileName: 'Pat Doe.pdf', sha256: `bill-${billOfLadingNumber}-0000000000` },
  billOfLadingNumber,
});
const proof: StoredAttachment = {
  ...{ ...FILE, fileName: 'Pat Doe.jpg', sha256: 'proof-00000000000' },
  ...{ attachmentId: 'a1', attachmentType: 'ProofOfDelivery', fileType: null, notes: 'Pat signed' },
};

/** All news of a sequence of states. */
function newsOfAll(states: readonly ShipmentState[]): News[] {
  let notified = NOTHING_NOTIFIED;
  return states.flatMap((state) => {
    const next = newsOf(notified, state);
    ({ notified } = next);
    return next.news;
  });
}
const kindsOf = (...states: readonly ShipmentState[]): NotificationKind[] =>
  newsOfAll(states).map(({ kind }) => kind);

describe('the news of a shipment', () => {
  test('its whole life is each kind once, in order', () => {
    const withPapers = { ...inTransit, billOfLading: bill('B1') };
    const corrected = read(
      { ...delivered, billOfLading: bill('B1') },
      {
        ...{ status: 'Completed', transitStatus: 'Delivered', totalCost: usd(25_000) },
      },
    );
    const end = enterPhase(corrected, { phase: 'settled', listingId: LISTING, deliveredAt: AT });
    expect(
      kindsOf(
        awaiting,
        asks(awaiting, 'q1'),
        answered(awaiting),
        booked,
        withPapers,
        delivered,
        corrected,
        end,
      ),
    ).toEqual([
      ...['questionOpened', 'questionClosed', 'booked', 'pickedUp', 'documentsReady', 'delivered'],
      ...['priceChanged', 'ended'],
    ]);
  });

  test.each([
    ['a booking is skipped', [awaiting, delivered], ['booked', 'pickedUp', 'delivered']],
    ['only the end is seen', [settled], ['booked', 'pickedUp', 'delivered', 'ended']],
    ['nothing was ever booked', [awaiting, cancelled], ['ended']],
  ])('when %s, the news of each step come in order', (_what, states, kinds) => {
    expect(kindsOf(...states)).toEqual(kinds);
  });

  test.each([
    ['the same state', booked],
    ['another line of the timeline', addTimeline(booked, AT, 'seen')],
    [
      'a further transit status that is no kind',
      read(booked, { status: 'Booked', transitStatus: 'Dispatched' }),
    ],
  ])('%s is no news', (_what, again) => {
    expect(kindsOf(booked, again)).toEqual(['booked']);
  });

  test('another carrier on the same listing is another booking, with its own price', () => {
    const reopened = read(booked, { status: 'Active' });
    const again = read(reopened, { status: 'Booked', totalCost: usd(30_000) }, '2035-03-07T12:00:00.000Z');
    expect(kindsOf(booked, reopened, again)).toEqual(['booked', 'booked']);
  });

  test('a listing that is booked after another one has its own pickup and delivery', () => {
    const left = leaveListing(inTransit, LISTING);
    const next = { ...left, at: { phase: 'awaitingBooking', listingId: '8', unverified: null } } as const;
    const arrived = read(next, { listingId: '8', status: 'Completed', transitStatus: 'Delivered' });
    expect(kindsOf(inTransit, left, arrived)).toEqual([
      ...['booked', 'pickedUp', 'booked', 'pickedUp', 'delivered'],
    ]);
  });

  test('a question that replaces another closes it first', () => {
    const news = newsOfAll([asks(booked, 'q1'), asks(booked, 'q2')]);
    expect(news.slice(-2)).toMatchObject([
      { kind: 'questionClosed', question: { id: 'q1' } },
      { kind: 'questionOpened', question: { id: 'q2' } },
    ]);
  });

  test('a question has its text with the support address, its answers and its listings', () => {
    expect(newsOfAll([asks(awaiting, 'q1')])).toEqual([
      {
        kind: 'questionOpened',
        question: {
          ...{ id: 'q1', kind: 'listingEnded', since: AT, answers: ['rebook', 'close'], offer: null },
          text: 'Listing 7 was cancelled. Rebook or close. Support: help@example.com.',
          listingIds: ['7'],
        },
      },
    ]);
  });

  test('documents are announced once each, without their names; images came with the order', () => {
    const image = { fileName: 'sofa.png', contentType: 'image/png', sizeInBytes: 1, sha256: 'image' };
    const first = { ...booked, images: [image], billOfLading: bill('B1') };
    const second = { ...first, attachments: [proof] };
    const news = newsOfAll([{ ...booked, images: [image] }, first, second, second]);
    expect(news.slice(1)).toMatchObject([
      { kind: 'documentsReady', documents: [{ kind: 'billOfLading', id: 'B1' }] },
      { kind: 'documentsReady', documents: [{ kind: 'attachment', id: 'a1', type: 'ProofOfDelivery' }] },
    ]);
    expect(JSON.stringify(news)).not.toContain('Pat');
  });

  test.each([
    [20_000, []],
    [25_000, [{ kind: 'priceChanged', previousPrice: usd(20_000) }]],
    [19_000, [{ kind: 'priceChanged', previousPrice: usd(20_000) }]],
  ])('a cost of %i after a booking for 20000', (minorUnits, expected) => {
    const later = read(booked, { status: 'Booked', totalCost: usd(minorUnits) });
    expect(newsOfAll([booked, later]).slice(1)).toEqual(expected);
  });

  test('before the booking no price is news', () => {
    expect(kindsOf(read(awaiting, {}), read(awaiting, { totalCost: usd(1) }))).toEqual([]);
  });

  test.each([
    [settled, false, 'delivered'],
    [cancelled, false, 'withdrawn'],
    [initialState(aFurnitureShipment()), true, 'failedBeforeBooking'],
  ])('an order ends once, and its open question with it: %#', (state, hasFailed, outcome) => {
    const { notified } = newsOf(NOTHING_NOTIFIED, asks(awaiting, 'q1'));
    const end = newsOf(notified, asks(state, 'q1'), hasFailed);
    expect(end.news[0]).toEqual({ kind: 'questionClosed', question: { id: 'q1', kind: 'listingEnded' } });
    expect(end.news.at(-1)).toEqual({ kind: 'ended', outcome });
    expect(newsOf(end.notified, asks(state, 'q2')).news).toEqual([]);
  });

  test('for any sequence of states, each kind comes at most as often as it happened, in the order of a booking', () => {
    const STATES = [awaiting, booked, inTransit, delivered, asks(booked, 'q1'), asks(awaiting, 'q2')];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...STATES), { maxLength: 30 }), (states) => {
        const kinds = kindsOf(...states, settled);
        const count = (kind: NotificationKind): number => kinds.filter((one) => one === kind).length;
        for (const kind of ['booked', 'pickedUp', 'delivered', 'ended'] as const) expect(count(kind)).toBe(1);
        expect(kinds.at(-1)).toBe('ended');
        const steps = kinds.filter((kind) => ['booked', 'pickedUp', 'delivered'].includes(kind));
        expect(steps).toEqual(['booked', 'pickedUp', 'delivered']);
        const questions = kinds.filter((kind) => kind.startsWith('question'));
        questions.forEach((kind, index) =>
          expect(kind).toBe(index % 2 === 0 ? 'questionOpened' : 'questionClosed'),
        );
        const opened = states.filter(
          ({ question }, index) => question !== null && question.id !== states[index - 1]?.question?.id,
        );
        expect(count('questionOpened')).toBe(opened.length);
        expect(count('questionClosed')).toBe(opened.length);
      }),
      fuzzing(300),
    );
  });

  test('a notification names the order, and no person and no address', () => {
    const shipment = aFurnitureShipment({ labels: { costCentre: '4410' } });
    const order = notifiedOrder(booked, { environment: 'sandbox', labels: shipment.labels });
    expect(order).toEqual({
      ...{ account: 'acme', environment: 'sandbox', orderId: 'SO-1', shipmentKind: 'furniture' },
      ...{ labels: { costCentre: '4410' }, phase: 'booked', listingId: LISTING },
      ...{ price: usd(20_000), customerPrice: null, billOfLadingNumber: null, proNumber: null },
    });
  });
});
