import { expect, test } from '@jest/globals';
import { disproveListing } from '../../../src/domain/listing-proof';
import { aFurnitureShipment, aListing } from '../../support/builders';

const shipment = aFurnitureShipment();
const ours = aListing().referenceNumbers;

test('a listing with our reference, postal codes and weight is ours', () => {
  expect(disproveListing(aListing(), shipment, 'SO-1.1')).toBeNull();
});

test.each([
  [
    'another reference',
    { referenceNumbers: [{ type: 'ThirdPartyOrderNumber', number: 'acme/SO-2', label: null }] },
  ],
  [
    'our reference under another type',
    { referenceNumbers: [{ type: 'PurchaseOrder', number: 'acme/SO-1', label: null }] },
  ],
  ['another origin', { postalCodes: ['75208', '78703'] }],
  ['its stops the other way round', { postalCodes: ['78703', '75207'] }],
  ['another weight', { totalWeightInGrams: 1 }],
  ['another send', { referenceNumbers: [...ours, { type: 'Other', number: 'SO-1.2', label: 'Send' }] }],
  [
    'another send in one text',
    { referenceNumbers: [...ours, { type: 'Other', number: 'Send - SO-1.2', label: null }] },
  ],
])('a listing with %s is not ours', (_, over) => {
  expect(disproveListing(aListing(over), shipment, 'SO-1.1')).toContain('listing 273679133');
});

test.each([
  ['ZIP+4', ['75207-1234', '78703']],
  ['no postal codes in the record', []],
])('a listing is still ours with %s', (_, postalCodes) => {
  expect(disproveListing(aListing({ postalCodes }), shipment, null)).toBeNull();
});

test('an order by coordinates has no postal codes to prove by, and the rest still has to be right', () => {
  const without = { ...shipment.origin, address: { ...shipment.origin.address, postalCode: '' } };
  const byCoordinates = { ...shipment, origin: without };
  expect(disproveListing(aListing({ postalCodes: ['99999', '78703'] }), byCoordinates, 'SO-1.1')).toBeNull();
  expect(disproveListing(aListing({ postalCodes: ['75207', '99999'] }), byCoordinates, 'SO-1.1')).toContain(
    'postal codes',
  );
  expect(disproveListing(aListing({ totalWeightInGrams: 1 }), byCoordinates, 'SO-1.1')).toContain('weighs');
});
