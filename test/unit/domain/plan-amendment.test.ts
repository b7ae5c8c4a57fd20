import { expect, test } from '@jest/globals';
import { planAmendment } from '../../../src/domain/plan-amendment';
import type { FurnitureShipment } from '../../../src/domain/shipment';
import { aFurnitureShipment, aStop } from '../../support/builders';

const before = aFurnitureShipment({ description: 'Wrapped' });
const [item] = before.items;
if (item === undefined) throw new TypeError('the builder makes one item');
const elsewhere = aStop({ address: { ...aStop().address, postalCode: '78704' } });
const nextDoor = aStop({ address: { ...aStop().address, street: '903 W 9th St' } });
const image = { fileName: 'a.jpg', contentType: 'image/jpeg', sizeInBytes: 4, sha256: 'a' };

test.each<[string, Partial<FurnitureShipment>, string[]]>([
  ['a description', { description: 'Boxed' }, ['description']],
  ['a title', { title: 'Blue sofa' }, ['title']],
  ['a pickup window', { pickup: { type: 'on', earliest: '2035-03-07', latest: '2035-03-07' } }, ['route']],
  ['a street', { destination: nextDoor }, ['route']],
  ['the name of an item', { items: [{ ...item, title: 'Chair' }] }, ['items']],
  ['service types', { serviceTypes: ['BlanketWrap'] }, ['serviceTypes']],
])('a change of %s is made in place at the same price', (_, over, changed) => {
  const plan = planAmendment(before, { ...before, ...over });
  expect(plan).toMatchObject({ kind: 'change', isPriced: false, hasReferences: false });
  expect(plan.kind === 'change' && Object.keys(plan.changes)).toEqual(changed);
});

test.each<[string, Partial<FurnitureShipment>]>([
  ['a postal code', { destination: elsewhere }],
  ['a weight', { items: [{ ...item, weightInGrams: 70_000 }] }],
  ['a length', { items: [{ ...item, lengthInMeters: 3 }] }],
  ['a quantity', { items: [{ ...item, quantity: 2 }] }],
])('a change of %s is made in place, at a new price', (_, over) => {
  const plan = planAmendment(before, { ...before, ...over });
  expect(plan).toMatchObject({ kind: 'change', isPriced: true, hasReferences: true });
});

test.each<[string, Partial<FurnitureShipment>]>([
  ['images', { images: [image] }],
  ['driverNotes', { driverNotes: 'Gate 4411' }],
  ['coverage', { coverage: { minorUnits: 100, currency: 'USD' } }],
  ['description', { description: null }],
])('a change of %s, which a listing change cannot carry, lists the order again', (field, over) => {
  const plan = planAmendment(before, { ...before, title: 'Blue sofa', ...over });
  expect(plan).toMatchObject({ kind: 'relist', fields: expect.arrayContaining([field]) });
});

test.each<[string, Partial<FurnitureShipment>, string]>([
  ['nothing', {}, 'nothing'],
  ['the order of keys', { destination: { ...nextDoor, ...aStop() } }, 'nothing'],
  ['labels', { labels: { costCentre: '7' } }, 'recordOnly'],
  ['the price limit', { priceLimit: { minorUnits: 1, currency: 'USD' } }, 'recordOnly'],
])('a change of %s is not sent to the marketplace', (_, over, kind) => {
  expect(planAmendment(before, { ...before, ...over }).kind).toBe(kind);
});

test('different references replace the list, and nothing else is sent', () => {
  const references = [{ type: 'PurchaseOrder', number: 'PO-1', label: null }];
  const plan = planAmendment(before, { ...before, references });
  expect(plan).toMatchObject({ kind: 'change', changes: {}, isPriced: false, hasReferences: true });
});
