import { expect, test } from '@jest/globals';
import { isOfAnotherSend, loadOf, recogniseListing } from '../../../src/domain/listing-proof';
import { aFurnitureShipment, aListing } from '../../support/builders';

const shipment = aFurnitureShipment();
const order = { shipment, earlierLoads: [] };
const OURS = { kind: 'ours', outdated: null };

test('a listing with our reference, postal codes and weight is ours', () => {
  expect(recogniseListing(aListing(), order)).toEqual(OURS);
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
])('a listing with %s is foreign', (_, over) => {
  const why = 'listing 273679133 does not carry the reference acme/SO-1';
  expect(recogniseListing(aListing(over), order)).toEqual({ kind: 'foreign', why });
});

test.each([
  ['another origin', { postalCodes: ['75208', '78703'] }, 'postal codes'],
  ['its stops the other way round', { postalCodes: ['78703', '75207'] }, 'postal codes'],
  ['another weight', { totalWeightInGrams: 1 }, 'weighs 1 g, the order'],
])('a listing with our reference and %s differs, and may bring a second truck', (_, over, why) => {
  expect(recogniseListing(aListing(over), order)).toEqual({
    kind: 'differs',
    why: expect.stringContaining(why),
  });
});

test.each([
  ['meant', 100, true],
  ['of one unit of each line', 50, true],
  ['of lines that were sent whole and multiplied again', 200, true],
  ['of nothing that was sent', 75, false],
])('a record of two units of 50 g that shows the weight %s (%i g) is ours: %s', (_, weight, isOurs) => {
  const [item] = shipment.items;
  if (item === undefined) throw new TypeError('an order has items');
  const two = { ...shipment, items: [{ ...item, quantity: 2, weightInGrams: 50 }] };
  const found = recogniseListing(aListing({ totalWeightInGrams: weight }), { ...order, shipment: two });
  expect(found.kind).toBe(isOurs ? 'ours' : 'differs');
});

test.each([
  ['names another send', { type: 'Other', number: 'SO-1.2', label: 'Send' }, true],
  ['names another send in one text', { type: 'Other', number: 'Send - SO-1.2', label: null }, true],
  ['names this send', { type: 'Other', number: 'Send - SO-1.1', label: null }, false],
  ['names no send', { type: 'Other', number: 'PO-1', label: null }, false],
])('a listing that %s may be of another one: %s', (_, reference, isAnother) => {
  const listing = aListing({ referenceNumbers: [reference] });
  expect(isOfAnotherSend(listing, 'SO-1.1')).toBe(isAnother);
});

test.each([
  ['ZIP+4', ['75207-1234', '78703']],
  ['no postal codes in the record', []],
])('a listing is still ours with %s', (_, postalCodes) => {
  expect(recogniseListing(aListing({ postalCodes }), order)).toEqual(OURS);
});

test('an order by coordinates has no postal codes to prove by, and the rest still has to be right', () => {
  const without = { ...shipment.origin, address: { ...shipment.origin.address, postalCode: '' } };
  const byCoordinates = { ...order, shipment: { ...shipment, origin: without } };
  expect(recogniseListing(aListing({ postalCodes: ['99999', '78703'] }), byCoordinates)).toEqual(OURS);
  for (const over of [{ postalCodes: ['75207', '99999'] }, { totalWeightInGrams: 1 }])
    expect(recogniseListing(aListing(over), byCoordinates).kind).toBe('differs');
});

test('what was sent before the order was revised is ours, and in which way it is outdated is told', () => {
  const [item] = shipment.items;
  if (item === undefined) throw new TypeError('an order has items');
  const revised = { ...shipment, items: [{ ...item, weightInGrams: 90_000 }] };
  const order = { shipment: revised, earlierLoads: [loadOf(shipment)] };
  expect(recogniseListing(aListing(), order)).toEqual({
    kind: 'ours',
    outdated: expect.stringContaining('the order 90000 g'),
  });
  expect(recogniseListing(aListing({ totalWeightInGrams: 1 }), order).kind).toBe('differs');
});
