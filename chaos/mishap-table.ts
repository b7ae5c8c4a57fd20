import type { OrderLedger, OrderSwitches, Trouble, TroubleInput } from '../sandbox';
import { troubleSchema } from '../sandbox/troubles/trouble';
import type { Mishap, MishapPart } from './mishaps';
import { befalls, correctPrice, secondListing, withdraw } from './scripted-actions';

type Rest = Omit<Mishap, 'name' | 'parts'>;
const of =
  (...parts: readonly MishapPart[]) =>
  (name: string, rest: Rest): Mishap => ({ name, parts, ...rest });
const [listing, rates, acceptance, shipment] = [of('listing'), of('rates'), of('acceptance'), of('shipment')];

const once =
  (when: TroubleInput['when']) =>
  (what: TroubleInput['what']): Trouble =>
    troubleSchema.parse({ when, what, times: 1 });
const [createListing, deleteListing] = [once('createListing'), once('deleteListing')];
const [requestRates, acceptRate] = [once('createRateRequest'), once('acceptRate')];
const badBill = (answer: { readonly contentType: string; readonly body?: string }): Trouble =>
  once({ request: 'getDocument', match: '/BOL-' })({ kind: 'status', status: 200, ...answer });
/** It happens to the order's first listing once it is booked. */
const booked = once({ listing: 'booked' });
/** It happens to the order's first listing before anybody takes it. */
const EXPIRES = once({ listing: 'created' })('expire');
const LOST_DELETE = deleteListing('hangUpAfter');
const RACED_DELETE = deleteListing('bookBefore');
/** A gateway says that the listing does not exist, but it does. */
const FALSE_ABSENCE = deleteListing('falseAbsence');
const RATE_ID_REFUSED = { kind: 'fieldError', code: 40_010, field: 'id' } as const;

const hadRates = ({ rateRequests }: OrderLedger): boolean => rateRequests.some((one) => one.rates > 0);
const corrected =
  (times: number) =>
  ({ listings }: OrderLedger): boolean =>
    listings.some(({ priceCorrections }) => priceCorrections >= times);

/** A person withdraws the order while no carrier has taken it yet. */
const withdrawn = (trouble: Trouble): Rest => ({
  switches: { carrierAnswer: 'acceptsLater' },
  troubles: [trouble],
  action: { status: 'Active', does: withdraw },
});
const failing = (acceptanceFailureResponse: OrderSwitches['acceptanceFailureResponse']): Rest => ({
  switches: { acceptanceFailureResponse },
  troubles: [acceptRate('failed')],
});
/** A failed acceptance leaves its listing on the market. */
const leaving = (...troubles: readonly Trouble[]): Rest => ({
  troubles: [acceptRate('failedLeavingListing'), ...troubles],
});
/** Answers with the same meaning in another form, and lists with an unreadable element. */
const oddShipment = (name: string, switches: OrderSwitches): Mishap =>
  shipment(name, { switches, isMet: ({ delivered }) => delivered > 0 });
const oddRates = (name: string, switches: OrderSwitches): Mishap =>
  rates(name, { switches, isMet: hadRates });
const oddAcceptance = (name: string, switches: OrderSwitches): Mishap =>
  acceptance(name, { switches, isMet: ({ acceptances }) => acceptances.length > 0 });

