import { expect } from '@jest/globals';
import { DEFAULT_POLICY } from '../../src/domain/default-policy';
import type { ListingRecord } from '../../src/domain/listing';
import type { ListingExtras } from '../../src/domain/listing-extras';
import type { LtlRate } from '../../src/domain/rate';
import type { FurnitureShipment, LtlShipment, Stop } from '../../src/domain/shipment';
import type { ShipmentState } from '../../src/domain/shipment-state';
import { describeWaiting, type Waiting } from '../../src/domain/waiting';
import { updateCandidate, type DuplicateListing, type Candidate } from '../../src/domain/candidates';

export function aStop(over: Partial<Stop> = {}): Stop {
  return {
    address: {
      street: '901 W 9th St',
      unit: null,
      city: 'Austin',
      state: 'TX',
      postalCode: '78703',
      country: 'US',
      latitude: null,
      longitude: null,
    },
    addressType: 'Residence',
    timeZone: 'America/Chicago',
    contact: { name: 'Pat Doe', companyName: null, phone: '+1 512 555 0100', email: null },
    services: { inside: false, liftgate: true, callBeforeArrival: false, appointment: false },
    ...over,
  };
}

const origin = aStop({
  address: { ...aStop().address, street: '2200 Vantage St', city: 'Dallas', postalCode: '75207' },
});

export function aFurnitureShipment(over: Partial<FurnitureShipment> = {}): FurnitureShipment {
  return {
    kind: 'furniture',
    account: 'acme',
    orderId: 'SO-1',
    title: 'Sofa',
    description: null,
    references: [],
    labels: {},
    origin,
    destination: aStop(),
    pickup: { type: 'between', earliest: '2035-03-06', latest: '2035-03-09' },
    delivery: { type: 'before', earliest: null, latest: '2035-03-20' },
    coverage: null,
    priceLimit: null,
    items: [
      {
        title: 'Sofa',
        description: null,
        commodity: 'Furniture',
        quantity: 1,
        lengthInMeters: 2.1336,
        widthInMeters: 0.9652,
        heightInMeters: 0.8636,
        weightInGrams: 64_411,
      },
    ],
    driverNotes: null,
    attributes: null,
    serviceTypes: [],
    gallery: [],
    requestedRateTypes: null,
    images: [],
    ...over,
  };
}

export function anLtlShipment(over: Partial<LtlShipment> = {}): LtlShipment {
  return {
    kind: 'ltl',
    account: 'acme',
    orderId: 'PO-7',
    title: 'Two pallets of tiles',
    description: null,
    references: [],
    labels: {},
    origin,
    destination: aStop(),
    pickup: { type: 'on', earliest: '2035-03-06', latest: '2035-03-06' },
    coverage: null,
    priceLimit: null,
    items: [
      {
        title: 'Tiles',
        description: null,
        commodity: 'NewCommercialGoods',
        quantity: 2,
        handlingUnit: 'Pallets48X40Inches',
        packaging: null,
        stackable: false,
        hazardous: false,
        freightClass: '70',
        lengthInMeters: 1.2192,
        widthInMeters: 1.016,
        heightInMeters: 1.2,
        weightInGrams: 300_000,
      },
    ],
    services: [],
    ...over,
  };
}

/** What the built furniture order waits for in this state. */
export const waitOf = (state: ShipmentState): Waiting | null =>
  describeWaiting(state, { shipment: aFurnitureShipment(), policy: DEFAULT_POLICY });

export function aRate(over: Partial<LtlRate> & { rateId: string }): LtlRate {
  return {
    createdAt: '2035-03-01T00:00:00.000Z',
    expiresAt: '2035-03-08T00:00:00.000Z',
    totalPrice: { minorUnits: 50_000, currency: 'USD' },
    accountCurrency: 'USD',
    serviceType: 'LtlTransportOnly',
    transportMode: 'Trucking',
    vehicleType: 'Van',
    pickupDelayInDays: 0,
    deliveryDelayInDays: 3,
    additionalInformation: null,
    carrier: {
      userId: '1',
      displayName: 'Carrier',
      feedbackCount: 100,
      percentPositive: 97,
      starRating: 4.5,
    },
    ...over,
  };
}

/** A listing of which nothing is known but what is given. */
export const aCandidate = (listingId: string, facts: Partial<Candidate>): Candidate => {
  const [candidate] = updateCandidate(
    { candidates: [], at: { phase: 'booked', listingId } },
    listingId,
    facts,
  ).candidates;
  if (candidate === undefined) throw new TypeError('what is known is kept');
  return candidate;
};

export const aLeft = (listingId: string): Candidate => aCandidate(listingId, { place: { kind: 'left' } });

/** A listing with the order's reference that is not the one followed. */
export function aBeside(listingId: string, over: Partial<DuplicateListing> = {}): Candidate {
  const nothing = { cancellationLink: null, difference: null, wasAskedAbout: false };
  return aCandidate(listingId, { place: { kind: 'beside', status: 'Active', ...nothing, ...over } });
}

/** Of a state, in which no listing could bring a second truck. */
export const noneBeside = (): unknown =>
  expect.not.arrayContaining([
    expect.objectContaining({ place: expect.objectContaining({ kind: 'beside' }) }),
  ]);

/** Of a record that says nothing besides. */
export const NO_EXTRAS: ListingExtras = {
  ...{ nextTransitStatus: null, previousTransitStatus: null, availableTransitStatuses: [], serviceTypes: [] },
  ...{ createdOn: null, activatedOn: null, cancelledOn: null, archivedOn: null, quoteRequestId: null },
  ...{ prices: {}, priceDetails: null, thirdParty: null, importSource: null, privateNetwork: null },
  ...{ questionsAsked: null, activeBidsPlaced: null, totalBidsPlaced: null },
};

export function aListing(over: Partial<ListingRecord> = {}): ListingRecord {
  return {
    listingId: '273679133',
    title: 'Sofa',
    status: 'Active',
    transitStatus: null,
    paymentStatus: null,
    cancellationStatus: null,
    hasPendingBookingRequest: false,
    carrier: null,
    billOfLadingNumber: null,
    namedPrice: null,
    acceptedPrice: null,
    totalCost: null,
    cancellationLink: null,
    bookedOn: null,
    completedOn: null,
    expiresOn: null,
    lastUpdatedOn: null,
    checksum: null,
    referenceNumbers: [{ type: 'ThirdPartyOrderNumber', number: 'acme/SO-1', label: null }],
    postalCodes: ['75207', '78703'],
    deliveryWindow: null,
    totalWeightInGrams: 64_411,
    extras: NO_EXTRAS,
    ...over,
  };
}

/** Builders whose orders are numbered, so that each test has its own. */
export function numberedOrders(furniturePrefix: string, ltlPrefix: string = furniturePrefix) {
  let orders = 0;
  return {
    furniture: (over: Partial<FurnitureShipment> = {}): FurnitureShipment =>
      aFurnitureShipment({ orderId: `${furniturePrefix}-${++orders}`, ...over }),
    ltl: (over: Partial<LtlShipment> = {}): LtlShipment =>
      anLtlShipment({ orderId: `${ltlPrefix}-${++orders}`, ...over }),
  };
}
