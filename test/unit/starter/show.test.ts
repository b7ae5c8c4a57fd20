import { duplicateListings } from '../../../src/domain/candidates';
import { expect, test } from '@jest/globals';
import { keepSaid } from '../../../src/domain/bounded-state';
import type { ListingExtras } from '../../../src/domain/listing-extras';
import { enterPhase, initialState, type ShipmentState } from '../../../src/domain/shipment-state';
import { renderShipment } from '../../../src/starter/cli/show';
import { detailLines } from '../../../src/starter/cli/show-details';
import { currentDetails, searchAttributePairs, waitingMemo } from '../../../src/workflows/run/presentation';
import { aFurnitureShipment, aListing, aBeside, waitOf } from '../../support/builders';

const trio = (value: string) => ({ value, label: `${value} (étiquette)`, shortLabel: value });
const CONTACTS = {
  Shipper: { userId: 7, displayName: 'Acme Sofas', links: [{ rel: 'self', href: '/users/7' }] },
  serviceProvider: { companyName: 'Prairie Line', phones: ['+1 555 0100', '+1 555 0101'], email: '' },
  locations: {
    pickup: { name: 'Pat Doe', address: { city: 'Dallas', type: trio('Residence') } },
    note: null,
  },
};

const escape = (text: string): string => text.replaceAll(/[()]/g, '\\$&');

function showing(over: Partial<ShipmentState>): { readonly state: ShipmentState; readonly text: string } {
  const booked = enterPhase(initialState(aFurnitureShipment()), { phase: 'inTransit', listingId: '7' });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the phase stays what it is
  const state = { ...booked, listing: aListing(), ...over } as ShipmentState;
  const view = { workflowId: 'shipment/acme/SO-1', runId: 'r', status: 'RUNNING', waitingFor: null };
  return { state, text: renderShipment({ ...view, state, failure: null, withdrawal: null }) };
}

test('show prints shipper, carrier and places, however deep their fields are', () => {
  const { text } = showing({ contacts: CONTACTS });
  for (const line of [
    'Shipper.userId: 7',
    'Shipper.displayName: Acme Sofas',
    'serviceProvider.companyName: Prairie Line',
    'serviceProvider.phones.0: +1 555 0100',
    'serviceProvider.phones.1: +1 555 0101',
    'locations.pickup.name: Pat Doe',
    'locations.pickup.address.city: Dallas',
    'locations.pickup.address.type: Residence',
  ])
    expect(text.split('\n')).toContain(`  ${line}`);
  for (const absent of ['étiquette', '/users/7', 'email', 'note']) expect(text).not.toContain(absent);
});

test('show prints the statuses of the tracking, the position, its summary and its contact', () => {
  const tracking = {
    statuses: [
      { status: 'Dispatched', setAt: '2035-03-06T08:00:00.000Z' },
      { status: 'PickedUp', setAt: null },
    ],
    ...{ lastKnownPlace: 'Waco, TX', latitude: 31.5, longitude: -97.1 },
    summary: { eta: '2035-03-09', status: trio('Booked') },
    carrierContact: { name: 'Robin Roe', phoneNumber: '+1 555 0102' },
  };
  const lines = showing({ tracking }).text.split('\n');
  for (const line of [
    '  2035-03-06 08:00:00Z  Dispatched',
    '                        PickedUp',
    '  eta: 2035-03-09',
    '  status: Booked',
    '  carrier of the tracking.name: Robin Roe',
    '  carrier of the tracking.phoneNumber: +1 555 0102',
  ])
    expect(lines).toContain(line);
  expect(lines.find((line) => line.includes('Position'))).toContain('31.5, -97.1');
});

const extras: ListingExtras = {
  ...{ nextTransitStatus: 'PickedUp', previousTransitStatus: null, serviceTypes: ['BlanketWrap'] },
  availableTransitStatuses: ['PickedUp', 'Delivered'],
  ...{ createdOn: '2035-03-01T08:00:00.000Z', activatedOn: null, cancelledOn: null, archivedOn: null },
  prices: { bookingDeposit: { minorUnits: 2_000, currency: 'USD' } },
  priceDetails: {
    lineItems: [{ description: 'Reweigh', amount: { ...trio('20'), value: 20, currencyType: trio('USD') } }],
  },
  ...{ quoteRequestId: 'q-1', thirdParty: { revision: '3' }, importSource: null, privateNetwork: null },
  ...{ questionsAsked: 2, activeBidsPlaced: 0, totalBidsPlaced: 4 },
};

test("show prints the record's prices, dates, next step and price details, and omits what is absent", () => {
  const listing = aListing({
    ...{ totalCost: { minorUnits: 59_000, currency: 'USD' }, bookedOn: '2035-03-02T09:30:00.000Z' },
    extras,
  });
  const { text } = showing({ listing });
  for (const [name, value] of [
    ['Prices', 'total USD 590.00, booking deposit USD 20.00'],
    ['Dates', 'created 2035-03-01 08:00Z, booked 2035-03-02 09:30Z'],
    ['Next transit', 'PickedUp (or Delivered)'],
    ['Services', 'BlanketWrap'],
    ['Questions', "2 asked (answer on the marketplace's website)"],
    ['Quote request', 'q-1'],
  ] as const)
    expect(text.split('\n').find((line) => line.includes(`${name} `))).toMatch(
      new RegExp(`${escape(value)}$`),
    );
  expect(text).toContain('  lineItems.0.description: Reweigh\n  lineItems.0.amount: 20 USD');
  expect(text).toContain('  revision: 3');
  const bare = showing({ listing: aListing() }).text;
  for (const absent of ['Prices', 'Dates', 'Next transit', 'Price details', 'Questions'])
    expect(bare).not.toContain(absent);
});

