import { expect, test } from '@jest/globals';
import {
  contradictingReference,
  isOfAnotherCarrier,
  isOfAnotherSend,
  loadOf,
  recogniseListing,
} from '../../../src/domain/listing-proof';
import { aFurnitureShipment, aListing } from '../../support/builders';

const shipment = aFurnitureShipment();
const order = { shipment, earlierLoads: [], isOwn: false };
const OURS = { kind: 'ours', outdated: null };

test("a listing with the order's reference, postal codes and weight is the order's", () => {
  expect(recogniseListing(aListing(), order)).toEqual(OURS);
});

test.each([
  ['is as the order says', {}, OURS],
  ['says neither where it goes nor what it weighs', { postalCodes: [], totalWeightInGrams: null }, OURS],
  ['weighs something else', { totalWeightInGrams: 1 }, { kind: 'differs', why: expect.any(String) }],
])(
  "a listing without references that the order's own write named and that %s is the order's",
  (_, over, as) => {
    const record = aListing({ referenceNumbers: [], ...over });
    expect(recogniseListing(record, { ...order, isOwn: true })).toEqual(as);
    expect(recogniseListing(record, order).kind).toBe('unreferenced');
  },
);

test.each([
  [
    'another reference',
    { referenceNumbers: [{ type: 'ThirdPartyOrderNumber', number: 'acme/SO-2', label: null }] },
  ],
  [
    'a longer reference than ours',
    { referenceNumbers: [{ type: 'ThirdPartyOrderNumber', number: 'acme/SO-12', label: null }] },
  ],
  ['a reference of no order', { referenceNumbers: [{ type: 'PurchaseOrder', number: 'PO-1', label: null }] }],
  [
    'our reference as a remark of another order',
    {
      referenceNumbers: [
        { type: 'PurchaseOrder', number: 'acme/SO-1', label: null },
        { type: 'ThirdPartyOrderNumber', number: 'acme/SO-2', label: null },
      ],
    },
  ],
])('a listing with %s is foreign', (_, over) => {
  const why = 'listing 273679133 does not carry the reference acme/SO-1';
  expect(recogniseListing(aListing(over), order)).toEqual({ kind: 'foreign', why });
});

test.each([
  ['11', 'acme/SO-1'],
  ['', 'acme/SO-1'],
  ['Third party order number', 'acme/SO-1'],
  ['PurchaseOrder', 'acme/SO-1'],
  ['Auftragsnummer', ' acme/SO-1 '],
  ['Other', 'Order number - acme/SO-1'],
  ['ThirdPartyOrderNumber', 'Our order - acme/SO-1'],
])('the order\'s reference counts by its value under the type "%s": %s', (type, number) => {
  const others = { type: 'Invoice', number: 'I-7', label: null };
  const record = aListing({ referenceNumbers: [others, { type, number, label: null }] });
  expect(recogniseListing(record, order)).toEqual(OURS);
  expect(contradictingReference(record, shipment)).toBeNull();
});

test.each([
  ['ThirdPartyOrderNumber', 'acme/SO-2', 'acme/SO-2'],
  ['11', 'other/SO-1', 'other/SO-1'],
  ['third-party order number', 'Order - acme/SO-2', 'acme/SO-2'],
  ['', 'acme/SO-2', 'acme/SO-2'],
  ['', 'other/SO-1', null],
  ['PurchaseOrder', 'acme/SO-2', null],
  ['Invoice', '7/2035', null],
  ['ThirdPartyOrderNumber', '4711', null],
])('a reference of type "%s" and number %s names the other order %s', (type, number, other) => {
  const record = aListing({ referenceNumbers: [{ type, number, label: null }] });
  expect(contradictingReference(record, shipment)).toBe(other);
});

