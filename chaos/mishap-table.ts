import type { FaultInput, OrderLedger } from '../sandbox';
import type { Mishap, MishapPart } from './mishaps';
import { COMPRESSED_REFUSALS, FALSE_ABSENCES, ODD_ANSWERS } from './odd-answers';

const LISTING: readonly MishapPart[] = ['listing'];
const RATES: readonly MishapPart[] = ['rates'];
const ACCEPTANCE: readonly MishapPart[] = ['acceptance'];
const SHIPMENT: readonly MishapPart[] = ['shipment'];

const once = (endpoint: FaultInput['endpoint'], kind: FaultInput['kind'], more: Partial<FaultInput> = {}) =>
  ({ endpoint, kind, times: 1, ...more }) as const;
const notFound = (endpoint: FaultInput['endpoint'], times: number) =>
  ({ endpoint, kind: 'status', status: 404, times }) as const;

const LOST_DELETE = once('deleteListing', 'hangUpAfter');
const RACED_DELETE = once('deleteListing', 'bookBefore');

const befell =
  (kind: string) =>
  ({ listings }: OrderLedger): boolean =>
    listings.some(({ mishaps }) => mishaps.includes(kind));
const hadRates = ({ rateRequests }: OrderLedger): boolean => rateRequests.some(({ rates }) => rates > 0);
const accepted = ({ acceptances }: OrderLedger): boolean => acceptances.length > 0;
const failed = ({ acceptances }: OrderLedger): boolean =>
  acceptances.some(({ outcome }) => outcome === 'failed');
const booked = ({ acceptances }: OrderLedger): boolean =>
  acceptances.some(({ outcome }) => outcome === 'booked');
const delivered = (order: OrderLedger): boolean => order.delivered > 0;
const corrected =
  (times: number) =>
  ({ listings }: OrderLedger): boolean =>
    listings.some(({ priceCorrections }) => priceCorrections >= times);

/** Happens to the order's first listing once it is booked (`expire` of furniture: before). */
const planned = (kind: 'carrierCancels' | 'shipperCancels' | 'noShow' | 'hold' | 'close' | 'expire') => ({
  mishapScript: [kind],
});