test('show and the web UI say when the goods should arrive, if the record says it', () => {
  const listing = aListing({ deliveryWindow: { earliestOn: '2035-03-08', latestOn: '2035-03-10' } });
  const { state, text } = showing({ listing });
  expect(text).toMatch(/Delivery.* between 2035-03-08 and 2035-03-10/);
  expect(currentDetails(state, waitOf(state))).toContain('- Delivery: between 2035-03-08 and 2035-03-10');
  expect(showing({}).text).not.toContain('Delivery ');
});

test('a state without contacts and summary is shown too', () => {
  const tracking = {
    ...{ statuses: [], lastKnownPlace: null, latitude: null, longitude: null },
    ...{ summary: null, carrierContact: null },
  };
  const { text } = showing({ tracking, contacts: 'unavailable' });
  expect(text).toMatch(/Contacts.* unavailable/);
  expect(text).not.toContain('Position');
  expect(showing({ tracking: null, contacts: null }).text).not.toContain('Contacts');
});

test('names of contacts are in no memo, attribute or text of the web UI', () => {
  const carrierContact = { name: 'Robin Roe', phoneNumber: '+1 555 0102' };
  const tracking = {
    ...{ statuses: [], lastKnownPlace: null, latitude: null, longitude: null },
    ...{ summary: null, carrierContact },
  };
  const { state } = showing({ contacts: CONTACTS, tracking });
  const shown = [
    waitingMemo(waitOf(state)),
    currentDetails(state, waitOf(state)),
    ...searchAttributePairs(state).map(({ value }) => String(value)),
  ].join(' ');
  for (const secret of ['Pat Doe', 'Robin Roe', '555', 'Acme Sofas']) expect(shown).not.toContain(secret);
});

test('text that would move the cursor, or is very long, is shown on separate lines', () => {
  expect(detailLines({ 'a\nb': 'x\u001b[2J\ny' })).toEqual(['a b: x [2J y']);
  const deep = Array.from({ length: 5_000 }).reduce<unknown>((inner) => ({ a: inner }), 'end');
  expect(detailLines(deep)).toEqual([expect.stringMatching(/^a\.a.*: \(more inside\)$/)]);
});

test('unknown values are shown with how often they were read', () => {
  const { text } = showing({ unknownValues: [{ value: 'status Pondering', times: 3 }] });
  expect(text).toMatch(/Unknown values.* status Pondering \(3 times\)/);
});

const BEARERS = ['https://market.example/cancel?key=c1', 'https://market.example/track?key=t1'] as const;

test.each<[string, Partial<ShipmentState>]>([
  ['a booked shipment', { question: null }],
  ['one whose question names two listings', { question: aQuestion() }],
  [
    'one with a second listing',
    {
      candidates: [
        aBeside('8', { status: 'Booked', cancellationLink: 'https://market.example/cancel?key=c2' }),
      ],
    },
  ],
])('only show prints links that act for anyone who has them: %s', (_, over) => {
  const listing = aListing({ cancellationLink: BEARERS[0] });
  const { state, text } = showing({ listing, trackingLink: { url: BEARERS[1] }, ...over });
  for (const link of BEARERS) expect(text).toContain(link);
  const others = [
    waitingMemo(waitOf(state)),
    currentDetails(state, waitOf(state)),
    JSON.stringify(searchAttributePairs(state)),
  ];
  for (const other of others) expect(other).not.toContain('market.example');
  const seconds = duplicateListings(state).map(
    ({ cancellationLink }) => `Cancel 8        ${cancellationLink}`,
  );
  expect(seconds.filter((line) => !text.includes(line))).toEqual([]);
  expect(text).toContain(`Cancel at       ${BEARERS[0]}`);
});

function aQuestion(): NonNullable<ShipmentState['question']> {
  const since = '2035-03-06T08:00:00.000Z';
  const text = 'Two trucks may come: 7 (Booked) and 8 (Booked).';
  return {
    ...{ id: 'q1-possibleDoubleBooking', kind: 'possibleDoubleBooking', text, since, answers: ['retry'] },
    ...{ listingIds: ['71', '72'], offer: null, supportAddress: null },
  };
}

test('only show prints what the marketplace said: the same words once, and the last ten', () => {
  const about = 'POST /v2/listings answered 400: 40006 title';
  const say = (state: ShipmentState, words: string): ShipmentState =>
    keepSaid(state, '2035-03-06T08:00:00.000Z', { about, words });
  const words = ['the lane is embargoed', 'the lane is embargoed', 'too \u001b[2Jheavy'];
  const { said } = words.reduce(say, showing({}).state);
  const { state, text } = showing({ said });
  expect(text).toContain(`2035-03-06 08:00:00Z  ${about}: "the lane is embargoed"`);
  expect(text).toContain('"too [2Jheavy"');
  expect(said).toHaveLength(2);
  expect(currentDetails(state, waitOf(state))).not.toContain('embargoed');
  const many = Array.from({ length: 15 }, (_, index) => `reason ${index}`).reduce(say, state).said;
  expect(many.map((one) => one.words)).toEqual(
    Array.from({ length: 10 }, (_, index) => `reason ${index + 5}`),
  );
});
