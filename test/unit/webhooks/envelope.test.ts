import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { EVENT_TYPES } from '../../../src/domain/marketplace-event';
import { readEnvelope } from '../../../src/webhooks/envelope';

const anEnvelope = (over: object = {}) => ({
  specversion: '1.0',
  id: '0f1d7c2e-5a50-4e4a-8a52-6a4f3a1d9b11',
  source: 'urn:marketplace',
  time: '2035-03-01T12:00:00Z',
  type: 'Listing.Booked/v1',
  data: { listingId: 273679133 },
  ...over,
});
const read = (value: unknown) => readEnvelope(Buffer.from(JSON.stringify(value)));

test('an envelope becomes an event with what its data says about whose it is', () => {
  const number = 'acme/SO-1';
  const data = { listingId: 273679133, referenceNumbers: [{ number, type: 'ThirdPartyOrderNumber' }] };
  expect(read(anEnvelope({ data }))).toEqual({
    kind: 'event',
    event: {
      id: '0f1d7c2e-5a50-4e4a-8a52-6a4f3a1d9b11',
      type: 'Listing.Booked/v1',
      time: '2035-03-01T12:00:00Z',
      says: 'bookedEvent',
      listingIds: ['273679133'],
      attachmentIds: [],
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
    clues: {
      orders: [{ account: 'acme', orderId: 'SO-1' }],
      listingIds: ['273679133'],
      attachmentIds: [],
      leftOut: null,
    },
    isKnownType: true,
  });
});

test.each(EVENT_TYPES)('the type %s is known', (type) => {
  expect(read(anEnvelope({ type }))).toMatchObject({ kind: 'event', isKnownType: true });
});

test('another type is an event of an unknown type', () => {
  expect(read(anEnvelope({ type: 'Listing.Booked/v2' }))).toMatchObject({
    kind: 'event',
    isKnownType: false,
  });
});

test.each([
  ['2035-03-01T12:00:00Z'],
  ['2035-03-01T12:00:00.1234567Z'],
  ['2035-03-01T12:00:00+02:00'],
  ['2035-03-01T12:00:00.5-06:00'],
])('the time %s is taken as it is', (time) => {
  expect(read(anEnvelope({ time }))).toMatchObject({ kind: 'event', event: { time } });
});

test('extra attributes and absent data are taken', () => {
  expect(read({ ...anEnvelope({ subject: 'x', dataschema: null }), data: undefined })).toMatchObject({
    kind: 'event',
    clues: { orders: [], listingIds: [] },
  });
});

test.each([
  ['no id', { id: undefined }, 'id:'],
  ['an empty id', { id: '' }, 'id:'],
  ['a number for an id', { id: 7 }, 'id:'],
  ['an id of 201 characters', { id: 'x'.repeat(201) }, 'id:'],
  ['no type', { type: undefined }, 'type:'],
  ['no source', { source: undefined }, 'source:'],
  ['no time', { time: undefined }, 'time:'],
  ['a day for a time', { time: '2035-03-01' }, 'time:'],
  ['a day that does not exist', { time: '2035-02-30T12:00:00Z' }, 'time:'],
  ['another version', { specversion: '0.3' }, 'specversion:'],
  ['a list for data', { data: [] }, 'data:'],
  ['a text for data', { data: 'x' }, 'data:'],
])('an envelope with %s is refused, and the reason names the field', (_which, over, reason) => {
  expect(read(anEnvelope(over))).toEqual({ kind: 'refused', reason: expect.stringContaining(reason) });
});

test('every problem of an envelope is in the reason', () => {
  expect(read({})).toMatchObject({
    reason: expect.stringMatching(/specversion:.*id:.*source:.*type:.*time:/),
  });
});

test.each([[''], ['{'], ['undefined'], ['{"id":1,}'], [' ']])('the body %j is refused as no JSON', (body) => {
  expect(readEnvelope(Buffer.from(body))).toEqual({ kind: 'refused', reason: 'the body is not JSON' });
});

test.each([['null'], ['7'], ['"x"'], ['[]'], ['[{}]']])('the JSON %s is refused as no event', (body) => {
  expect(readEnvelope(Buffer.from(body))).toMatchObject({ kind: 'refused' });
});

test('a prototype in the body is data like any other, and lends the envelope nothing', () => {
  const good = JSON.stringify(anEnvelope());
  expect(readEnvelope(Buffer.from(`{"__proto__":${good}}`))).toMatchObject({ kind: 'refused' });
  expect(Object.prototype).not.toHaveProperty('specversion');
});

test('any bytes are read or refused, and none throws', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.json().map((text) => Buffer.from(text)),
      ),
      (bytes) => {
        expect(readEnvelope(Buffer.from(bytes)).kind).toBe('refused');
      },
    ),
  );
});