test.each([
  ['the same load', {}, { kind: 'same' }],
  ['no postal codes, and the same weight', { postalCodes: [] }, { kind: 'same' }],
  ['neither postal codes nor weight', { postalCodes: [], totalWeightInGrams: null }, { kind: 'unknown' }],
  [
    'another weight',
    { totalWeightInGrams: 1 },
    { kind: 'differs', why: expect.stringContaining('weighs 1 g') },
  ],
])('a listing without references is not foreign, and its load is compared: %s', (_, over, load) => {
  expect(recogniseListing(aListing({ referenceNumbers: [], ...over }), order)).toEqual({
    kind: 'unreferenced',
    load,
    why: 'listing 273679133 does not carry the reference acme/SO-1, nor any other',
  });
});

test.each([
  ['another origin', { postalCodes: ['75208', '78703'] }, 'postal codes'],
  ['its stops the other way round', { postalCodes: ['78703', '75207'] }, 'postal codes'],
  ['another weight', { totalWeightInGrams: 1 }, 'weighs 1 g, the order'],
])("a listing with the order's reference and %s differs, and may bring a second truck", (_, over, why) => {
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
])(
  "a record of two units of 50 g that shows the weight %s (%i g) is the order's: %s",
  (_, weight, isOurs) => {
    const [item] = shipment.items;
    if (item === undefined) throw new TypeError('an order has items');
    const two = { ...shipment, items: [{ ...item, quantity: 2, weightInGrams: 50 }] };
    const found = recogniseListing(aListing({ totalWeightInGrams: weight }), { ...order, shipment: two });
    expect(found.kind).toBe(isOurs ? 'ours' : 'differs');
  },
);

test.each([
  ['names another send', { type: 'Other', number: 'SO-1.2', label: 'Send' }, true],
  ['names another send in one text', { type: 'Other', number: 'Send - SO-1.2', label: null }, true],
  ['names this send', { type: 'Other', number: 'Send - SO-1.1', label: null }, false],
  ['names no send', { type: 'Other', number: 'PO-1', label: null }, false],
])("a listing that %s may be another order's: %s", (_, reference, isAnother) => {
  const listing = aListing({ referenceNumbers: [reference] });
  expect(isOfAnotherSend(listing, 'SO-1.1')).toBe(isAnother);
});

test.each([
  ['ZIP+4', ['75207-1234', '78703']],
  ['no postal codes in the record', []],
])("a listing is still the order's with %s", (_, postalCodes) => {
  expect(recogniseListing(aListing({ postalCodes }), order)).toEqual(OURS);
});

test('an order by coordinates has no postal codes as proof, and the rest must still match', () => {
  const without = { ...shipment.origin, address: { ...shipment.origin.address, postalCode: '' } };
  const byCoordinates = { ...order, shipment: { ...shipment, origin: without } };
  expect(recogniseListing(aListing({ postalCodes: ['99999', '78703'] }), byCoordinates)).toEqual(OURS);
  for (const over of [{ postalCodes: ['75207', '99999'] }, { totalWeightInGrams: 1 }])
    expect(recogniseListing(aListing(over), byCoordinates).kind).toBe('differs');
});

test("a listing from before a revision is the order's, and how it is outdated is reported", () => {
  const [item] = shipment.items;
  if (item === undefined) throw new TypeError('an order has items');
  const revised = { ...shipment, items: [{ ...item, weightInGrams: 90_000 }] };
  const order = { shipment: revised, earlierLoads: [loadOf(shipment)], isOwn: false };
  expect(recogniseListing(aListing(), order)).toEqual({
    kind: 'ours',
    outdated: expect.stringContaining('the order 90000 g'),
  });
  expect(recogniseListing(aListing({ totalWeightInGrams: 1 }), order).kind).toBe('differs');
});

test.each([
  ['of the same id', { userId: '7', displayName: 'Old Name' }, false],
  ['of another id', { userId: '8', displayName: 'Acme Trucking' }, true],
  ['of the same name without an id', { userId: null, displayName: 'Acme Trucking' }, false],
  ['of another name without an id', { userId: null, displayName: 'Other Trucking' }, true],
  ['not named', null, false],
])('a booking whose carrier is %s is of another carrier: %o %s', (_, carrier, isOther) => {
  expect(isOfAnotherCarrier({ carrier }, { userId: '7', displayName: 'Acme Trucking' })).toBe(isOther);
});
