import type { FaultInput, OrderLedger, OrderSwitches } from '../sandbox';
import type { Mishap } from './mishaps';

const FALSE_ABSENCE: FaultInput = { endpoint: 'deleteListing', kind: 'falseAbsence', times: 1 };

/** A gateway says that the listing does not exist, but it does. */
export const FALSE_ABSENCES: readonly Mishap[] = [
  {
    name: 'withdrawn, a false 404 to DELETE',
    parts: ['listing'],
    switches: { carrierAnswer: 'acceptsLater' },
    faults: [FALSE_ABSENCE],
    action: { when: { status: 'Active' }, does: { kind: 'withdraw' } },
  },
  {
    name: 'expired, a false 404 to DELETE',
    parts: ['listing'],
    switches: { mishapScript: ['expire'] },
    faults: [FALSE_ABSENCE],
  },
  {
    name: 'left a listing, a false 404 to DELETE',
    parts: ['acceptance'],
    switches: { acceptanceScript: ['failedLeavingListing'] },
    faults: [FALSE_ABSENCE],
  },
];

/** Refusals of the calls that book: decoding makes most of them readable, and the others stay in doubt. */
export const COMPRESSED_REFUSALS: readonly Mishap[] = [
  {
    name: 'field refused in gzip',
    parts: ['listing'],
    ends: true,
    faults: [{ endpoint: 'createListing', kind: 'fieldError', encoding: 'gzip', times: 1 }],
  },
  {
    name: 'called a duplicate in br after a lost request',
    parts: ['listing'],
    faults: [
      { endpoint: 'createListing', kind: 'hangUpBefore', times: 1 },
      { endpoint: 'createListing', kind: 'duplicate', encoding: 'br', times: 1 },
    ],
  },
  {
    name: 'refused by a page after the listing was made',
    parts: ['listing'],
    faults: [
      { endpoint: 'createListing', kind: 'statusAfter', status: 400, contentType: 'text/html', times: 1 },
    ],
  },
  {
    name: 'acceptance refused in deflate',
    parts: ['acceptance'],
    faults: [
      {
        endpoint: 'acceptRate',
        kind: 'fieldError',
        code: 40_010,
        field: 'id',
        encoding: 'deflate',
        times: 1,
      },
    ],
  },
  {
    name: 'acceptance taken, and refused in broken gzip',
    parts: ['acceptance'],
    faults: [{ endpoint: 'acceptRate', kind: 'statusAfter', status: 400, encoding: 'broken', times: 1 }],
  },
];

const delivered = (order: OrderLedger): boolean => order.delivered > 0;
const hadRates = ({ rateRequests }: OrderLedger): boolean => rateRequests.some(({ rates }) => rates > 0);

const ofShipment = (name: string, switches: OrderSwitches): Mishap => ({
  ...{ name, switches, parts: ['shipment'], isMet: delivered },
});
const ofRates = (name: string, switches: OrderSwitches): Mishap => ({
  ...{ name, switches, parts: ['rates'], isMet: hadRates },
});

/** Answers with the same meaning in another form, and lists with an unreadable element. */
export const ODD_ANSWERS: readonly Mishap[] = [
  ofRates('rates without an expiry, with a price in words', {
    badElements: ['rateExpiresNull', 'ratePriceText'],
  }),
  ofRates('rates of no price, with odd stars and days', {
    badElements: ['ratePriceZero', 'ratePriceNull', 'rateStarsText', 'rateDelayText'],
  }),
  ofShipment('status in lower case', { statusForm: 'lowerCase' }),
  ofShipment('status by its number and label', { statusForm: 'numberLabel' }),
  ofShipment('status by its id and name', { statusForm: 'idName' }),
  ofShipment('status in unusual words', { statusForm: 'words' }),
  ofShipment('unknown status', { statusForm: 'unknown' }),
  ofShipment('reference under the type 11', { referenceForm: 'number' }),
  ofShipment('reference under another type', { referenceForm: 'renamed' }),
  ofShipment('bad references, places and attachments', {
    badElements: ['reference', 'trackingPlace', 'trackingStatus', 'attachment'],
  }),
];