/** Every mishap once. Orders draw from the mishaps of their parts until all have been used. */
export const MISHAPS: readonly Mishap[] = [
  // The account is refused: one question for all its shipments.
  {
    name: 'IP address refused',
    parts: ['listing', 'rates'],
    faults: [once('createListing', 'ipRefused'), once('createRateRequest', 'ipRefused')],
  },
  {
    name: 'account suspended',
    parts: ['listing', 'acceptance'],
    faults: [once('createListing', 'suspended'), once('acceptRate', 'suspended')],
  },

  // A furniture order is listed.
  { name: 'field refused, 40001', parts: LISTING, ends: true, faults: [once('createListing', 'fieldError')] },
  {
    name: 'called a duplicate after a lost request',
    parts: LISTING,
    faults: [once('createListing', 'hangUpBefore'), once('createListing', 'duplicate')],
  },
  {
    name: 'fresh listing 404 at first',
    parts: ['listing', 'acceptance'],
    faults: [notFound('getListing', 2)],
  },
  {
    name: 'withdrawn, answer to DELETE lost',
    parts: LISTING,
    ends: true,
    switches: { carrierAnswer: 'acceptsLater' },
    faults: [LOST_DELETE],
    action: { when: { status: 'Active' }, does: { kind: 'withdraw' } },
  },
  {
    name: 'withdrawn, a booking races DELETE',
    parts: LISTING,
    switches: { carrierAnswer: 'acceptsLater' },
    faults: [RACED_DELETE],
    action: { when: { status: 'Active' }, does: { kind: 'withdraw' } },
  },
  {
    name: 'expired, answer to DELETE lost',
    parts: LISTING,
    switches: planned('expire'),
    faults: [LOST_DELETE],
    isMet: befell('expire'),
  },
  {
    name: 'expired and back to Active',
    parts: LISTING,
    switches: planned('expire'),
    action: { when: { status: 'Expired' }, afterMs: 800, does: { kind: 'mishap', mishap: 'reactivate' } },
  },

  // Rates of an LTL order.
  { name: 'rates late', parts: RATES, cards: 2, switches: { rates: 'late' }, isMet: hadRates },
  { name: 'rates flicker', parts: RATES, cards: 2, switches: { rateFlicker: true }, isMet: hadRates },
  {
    name: 'cheapest rate withdrawn before expiry',
    parts: RATES,
    cards: 2,
    switches: { ratesWithdrawn: 'cheapest' },
    isMet: ({ rateRequests }) => rateRequests.some(({ withdrawnRates }) => withdrawnRates > 0),
  },
  {
    name: 'field refused, 40006',
    parts: RATES,
    ends: true,
    faults: [once('createRateRequest', 'fieldError', { code: 40_006, field: 'items' })],
  },

  // A rate is accepted.
  { name: 'card declined', parts: ACCEPTANCE, faults: [once('acceptRate', 'cardDeclined')] },
  { name: 'card expired', parts: ACCEPTANCE, faults: [once('acceptRate', 'cardExpired')] },
  {
    name: 'field refused, 40010',
    parts: ACCEPTANCE,
    faults: [once('acceptRate', 'fieldError', { code: 40_010, field: 'id' })],
  },
  {
    name: 'status of the acceptance 404 at first',
    parts: ACCEPTANCE,
    switches: { acceptanceHiddenPolls: 2 },
    isMet: accepted,
  },
  {
    name: 'pending: response not JSON',
    parts: ACCEPTANCE,
    switches: { acceptancePendingAnswer: 'notJson' },
    isMet: accepted,
  },
  {
    name: 'response doubly encoded',
    parts: ACCEPTANCE,
    switches: { acceptancePendingAnswer: 'doublyEncoded', acceptanceBookedAnswer: 'doublyEncoded' },
    isMet: booked,
  },
  {
    name: 'failed: response null',
    parts: ACCEPTANCE,
    switches: { acceptanceScript: ['failed'], acceptanceFailureResponse: 'null' },
    isMet: failed,
  },
  {
    name: 'failed: response not JSON',
    parts: ACCEPTANCE,
    switches: { acceptanceScript: ['failed'], acceptanceFailureResponse: 'notJson' },
    isMet: failed,
  },
  {
    name: 'failed: response doubly encoded',
    parts: ACCEPTANCE,
    switches: { acceptanceScript: ['failed'], acceptanceFailureResponse: 'doublyEncoded' },
    isMet: failed,
  },
  {
    name: 'left a listing, answer to DELETE lost',
    parts: ACCEPTANCE,
    switches: { acceptanceScript: ['failedLeavingListing'] },
    faults: [LOST_DELETE],
  },
  {
    name: 'left a listing, a booking races DELETE',
    parts: ACCEPTANCE,
    switches: { acceptanceScript: ['failedLeavingListing'] },
    faults: [RACED_DELETE],
  },

  ...FALSE_ABSENCES,
  ...COMPRESSED_REFUSALS,
  ...ODD_ANSWERS,

  // The shipment, once it is booked.
  {
    name: 'carrier cancels',
    parts: SHIPMENT,
    switches: planned('carrierCancels'),
    isMet: befell('carrierCancels'),
  },
  {
    // No carrier books it again: it expires unless the order is rebooked before.
    name: 'carrier cancels, back to Active',
    parts: SHIPMENT,
    switches: { ...planned('carrierCancels'), mishapLeaves: 'Active' },
    isMet: befell('carrierCancels'),
    epilogue: {
      when: { status: 'Active', wasBooked: true },
      ...{ afterMs: 6_000, does: { kind: 'mishap', mishap: 'expire' } },
    },
  },
  {
    name: 'carrier cancels, another books at once',
    parts: SHIPMENT,
    switches: { ...planned('carrierCancels'), mishapLeaves: 'Rebooked' },
    isMet: befell('carrierCancels'),
  },
  {
    name: 'cancelled on the website',
    parts: SHIPMENT,
    switches: planned('shipperCancels'),
    isMet: befell('shipperCancels'),
  },
  { name: 'no-show', parts: SHIPMENT, switches: planned('noShow'), isMet: befell('noShow') },
  {
    name: 'OnHold, then resumed',
    parts: SHIPMENT,
    switches: planned('hold'),
    action: { when: { status: 'OnHold' }, afterMs: 1_500, does: { kind: 'mishap', mishap: 'resume' } },
  },
  { name: 'Closed while booked', parts: SHIPMENT, switches: planned('close'), isMet: befell('close') },
  {
    name: 'second listing for the order',
    parts: SHIPMENT,
    action: { when: { status: 'Booked' }, does: { kind: 'secondListing' } },
  },
  {
    name: 'bill of lading empty at first',
    parts: SHIPMENT,
    switches: { billOfLading: 'emptyFirst' },
    isMet: delivered,
  },
  {
    name: 'bill of lading an HTML page at first',
    parts: SHIPMENT,
    switches: { billOfLading: 'htmlFirst' },
    isMet: delivered,
  },
  { name: 'price lowered', parts: SHIPMENT, switches: { priceCorrections: [-7.5] }, isMet: corrected(1) },
  {
    name: 'price corrected twice',
    parts: SHIPMENT,
    switches: { priceCorrections: [25, -4.25] },
    isMet: corrected(2),
  },
  {
    name: 'price corrected after closing',
    parts: SHIPMENT,
    action: { when: { status: 'Completed' }, afterMs: 3_000, does: { kind: 'correctPrice', amount: 18 } },
  },
];
