import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { bookingSaid, boundedEvent, NAMED_AT_MOST, readClues } from '../../../src/domain/marketplace-event';

const OURS = { account: 'acme', orderId: 'SO-1' };
const trio = (value: unknown) => ({ value, label: 'Any label', shortLabel: 'Any' });
const ordersOf = (data: unknown) => readClues('', data).orders;
const listingsOf = (data: unknown) => readClues('', data).listingIds;

test.each([
  ['a name', 'ThirdPartyOrderNumber'],
  ['a trio', trio('ThirdPartyOrderNumber')],
])("the order's reference is found when its type is %s", (_which, type) => {
  const referenceNumbers = [{ number: 'acme/SO-1', type, referenceNumberLabel: null }];
  expect(ordersOf({ referenceNumbers })).toEqual([OURS]);
});

test.each([
  ['another type', { number: 'acme/SO-1', type: 'PurchaseOrder' }],
  ['the number of a type', { number: 'acme/SO-1', type: 11 }],
  ['a renamed type in a trio', { number: 'acme/SO-1', type: trio('Kundenauftrag') }],
  ['no type', { number: 'acme/SO-1' }],
  ['an empty type', { number: 'acme/SO-1', type: null }],
  ['its label in front', { number: 'Order - acme/SO-1', type: 'Other' }],
])("the order's reference is recognised by its value, under %s", (_which, reference) => {
  expect(ordersOf({ referenceNumbers: [reference] })).toEqual([OURS]);
});

test('a reference with the type of order numbers outweighs other types', () => {
  const referenceNumbers = [
    { number: 'acme/SO-2', type: 'PurchaseOrder' },
    { number: 'acme/SO-1', type: 'ThirdPartyOrderNumber' },
  ];
  expect(ordersOf({ referenceNumbers })).toEqual([OURS]);
});

test.each([
  ["somebody else's form", { number: 'SO-1', type: 'ThirdPartyOrderNumber' }],
  ['a third part', { number: 'acme/SO-1/2', type: 'ThirdPartyOrderNumber' }],
  ['no account', { number: '/SO-1', type: 'ThirdPartyOrderNumber' }],
  ['an account in capitals', { number: 'ACME/SO-1', type: 'ThirdPartyOrderNumber' }],
  ['a character that order ids have not', { number: 'acme/SO 1', type: 'ThirdPartyOrderNumber' }],
  ['a number that is no text', { number: 7, type: 'ThirdPartyOrderNumber' }],
])("a reference with %s is not an order's", (_which, reference) => {
  expect(ordersOf({ referenceNumbers: [reference] })).toEqual([]);
});

test("the order's reference is found among others' references", () => {
  const referenceNumbers = [
    { number: '4711', type: trio('Invoice') },
    { number: 'acme/SO-1', type: trio('ThirdPartyOrderNumber') },
    { number: 'x', type: trio('Other') },
  ];
  expect(ordersOf({ referenceNumbers })).toEqual([OURS]);
});

test('references to several accounts are all returned, each once: the URL decides whose they are', () => {
  const type = 'ThirdPartyOrderNumber';
  const referenceNumbers = ['globex/SO-1', 'acme/SO-1', 'globex/SO-1'].map((number) => ({ number, type }));
  expect(ordersOf({ referenceNumbers })).toEqual([{ account: 'globex', orderId: 'SO-1' }, OURS]);
});

test('a reference is found in nested data', () => {
  const reference = { number: 'acme/SO-1', type: 'ThirdPartyOrderNumber' };
  expect(ordersOf({ listing: { details: { added: reference } } })).toEqual([OURS]);
});

test.each([
  ['a number', { listingId: 273679133 }],
  ['a text', { listingId: '273679133' }],
  ['listingID', { listingID: '273679133' }],
  ['the id that was generated', { listingGeneratedId: 273679133 }],
  ['nested', { shipment: { listing: { listingId: 273679133 } } }],
  ['in a list', { listings: [{ listingId: 273679133 }] }],
  ['a URI', { listingUri: 'https://api.example/v2/listings/273679133' }],
  ['a URI with a slash after it', { uri: 'https://api.example/listings/273679133/' }],
  ['a URI with a query', { uri: 'https://api.example/listings/273679133?x=1' }],
  ['a URI of a part of the listing', { uri: '/listings/273679133/attachments/9' }],
  ['a URI in a list', { links: ['https://api.example/v2/listings/273679133'] }],
])('a listing id is found as %s', (_which, data) => {
  expect(listingsOf(data)).toEqual(['273679133']);
});

test.each([
  ['letters', { listingId: 'abc' }],
  ['a fraction', { listingId: 1.5 }],
  ['a negative number', { listingId: -7 }],
  ['a number beyond all bounds', { listingId: 1e300 }],
  ['more than 12 digits', { listingId: '1234567890123' }],
  ['an object', { listingId: { value: 7 } }],
  ['nothing', { listingId: null }],
  ['a path of our own workflows', { uri: '/listings/../../7' }],
  ['a URI with letters', { uri: 'https://api.example/listings/7a' }],
  ['a URI of something else', { uri: 'https://api.example/mylistings/7' }],
  ['an id of something else', { attachmentId: 7, id: 8 }],
])('%s is no listing id', (_which, data) => {
  expect(listingsOf(data)).toEqual([]);
});

