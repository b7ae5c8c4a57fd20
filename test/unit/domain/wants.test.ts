import { expect, test } from '@jest/globals';
import { DEFAULT_POLICY } from '../../../src/domain/default-policy';
import { askAgain, markPaperMissing } from '../../../src/domain/missing-papers';
import {
  enterPhase,
  initialState,
  type PhaseState,
  type ShipmentState,
} from '../../../src/domain/shipment-state';
import { isOverdue, wantsOf, type Following, type Want } from '../../../src/domain/wants';
import { aBeside, aCandidate, aFurnitureShipment, aListing, anLtlShipment } from '../../support/builders';

const AT = '2035-03-01T12:00:00.000Z';
const after = (ms: number): string => new Date(Date.parse(AT) + ms).toISOString();
const FOLLOWING: Following = {
  ...{ now: AT, policy: DEFAULT_POLICY, lastPickupOn: '2035-03-01', isAmendmentPutOff: false },
};
const furniture = initialState(aFurnitureShipment());
const ltl = initialState(anLtlShipment());
const at = (state: ShipmentState, phase: PhaseState, over: Partial<ShipmentState> = {}): ShipmentState => ({
  ...enterPhase({ ...state, listing: aListing({ listingId: '7', status: 'Active' }), ...over }, phase),
  phaseSince: AT,
});
const awaiting = { phase: 'awaitingBooking', listingId: '7', unverified: null } as const;
const booked = { phase: 'booked', listingId: '7' } as const;
const inTransit = { phase: 'inTransit', listingId: '7' } as const;
const delivered = { phase: 'delivered', listingId: '7', deliveredAt: AT, readsOnSince: null } as const;
const PAPERS: Partial<ShipmentState> = {
  ...{ bookedAt: AT, contacts: 'known', trackingLink: { url: null }, billOfLading: 'unavailable' },
};
const acceptance = { rateId: 'r', executionId: 'e', carrier: 'Carrier', since: AT, leftOn: AT } as const;
const trouble = { reason: 'HTTP 503', tries: 1, tryAgainAt: after(5_000) };
const kinds = (state: ShipmentState, over: Partial<Following> = {}): readonly Want['kind'][] =>
  wantsOf(state, { ...FOLLOWING, ...over }).map(({ kind }) => kind);

test.each<[string, ShipmentState, readonly Want['kind'][]]>([
  ['prices', enterPhase(furniture, { phase: 'quoting' }), []],
  ['waits for a carrier', at(furniture, awaiting), ['record']],
  [
    'waits for a carrier, with an image to send again',
    at(furniture, awaiting, { imageTrouble: trouble }),
    ['record', 'image'],
  ],
  [
    'has a listing of unknown status',
    at(furniture, awaiting, { listing: aListing({ status: 'Odd', carrier: null }) }),
    ['record', 'evidence'],
  ],
  ['was accepted and reads as open', at(ltl, awaiting), ['record', 'overdue']],
  ['is booked', at(furniture, booked, { bookedAt: AT }), ['record', 'papers']],
  ['is booked and has all papers', at(furniture, booked, PAPERS), ['record']],
  ['is on its way', at(furniture, inTransit, PAPERS), ['record', 'tracking']],
  [
    'is delivered',
    at(furniture, delivered, { ...PAPERS, tracking: null }),
    ['record', 'tracking', 'settlement'],
  ],
  [
    'is delivered beside a second listing',
    at(furniture, delivered, { ...PAPERS, candidates: [aBeside('8')] }),
    ['record', 'tracking'],
  ],
  [
    'heard of a listing that cannot be read',
    at(furniture, booked, { ...PAPERS, candidates: [aCandidate('8', { isUnread: true })] }),
    ['record', 'nextLook'],
  ],
  [
    'left an acceptance behind',
    at(ltl, booked, { ...PAPERS, earlierAcceptances: [{ ...acceptance, said: { kind: 'over' } }] }),
    ['record', 'earlierAcceptance'],
  ],
])('a shipment that %s waits for everything that may come next', (_, state, wanted) => {
  expect(kinds(state)).toEqual(wanted);
});

test('a delayed change of the listing is tried again', () => {
  expect(kinds(at(furniture, awaiting), { isAmendmentPutOff: true })).toEqual(['record', 'nextTry']);
});

test('of many attachments five are fetched at once, in addition to those requested again', () => {
  const wantedAttachments = ['1', '2', '3', '4', '5', '6'].map((attachmentId) => ({
    attachmentId,
    since: AT,
  }));
  const missing = markPaperMissing({ ...furniture, reasonsToAsk: 0 }, { attachmentId: '9' }, null);
  const state = at(askAgain(missing), booked, { ...PAPERS, wantedAttachments });
  const attachments = wantsOf(state, FOLLOWING).flatMap((want) => (want.kind === 'attachment' ? [want] : []));
  expect(attachments.map(({ attachmentId, asking }) => [attachmentId, asking.kind])).toEqual([
    ...['1', '2', '3', '4', '5'].map((id) => [id, 'window']),
    ['9', 'once'],
  ]);
});

test('an unchanged want continues, whatever else becomes known', () => {
  const state = at(furniture, booked, PAPERS);
  const [before] = wantsOf(state, FOLLOWING);
  const priced = {
    ...state,
    listing: aListing({ listingId: '7', status: 'Active', totalCost: null, checksum: 'x' }),
  };
  expect(wantsOf({ ...priced, repairs: 3 }, { ...FOLLOWING, now: after(60_000) })[0]).toEqual(before);
  const cancelled = { ...state, listing: aListing({ listingId: '7', status: 'Cancelled' }) };
  expect(wantsOf(cancelled, FOLLOWING)[0]).not.toEqual(before);
});

test('an accepted listing may read as open for one pause of the sweep', () => {
  const { maximumMs } = DEFAULT_POLICY.sweepPace;
  const state = at(ltl, awaiting);
  expect(isOverdue(state, { now: after(maximumMs - 1), policy: DEFAULT_POLICY })).toBe(false);
  expect(isOverdue(state, { now: after(maximumMs), policy: DEFAULT_POLICY })).toBe(true);
  expect(kinds(state, { now: after(maximumMs) })).toEqual(['record']);
  expect(isOverdue(at(furniture, awaiting), { now: after(maximumMs), policy: DEFAULT_POLICY })).toBe(false);
});

test("an unreadable listing that only the order's own write named is reported at once", () => {
  const unverified = {
    from: { phase: 'listing', doubt: null, isResent: false },
    doubt: {
      what: 'creating the listing',
      isRefusal: false,
      attempt: null,
      sendId: 's',
      resendFrom: null,
      onlyLive: false,
      acceptance: null,
    },
  } as const;
  const tellAfterMs = (state: ShipmentState): unknown => {
    const [want] = wantsOf(state, FOLLOWING);
    return want?.kind === 'record' ? want.tellAfterMs : undefined;
  };
  expect(tellAfterMs(at(furniture, { ...awaiting, unverified }))).toBe(0);
  expect(tellAfterMs(at(furniture, awaiting))).toBe(DEFAULT_POLICY.unreadableAfterMs);
  const unreadable = { since: AT, reason: 'HTTP 404', isMissing: true };
  expect(tellAfterMs(at(furniture, awaiting, { unreadable }))).toBeNull();
});
