import type { FurnitureShipment, LtlShipment, Stop } from '../../../src/domain/shipment';

export function aStop(overrides: Partial<Stop> = {}): Stop {
  return {
    address: {
      street: '12 Elm St',
      unit: null,
      city: 'Austin',
      state: 'TX',
      postalCode: '78701',
      country: 'US',
      latitude: null,
      longitude: null,
    },
    addressType: 'Residence',
    timeZone: 'America/Chicago',
    contact: { name: 'Ada Byron', companyName: null, phone: '512-555-0147', email: 'ada@example.com' },
    services: { inside: false, liftgate: true, callBeforeArrival: false, appointment: false },
    ...overrides,
  };
}

const base = {
  account: 'acme',
  orderId: 'o-1042',
  title: 'Oak table',
  description: 'An oak table',
  references: [{ type: 'PurchaseOrder', number: 'PO-9', label: null }],
  labels: { internal: 'never sent' },
  origin: aStop(),
  destination: aStop({
    address: {
      ...aStop().address,
      street: '9 Oak Ave',
      unit: 'Apt 3',
      city: 'Denver',
      state: 'CO',
      postalCode: '80202',
    },
    addressType: 'BusinessWithoutLoadingDock',
    timeZone: 'America/Denver',
    contact: { name: 'Bob Ray', companyName: 'Ray LLC', phone: '303-555-0111', email: null },
  }),
  priceLimit: null,
};

export function aFurnitureShipment(overrides: Partial<FurnitureShipment> = {}): FurnitureShipment {
  return {
    ...base,
    kind: 'furniture',
    pickup: { type: 'between', earliest: '2030-05-01', latest: '2030-05-04' },
    delivery: { type: 'before', earliest: null, latest: '2030-05-20' },
    coverage: { minorUnits: 250000, currency: 'USD' },
    items: [
      {
        title: 'Table',
        description: null,
        commodity: 'Tables',
        quantity: 2,
        lengthInMeters: 1.8,
        widthInMeters: 0.9,
        heightInMeters: 0.75,
        weightInGrams: 40000,
      },
    ],
    driverNotes: 'gate code 4471',
    attributes: null,
    serviceTypes: ['BlanketWrap'],
    gallery: [],
    requestedRateTypes: null,
    images: [],
    ...overrides,
  };
}

export function anLtlShipment(overrides: Partial<LtlShipment> = {}): LtlShipment {
  return {
    ...base,
    kind: 'ltl',
    pickup: { type: 'on', earliest: '2030-05-01', latest: '2030-05-01' },
    coverage: null,
    items: [
      {
        title: null,
        description: null,
        commodity: 'NewCommercialGoods',
        quantity: 2,
        handlingUnit: 'Pallets48X40Inches',
        packaging: null,
        stackable: false,
        hazardous: false,
        freightClass: '77.5',
        lengthInMeters: 1.2,
        widthInMeters: 1,
        heightInMeters: 1.1,
        weightInGrams: 250000,
      },
    ],
    services: ['ProtectFromFreezing'],
    ...overrides,
  };
}
