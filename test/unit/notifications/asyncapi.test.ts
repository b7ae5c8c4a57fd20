import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import Ajv from 'ajv';
import { ASYNC_API, asyncApiText } from '../../../docs/asyncapi';
import type { News, NotifiedQuestion } from '../../../src/domain/notifications';
import { testEvent, toCloudEvent } from '../../../src/notifications/cloud-event';
import { notificationSchemas, testEventSchema } from '../../../src/notifications/schema';
import { aNotification } from '../../support/notifications';

const read = (file: string): string => readFileSync(path.join(__dirname, '..', '..', '..', file), 'utf8');
const SPECIFICATION = JSON.parse(
  readFileSync(require.resolve('@asyncapi/specs/schemas/3.0.0-without-$id.json'), 'utf8'),
) as object;
const isAsyncApi = new Ajv({ strict: false, validateFormats: false }).compile(SPECIFICATION);

interface Document {
  readonly channels: Readonly<Record<string, unknown>>;
  readonly operations: Readonly<Record<string, { readonly action: string }>>;
  readonly components: {
    readonly messages: Readonly<Record<string, { readonly name: string; readonly payload: object }>>;
  };
}
const DOCUMENT = JSON.parse(read(ASYNC_API)) as Document;

test('the document of events is what the schemas say; otherwise run `npm run docs`', () => {
  expect(asyncApiText()).toBe(read(ASYNC_API));
});

test('it is valid AsyncAPI 3, by the JSON Schema of the specification', () => {
  isAsyncApi(DOCUMENT);
  expect(isAsyncApi.errors ?? []).toEqual([]);
  expect(DOCUMENT).toMatchObject({
    asyncapi: '3.0.0',
    operations: { notify: { action: 'send' }, receive: { action: 'receive' } },
  });
});

test.each([
  ['another version', { ...DOCUMENT, asyncapi: '4.0.0' }],
  ['no information', { ...DOCUMENT, info: undefined }],
  ['an operation without an action', { ...DOCUMENT, operations: { notify: {} } }],
])('a document with %s is invalid', (_what, document) => {
  expect(isAsyncApi(JSON.parse(JSON.stringify(document)))).toBe(false);
});

test('every reference leads to a part of the document', () => {
  const references = [...read(ASYNC_API).matchAll(/"\$ref": "#\/([^"]+)"/g)].map(([, at = '']) => at);
  expect(references.length).toBeGreaterThan(20);
  const at = (reference: string): unknown =>
    reference.split('/').reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], DOCUMENT);
  expect(references.filter((reference) => at(reference) === undefined)).toEqual([]);
});

const usd = (minorUnits: number) => ({ minorUnits, currency: 'USD' });
const QUESTION: NotifiedQuestion = {
  ...{ id: 'q1-priceApproval', kind: 'priceApproval', text: 'Approve it?', answers: ['approve'] },
  ...{ since: '2035-03-06T12:00:00.000Z', listingIds: [], offer: { price: usd(1), rateId: null } },
};
const BILL = { kind: 'billOfLading', id: 'B1', type: null, contentType: 'application/pdf' } as const;
const EXAMPLES: readonly News[] = [
  { kind: 'booked' },
  { kind: 'pickedUp' },
  { kind: 'delivered' },
  { kind: 'priceChanged', previousPrice: usd(20_000) },
  { kind: 'priceChanged', previousPrice: null },
  { kind: 'documentsReady', documents: [{ ...BILL, sizeInBytes: 9, sha256: 'abc' }] },
  { kind: 'questionOpened', question: QUESTION },
  { kind: 'questionClosed', question: { id: QUESTION.id, kind: QUESTION.kind } },
  { kind: 'ended', outcome: 'delivered' },
];

describe.each(EXAMPLES)('an event of kind $kind', (news) => {
  const event: unknown = JSON.parse(JSON.stringify(toCloudEvent(aNotification(3, news))));

  test('is as its schema and its message say', () => {
    const schema = notificationSchemas.find(({ kind }) => kind === news.kind)?.schema;
    // Nothing is left out: the result has every field of the event.
    expect(schema?.parse(event)).toEqual(event);
    const payload = DOCUMENT.components.messages[news.kind]?.payload ?? {};
    const isMessage = new Ajv({ strict: false, validateFormats: false }).compile(payload);
    expect(isMessage(event)).toBe(true);
  });

  test('is no event of any other kind', () => {
    const others = notificationSchemas.filter(({ kind }) => kind !== news.kind);
    expect(others.filter(({ schema }) => schema.safeParse(event).success)).toEqual([]);
  });
});

test('each kind has an example here and a message', () => {
  const kinds = notificationSchemas.map(({ kind }) => kind);
  expect(new Set(EXAMPLES.map(({ kind }) => kind))).toEqual(new Set(kinds));
  expect(Object.keys(DOCUMENT.components.messages).toSorted()).toEqual(
    [...kinds, 'test', 'marketplaceEvent'].toSorted(),
  );
});

test('a test event is as its schema says', () => {
  const event = testEvent({ name: 'acme', environment: 'sandbox' }, new Date());
  expect(testEventSchema.parse(event)).toEqual(event);
});

test.each([
  ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', true],
  ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00', true],
  ['0af7651916cd43dd8448eb211c80319c', false],
  ['', false],
])('an event with the trace `%s` is as the schemas say: %s', (traceparent, isValid) => {
  const event: unknown = JSON.parse(JSON.stringify({ ...toCloudEvent(aNotification(3)), traceparent }));
  const schema = notificationSchemas.find(({ kind }) => kind === 'booked')?.schema;
  expect(schema?.safeParse(event).success).toBe(isValid);
  const payload = DOCUMENT.components.messages['booked']?.payload ?? {};
  expect(new Ajv({ strict: false, validateFormats: false }).validate(payload, event)).toBe(isValid);
});
