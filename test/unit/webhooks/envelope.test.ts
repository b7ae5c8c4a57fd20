import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { EVENT_TYPES } from '../../../src/domain/marketplace-event';
import { readEnvelopes } from '../../../src/webhooks/cloud-events';
import { readEnvelope, type Verdict } from '../../../src/webhooks/envelope';

const anEnvelope = (over: object = {}) => ({
  specversion: '1.0',
  id: '0f1d7c2e-5a50-4e4a-8a52-6a4f3a1d9b11',
  source: 'urn:marketplace',
  time: '2035-03-01T12:00:00Z',
  type: 'Listing.Booked/v1',
  data: { listingId: 273679133 },
  ...over,
});
function readBytes(body: Buffer, integration = 'acme'): Verdict {
  const envelopes = readEnvelopes({}, body);
  return 'kind' in envelopes ? envelopes : readEnvelope(envelopes[0], integration);
}
const read = (value: unknown, integration?: string): Verdict =>
  readBytes(Buffer.from(JSON.stringify(value)), integration);

test('an envelope becomes an event with the clues of its data', () => {
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
      key: expect.stringMatching(/^[0-9a-f]{32}$/),
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
  ['2035-03-01'],
  ['2035-02-30T12:00:00Z'],
  ['Thu, 01 Mar 2035 12:00:00 GMT'],
  ['/Date(2056363200000)/'],
  ['yesterday'],
])('the time %s is accepted unchanged', (time) => {
  expect(read(anEnvelope({ time }))).toMatchObject({ kind: 'event', event: { time } });
});

test.each([
  [undefined, ''],
  [null, ''],
  ['', ''],
  [2_056_363_200, '2056363200'],
  [{ at: 1 }, ''],
  ['x'.repeat(100_000), 'x'.repeat(64)],
])('an invalid time decides nothing: %j', (time, kept) => {
  expect(read(anEnvelope({ time }))).toMatchObject({ kind: 'event', event: { time: kept } });
});

const SAID = { listingId: 273679133, status: 'Completed' };
const STATUS = 'Listing.StatusChanged/v1';
const twice = JSON.stringify(JSON.stringify(SAID));

test.each([
  ['as JSON in a text', { data: JSON.stringify(SAID) }],
  ['as JSON in a text in a text', { data: twice }],
  ['in base64', { data: undefined, data_base64: Buffer.from(JSON.stringify(SAID)).toString('base64') }],
])('the data of an event is read %s, with the same digest', (_how, over) => {
  const plain = read(anEnvelope({ type: STATUS, data: SAID }));
  expect(plain).toMatchObject({ event: { listingIds: ['273679133'], says: 'completedEvent' } });
  expect(read(anEnvelope({ type: STATUS, ...over }))).toEqual(plain);
});

test.each([
  ['null', { data: null }],
  ['absent', { data: undefined }],
  ['an empty text', { data: '' }],
  ['null in a text', { data: 'null' }],
])('data that is %s gives no clue, and the source still names the listing', (_which, over) => {
  const source = 'https://api.example/v2/listings/273679133';
  const nothing = read(anEnvelope({ source, data: {} }));
  expect(nothing).toMatchObject({ kind: 'event', event: { listingIds: ['273679133'] } });
  expect(read(anEnvelope({ source, ...over }))).toEqual(nothing);
});

test.each([
  ['a list', [{ listingId: 273679133 }]],
  ['a text that is no JSON', 'see https://api.example/v2/listings/273679133'],
  ['a list in a text', '[{"listingId":"273679133"}]'],
])('data that is %s is searched for clues', (_which, data) => {
  expect(read(anEnvelope({ data }))).toMatchObject({ kind: 'event', event: { listingIds: ['273679133'] } });
});

test('an identifier is recognised again only within its integration and source', () => {
  const keyOf = (over: object, integration = 'acme') => {
    const verdict = read(anEnvelope(over), integration);
    return verdict.kind === 'event' ? verdict.event.key : null;
  };
  const key = keyOf({});
  expect(keyOf({ data: { other: true }, time: null })).toBe(key);
  expect(keyOf({ id: 'other' })).not.toBe(key);
  expect(keyOf({ source: 'urn:other' })).not.toBe(key);
  expect(keyOf({}, 'bolt')).not.toBe(key);
  expect(keyOf({ source: 'a', id: 'b' }, 'c')).not.toBe(keyOf({ source: 'a","b', id: '' }, 'c'));
});

test('extra attributes and absent data are accepted', () => {
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
  ['another version', { specversion: '0.3' }, 'specversion:'],
])('an envelope with %s is refused, and the reason names the field', (_which, over, reason) => {
  expect(read(anEnvelope(over))).toEqual({
    ...{ kind: 'refused', as: 'noEvent', reason: expect.stringContaining(reason) },
  });
});

test('the reason names every problem of an envelope', () => {
  expect(read({})).toMatchObject({
    reason: expect.stringMatching(/specversion:.*id:.*source:.*type:/),
  });
});

test.each([[''], ['{'], ['undefined'], ['{"id":1,}'], [' ']])(
  'the body %j is refused because it is not JSON',
  (body) => {
    expect(readBytes(Buffer.from(body))).toEqual({
      ...{ kind: 'refused', as: 'noJson', reason: 'the body is not JSON' },
    });
  },
);

test.each([['null'], ['7'], ['"x"'], ['[]'], ['[{}]']])(
  'the JSON %s is refused because it is not an event',
  (body) => {
    expect(readBytes(Buffer.from(body))).toMatchObject({ kind: 'refused', as: 'noEvent' });
  },
);

test('a prototype in the body is ordinary data, and adds nothing to the envelope', () => {
  const good = JSON.stringify(anEnvelope());
  expect(readBytes(Buffer.from(`{"__proto__":${good}}`))).toMatchObject({ kind: 'refused' });
  expect(Object.prototype).not.toHaveProperty('specversion');
});

test('any bytes are read or refused, without an exception', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.json().map((text) => Buffer.from(text)),
      ),
      (bytes) => {
        expect(readBytes(Buffer.from(bytes)).kind).toBe('refused');
      },
    ),
  );
});
