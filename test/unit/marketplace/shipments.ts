import type { FurnitureShipment, LtlShipment, Stop } from '../../../src/domain/shipment';
import * as builders from '../../support/builders';

export const aStop = (overrides: Partial<Stop> = {}): Stop =>
  builders.aStop({
    address: { ...builders.aStop().address, street: '12 Elm St', postalCode: '78701' },
    contact: { name: 'Ada Byron', companyName: null, phone: '512-555-0147', email: 'ada@example.com' },
    ...overrides,
  });

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
};

export const aFurnitureShipment = (overrides: Partial<FurnitureShipment> = {}): FurnitureShipment =>
  builders.aFurnitureShipment({
    ...base,
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
    serviceTypes: ['BlanketWrap'],
    ...overrides,
  });

const [tiles] = builders.anLtlShipment().items;

export const anLtlShipment = (overrides: Partial<LtlShipment> = {}): LtlShipment =>
  builders.anLtlShipment({
    ...base,
    pickup: { type: 'on', earliest: '2030-05-01', latest: '2030-05-01' },
    items: [
      {
        ...tiles!,
        ...{ title: null, freightClass: '77.5' },
        ...{ lengthInMeters: 1.2, widthInMeters: 1, heightInMeters: 1.1, weightInGrams: 250000 },
      },
    ],
    services: ['ProtectFromFreezing'],
    ...overrides,
  });
