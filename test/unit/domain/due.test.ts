import { expect, test } from '@jest/globals';
import { carrierPhone, dueOn } from '../../../src/domain/due';
import { initialState, type ShipmentState } from '../../../src/domain/shipment-state';
import { aFurnitureShipment, anLtlShipment } from '../../support/builders';

const order = aFurnitureShipment();
const ltl = anLtlShipment();
const stateAt = (phase: 'awaitingBooking' | 'booked' | 'inTransit', over: Partial<ShipmentState> = {}) => ({
  ...initialState(order),
  at: phase === 'awaitingBooking' ? { phase, listingId: '7', unverified: null } : { phase, listingId: '7' },
  ...over,
});
const PAPERS = {
  billOfLading: {
    ...{ billOfLadingNumber: '9', fileName: 'b.pdf', contentType: 'application/pdf', sizeInBytes: 1 },
    ...{ sha256: 'a', fetchedAt: '2035-03-06T00:00:00Z' },
  },
  contacts: 'known' as const,
};

test.each([
  ['the day before the window', '2035-03-05', false],
  ['the first day of the window', '2035-03-06', true],
  ['the last day', '2035-03-09', true],
  ['a day after it: the goods are still there', '2035-03-11', true],
])('a pickup is due on %s: %s', (_, on, isDue) => {
  expect(dueOn(on, order, stateAt('awaitingBooking'))?.isPickupDue ?? false).toBe(isDue);
});

test.each([
  ['the ordered days', order, null, '2035-03-19', false],
  ['the ordered days', order, null, '2035-03-20', true],
  ['the days of the record', order, { earliestOn: '2035-03-10', latestOn: '2035-03-12' }, '2035-03-10', true],
  ['the days of the record', ltl, { earliestOn: '2035-03-10', latestOn: null }, '2035-03-09', false],
  ['nothing', ltl, null, '2035-04-01', false],
] as const)('a delivery is due by %s', (_, shipment, deliveryWindow, on, isDue) => {
  const listing = { deliveryWindow } as ShipmentState['listing'];
  const due = dueOn(on, shipment, stateAt('inTransit', { listing, ...PAPERS }));
  expect(due?.isDeliveryDue ?? false).toBe(isDue);
});

test.each([
  ['booked', { billOfLading: null, contacts: null }, ['billOfLading', 'contacts']],
  ['booked', { ...PAPERS, billOfLading: 'unavailable' }, ['billOfLading']],
  ['inTransit', { ...PAPERS, contacts: 'unavailable' }, ['contacts']],
  ['awaitingBooking', { billOfLading: null }, []],
] as const)('%s with %j lacks %j', (phase, papers, missing) => {
  expect(dueOn('2035-03-06', order, stateAt(phase, papers))?.missingPapers ?? []).toEqual(missing);
});

test.each([
  ['awaitingBooking', null],
  ['booked', 'Prairie Line'],
  ['inTransit', 'Prairie Line'],
] as const)('%s has the carrier %j', (phase, carrier) => {
  const listing = { carrier: { displayName: 'Prairie Line' } } as ShipmentState['listing'];
  const late = { kind: 'silent', since: '2035-03-07T00:00:00Z', isSeen: true } as const;
  expect(dueOn('2035-03-06', order, stateAt(phase, { listing, late }))?.carrier).toBe(carrier);
});

test('what is late is due on any day, with its words', () => {
  const late = { kind: 'silent', since: '2035-03-07T00:00:00Z', isSeen: true } as const;
  const due = dueOn('2035-01-01', order, stateAt('inTransit', { late, ...PAPERS }));
  expect(due).toMatchObject({
    isPickupDue: false,
    late: expect.stringContaining('nothing was heard of the truck'),
  });
  expect(dueOn('2035-01-01', order, stateAt('inTransit', PAPERS))).toBeNull();
});

test.each([
  [{ serviceProvider: { phoneNumber: '+1 555 0100' } }, null, '+1 555 0100'],
  [{ ServiceProvider: { displayName: 'X', mobile: '555 0101' } }, null, '555 0101'],
  [{ Shipper: { phoneNumber: '+1 555 0199' } }, { phone: '555 0102' }, '555 0102'],
  [{ serviceProvider: { phoneNumber: '' } }, null, null],
  ['unavailable', { phone: { areaCode: 555 } }, null],
] as const)(
  'of contacts %j and tracking %j the phone of the carrier is %j',
  (contacts, carrierContact, phone) => {
    const tracking = {
      ...{
        statuses: [],
        lastKnownPlace: null,
        latitude: null,
        longitude: null,
        summary: null,
        carrierContact,
      },
    };
    expect(carrierPhone({ ...initialState(order), contacts, tracking })).toBe(phone);
  },
);