/** Every mishap once. Orders draw from the mishaps of their parts until all have been used. */
export const MISHAPS: readonly Mishap[] = [
  // The account is refused: one question for all its shipments.
  of('listing', 'rates')('IP address refused', {
    troubles: [createListing('ipRefused'), requestRates('ipRefused')],
  }),
  of('listing', 'acceptance')('account suspended', {
    troubles: [createListing('suspended'), acceptRate('suspended')],
  }),

  // A furniture order is listed.
  listing('field refused, 40001', { ends: true, troubles: [createListing('fieldError')] }),
  listing('called a duplicate after a lost request', {
    troubles: [createListing('hangUpBefore'), createListing('duplicate')],
  }),
  of('listing', 'acceptance')('fresh listing 404 at first', {
    troubles: [{ ...once('getListing')({ kind: 'status', status: 404 }), times: 2 }],
  }),
  listing('withdrawn, answer to DELETE lost', { ends: true, ...withdrawn(LOST_DELETE) }),
  listing('withdrawn, a booking races DELETE', withdrawn(RACED_DELETE)),
  listing('expired, answer to DELETE lost', { troubles: [EXPIRES, LOST_DELETE] }),
  listing('expired and back to Active', {
    troubles: [EXPIRES],
    action: { status: 'Expired', afterMs: 800, does: befalls('reactivate') },
  }),

  // Rates of an LTL order.
  rates('rates late', { cards: 2, troubles: [requestRates('lateRates')], isMet: hadRates }),
  rates('rates flicker', { cards: 2, troubles: [requestRates('flickeringRates')], isMet: hadRates }),
  rates('cheapest rate withdrawn before expiry', {
    ...{ cards: 2, troubles: [requestRates('cheapestRateWithdrawn')] },
    isMet: ({ rateRequests }) => rateRequests.some(({ withdrawnRates }) => withdrawnRates > 0),
  }),
  rates('field refused, 40006', {
    ends: true,
    troubles: [requestRates({ kind: 'fieldError', code: 40_006, field: 'items' })],
  }),

  // A rate is accepted.
  acceptance('card declined', { troubles: [acceptRate('cardDeclined')] }),
  acceptance('card expired', { troubles: [acceptRate('cardExpired')] }),
  acceptance('field refused, 40010', { troubles: [acceptRate(RATE_ID_REFUSED)] }),
  oddAcceptance('status of the acceptance 404 at first', { acceptanceHiddenPolls: 2 }),
  oddAcceptance('pending: response not JSON', { acceptancePendingAnswer: 'notJson' }),
  acceptance('response doubly encoded', {
    switches: { acceptancePendingAnswer: 'doublyEncoded', acceptanceBookedAnswer: 'doublyEncoded' },
    isMet: ({ acceptances }) => acceptances.some(({ outcome }) => outcome === 'booked'),
  }),
  acceptance('failed: response null', failing('null')),
  acceptance('failed: response not JSON', failing('notJson')),
  acceptance('failed: response doubly encoded', failing('doublyEncoded')),
  acceptance('left a listing, answer to DELETE lost', leaving(LOST_DELETE)),
  acceptance('left a listing, a booking races DELETE', leaving(RACED_DELETE)),

  listing('withdrawn, a false 404 to DELETE', withdrawn(FALSE_ABSENCE)),
  listing('expired, a false 404 to DELETE', { troubles: [EXPIRES, FALSE_ABSENCE] }),
  acceptance('left a listing, a false 404 to DELETE', leaving(FALSE_ABSENCE)),

  // Refusals of the calls that book: decoding makes most of them readable, and the others stay in doubt.
  listing('field refused in gzip', {
    ends: true,
    troubles: [createListing({ kind: 'fieldError', encoding: 'gzip' })],
  }),
  listing('called a duplicate in br after a lost request', {
    troubles: [createListing('hangUpBefore'), createListing({ kind: 'duplicate', encoding: 'br' })],
  }),
  listing('refused by a page after the listing was made', {
    troubles: [createListing({ kind: 'statusAfter', status: 400, contentType: 'text/html' })],
  }),
  acceptance('acceptance refused in deflate', {
    troubles: [acceptRate({ ...RATE_ID_REFUSED, encoding: 'deflate' })],
  }),
  acceptance('acceptance taken, and refused in broken gzip', {
    troubles: [acceptRate({ kind: 'statusAfter', status: 400, encoding: 'broken' })],
  }),

  oddRates('rates without an expiry, with a price in words', {
    badElements: ['rateExpiresNull', 'ratePriceText'],
  }),
  oddRates('rates of no price, with odd stars and days', {
    badElements: ['ratePriceZero', 'ratePriceNull', 'rateStarsText', 'rateDelayText'],
  }),
  oddShipment('status in lower case', { statusForm: 'lowerCase' }),
  oddShipment('status by its number and label', { statusForm: 'numberLabel' }),
  oddShipment('status by its id and name', { statusForm: 'idName' }),
  oddShipment('status in unusual words', { statusForm: 'words' }),
  oddShipment('unknown status', { statusForm: 'unknown' }),
  oddShipment('reference under the type 11', { referenceForm: 'number' }),
  oddShipment('reference under another type', { referenceForm: 'renamed' }),
  oddShipment('bad references, places and attachments', {
    badElements: ['reference', 'trackingPlace', 'trackingStatus', 'attachment'],
  }),

  // The shipment, once it is booked.
  shipment('carrier cancels', { troubles: [booked('carrierCancels')] }),
  shipment('carrier cancels, back to Active', {
    troubles: [booked({ kind: 'carrierCancels', leaves: 'Active' })],
    // No carrier books it again: it expires unless the order is rebooked before.
    epilogue: { status: 'Active', wasBooked: true, afterMs: 6_000, does: befalls('expire') },
  }),
  shipment('carrier cancels, another books at once', {
    troubles: [booked({ kind: 'carrierCancels', leaves: 'Rebooked' })],
  }),
  shipment('cancelled on the website', { troubles: [booked('shipperCancels')] }),
  shipment('no-show', { troubles: [booked('noShow')] }),
  shipment('OnHold, then resumed', {
    troubles: [booked('hold')],
    action: { status: 'OnHold', afterMs: 1_500, does: befalls('resume') },
  }),
  shipment('Closed while booked', { troubles: [booked('close')] }),
  shipment('second listing for the order', { action: { status: 'Booked', does: secondListing } }),
  shipment('bill of lading empty at first', {
    troubles: [badBill({ contentType: 'application/pdf', body: '' })],
  }),
  shipment('bill of lading an HTML page at first', { troubles: [badBill({ contentType: 'text/html' })] }),
  shipment('price lowered', { switches: { priceCorrections: [-7.5] }, isMet: corrected(1) }),
  shipment('price corrected twice', { switches: { priceCorrections: [25, -4.25] }, isMet: corrected(2) }),
  shipment('price corrected after closing', {
    action: { status: 'Completed', afterMs: 3_000, does: correctPrice(18) },
  }),
];