test('the source names the listing, after what the data says, and each id comes once', () => {
  const data = { listingId: 8, self: '/listings/7', again: '/listings/8' };
  expect(readClues('https://api.example/listings/7', data).listingIds).toEqual(['8', '7']);
  expect(readClues('https://api.example/listings/7', {}).listingIds).toEqual(['7']);
});

test('very deep data is not searched', () => {
  const nest = (depth: number): unknown =>
    Array.from({ length: depth }).reduce<unknown>((inner) => ({ inner }), { listingId: 7 });
  expect(listingsOf(nest(4))).toEqual(['7']);
  expect(listingsOf(nest(1_000))).toEqual([]);
});

test('any data gives clues of the right form, and none throws', () => {
  fc.assert(
    fc.property(fc.string(), fc.anything(), (source, data) => {
      const { orders, listingIds } = readClues(source, data);
      for (const id of listingIds) expect(id).toMatch(/^\d{1,12}$/);
      for (const { account } of orders) expect(account).toMatch(/^[a-z0-9-]+$/);
    }),
  );
});

test.each([
  [{ attachmentId: '5512' }],
  [{ attachmentId: 5512 }],
  [{ AttachmentID: '5512' }],
  [{ uri: 'https://api.example/v2/listings/7/attachments/5512' }],
  [{ links: [{ href: '/v2/listings/7/attachments/5512?embed=1' }] }],
  [{ attachment: { attachmentId: '5512', uri: 'https://api.example/v2/listings/7/attachments/5512' } }],
])('an attachment is found in %j, once', (data) => {
  expect(readClues('', data).attachmentIds).toEqual(['5512']);
});

test.each([
  [{ attachmentId: '../5512' }],
  [{ attachmentId: '' }],
  [{ attachmentId: { value: '5512' } }],
  [{ attachmentId: 'x'.repeat(65) }],
  [{ uri: 'https://api.example/v2/listings/7/attachments/' }],
  [{ uri: 'https://api.example/v2/listings/7/attachments/a%2Fb' }],
])('%j names no attachment', (data) => {
  expect(readClues('', data).attachmentIds).toEqual([]);
});

test('an event that names more attachments than it can mean is cut short', () => {
  const data = { list: Array.from({ length: 50 }, (_, attachmentId) => ({ attachmentId })) };
  expect(readClues('', data).attachmentIds).toHaveLength(10);
});

test.each([
  ['Listing.Booked/v1', {}, 'bookedEvent'],
  ['Listing.StatusChanged/v1', { status: { value: 3, label: 'Booked' } }, 'bookedEvent'],
  ['Listing.StatusChanged/v1', { newStatus: 'complete' }, 'completedEvent'],
  ['Listing.StatusChanged/v1', { status: { value: 'Active' } }, null],
  ['Shipment.TransitStatusChanged/v1', { status: 'Booked' }, null],
])('the event %s with %j says about a booking: %s', (type, data, says) => {
  expect(bookingSaid(type, data)).toBe(says);
});

const numbered = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test("of an event that names 15,000 listings ten are kept, including the source's, and the others counted", () => {
  const data = { listings: numbered(15_000).map((listingId) => ({ listingId })) };
  const { listingIds, leftOut } = readClues('https://api.example/listings/99999', data);
  expect(listingIds).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '99999']);
  expect(leftOut).toEqual({ listings: 15_001 - NAMED_AT_MOST, orders: 0, attachments: 0 });
});

test('of an event that names 3,000 orders and 4,000 attachments ten of each are kept, and the others counted', () => {
  const type = 'ThirdPartyOrderNumber';
  const data = {
    referenceNumbers: numbered(3_000).map((number) => ({ number: `acme/SO-${number}`, type })),
    attachments: numbered(4_000).map((attachmentId) => ({ attachmentId })),
  };
  const clues = readClues('', data);
  expect(clues.orders.map(({ orderId }) => orderId)).toEqual(numbered(10).map((number) => `SO-${number}`));
  expect(clues.attachmentIds).toHaveLength(NAMED_AT_MOST);
  expect(clues.leftOut).toEqual({ listings: 0, orders: 2_990, attachments: 3_990 });
});

test('the subject of an event comes before its lists, however deep and long they are', () => {
  const listed = { inner: { listings: numbered(50).map((listingId) => ({ listingId })) } };
  expect(readClues('', { listed, listingId: 777 }).listingIds[0]).toBe('777');
});

test.each([
  ['listing ids', { listingIds: numbered(20_000).map(String) }],
  ['attachment ids', { attachmentIds: numbered(20_000).map(String) }],
  [
    'a long id, type, time and key',
    { id: 'i'.repeat(90_000), type: '運'.repeat(50_000), time: '"'.repeat(40_000), key: 'k'.repeat(90_000) },
  ],
])('an event that arrives with %s adds little to a state', (_which, over) => {
  const event = { id: '1', type: 'hint', time: '', listingIds: [], attachmentIds: [], ...over };
  expect(Buffer.byteLength(JSON.stringify(boundedEvent(event)))).toBeLessThan(6_000);
});
