import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { parseAccounts } from '../../../../src/accounts';
import { EXIT_CODES } from '../../../../src/platform/exit-code';
import { UserError } from '../../../../src/platform/user-error';
import { ApiError } from '../../../../src/starter/api/api-error';
import { checkOrder } from '../../../../src/starter/api/order-of-request';
import { OUTCOMES, problemOf } from '../../../../src/starter/api/problem-details';
import { withoutPeople } from '../../../../src/starter/api/without-people';
import * as errors from '../../../../src/starter/client/errors';
import { OrderConflictError } from '../../../../src/starter/client/order-conflict';
import { TemporalUnreachableError } from '../../../../src/temporal/client-connection';
import { createFolderStore, FileStoreError } from '../../../../src/platform/file-store';
import { CANARIES } from '../../../support/canaries';

const ROOT = path.join(__dirname, '..', '..', '..', '..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

const withdrawal = { by: 'Zebulon', reason: 'Quux moved', at: '2035-01-01T00:00:00Z', listingIds: ['1'] };

test.each([
  [new errors.ShipmentNotFoundError('No shipment.'), 404, 'notFound', {}],
  [
    new OrderConflictError('withdrawn.', 'shipment/acme/1', 'withdrawn', withdrawal),
    ...([409, 'conflict', { reason: 'withdrawn' }] as const),
  ],
  [new errors.ShipmentEndedError('ended'), 409, 'ended', {}],
  [new errors.NoQuestionError('none'), 409, 'noQuestion', {}],
  [new errors.StaleQuestionError('stale'), 409, 'staleQuestion', {}],
  [new errors.RefusedError('refused'), 409, 'refused', {}],
  [new errors.NothingToAcknowledgeError('none'), 409, 'nothingToAcknowledge', {}],
  [new errors.SeveralListingsError(['1', null]), 409, 'severalListings', { listingIds: ['1', null] }],
  [new errors.KeyReusedError('reused'), 422, 'keyReused', {}],
  [new errors.NoAnswerError('answered 500'), 502, 'noAnswer', {}],
  [new errors.NoWorkerError('no worker'), 503, 'noWorker', {}],
  [new errors.NotConfirmedError('maybe', 'q1', {}), 503, 'notConfirmed', { questionId: 'q1' }],
  [new TemporalUnreachableError('down'), 503, 'temporalUnreachable', {}],
  [new errors.TemporalRefusedError('bad cursor'), 400, 'temporalRefused', {}],
  [new UserError('bad argument'), 400, 'invalidInput', {}],
  [new ApiError('forbidden', 'no'), 403, 'forbidden', {}],
] as const)('%s is answered with %i %s', (error, status, code, members) => {
  expect(problemOf(error)).toEqual({
    ...{ type: `/docs/errors.md#${code.toLowerCase()}`, title: OUTCOMES[code].title, status, code },
    detail: expect.stringContaining(error.message),
    ...members,
  });
});

test('who withdrew an order, and why, is in no problem', () => {
  const conflict = new OrderConflictError('withdrawn.', 'shipment/acme/1', 'withdrawn', withdrawal);
  expect(JSON.stringify(problemOf(conflict))).not.toMatch(/Zebulon|Quux/);
});

test.each([
  new TypeError('Zebulon is undefined'),
  'Zebulon',
  new FileStoreError('/home/zebulon/files cannot be used', 'unreachable'),
  Object.assign(new Error('Zebulon'), { statusCode: 500 }),
  Object.assign(new Error('Zebulon'), { statusCode: 418 }),
])('%s says nothing but that the API failed', (error) => {
  const problem = problemOf(error);
  expect(problem.status).toBe(500);
  expect(JSON.stringify(problem).toLowerCase()).not.toContain('zebulon');
});

test('every kind of error has its outcome and its place in docs/errors.md, and docs/api.md names it', () => {
  const codes = Object.keys(OUTCOMES);
  expect(codes).toEqual(expect.arrayContaining(Object.keys(EXIT_CODES)));
  const [pages, api] = [read('docs/errors.md'), read('docs/api.md')];
  expect(codes.filter((code) => !pages.includes(`\n### ${code}\n`))).toEqual([]);
  const rows = api.split('\n').filter((line) => /^\| \d{3} /.test(line));
  const stated = Object.fromEntries(
    rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, code]) => [code, Number(row.slice(2, 5))])),
  );
  const actual = Object.fromEntries(Object.entries(OUTCOMES).map(([code, { status }]) => [code, status]));
  expect(stated).toEqual(actual);
});

const accounts = parseAccounts(read('examples/accounts.yaml'), 'accounts.yaml', {});
const caller = { name: 'one', scopes: ['start'], accounts: ['acme'] } as const;
const context = { accounts, files: createFolderStore('/nowhere') };

async function errorsOf(
  document: unknown,
  over: { root?: string; named?: { account: string; orderId: string } } = {},
) {
  const error: unknown = await checkOrder({ document, caller, ...over }, context).catch(
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw new TypeError('no problem was found', { cause: error });
  return error;
}

test.each(['furniture', 'ltl'])('every problem of an invalid %s order is reported at once', async (kind) => {
  const document: unknown = JSON.parse(read(`examples/refused/${kind}.json`));
  const { code, errors: found } = await errorsOf(document);
  expect(code).toBe('invalidOrder');
  expect(found.length).toBeGreaterThan(3);
  for (const { path: place, problem, remedy } of found) {
    expect(place).toMatch(/^\$/);
    expect([problem, remedy]).not.toContain('');
  }
  const within = await errorsOf(document, { root: '$.order' });
  expect(within.errors.map((one) => one.path)).toEqual(found.map((one) => one.path.replace('$', '$.order')));
});

const sofa: Record<string, unknown> = {
  ...(JSON.parse(read('examples/furniture-sofa.json')) as object),
  images: [],
};

test.each([
  [{ account: 'acme', orderId: 'SO-1' }, ['$.orderId']],
  [{ account: 'beta', orderId: 'SO-10482' }, ['$.account']],
  [{ account: 'beta', orderId: 'so-10482' }, ['$.account', '$.orderId']],
])('a document of another order than the path names, %j, is refused', async (named, paths) => {
  const { code, errors: found } = await errorsOf(sofa, { named });
  expect({ code, paths: found.map((one) => one.path) }).toEqual({ code: 'idMismatch', paths });
});

test('the order that the path names is accepted', async () => {
  const named = { account: 'acme', orderId: 'SO-10482' };
  expect(await checkOrder({ document: sofa, caller, named }, context)).toMatchObject({ ok: true });
});

test.each(['beta', ' nobody ', 'ACME'])('a document for the account %j is forbidden', async (account) => {
  expect((await errorsOf({ ...sofa, account })).code).toBe('forbidden');
});

test.each([null, [], {}, 'text', { account: 1 }, JSON.parse('['.repeat(50_000) + ']'.repeat(50_000))])(
  'a body that is no order is invalid, and breaks nothing (%#)',
  async (document: unknown) => {
    expect((await errorsOf(document)).code).toBe('invalidOrder');
  },
);

test('no problem names a person or a place, in any form', async () => {
  const { name, phone, email, street, town, postalCode } = CANARIES;
  const personal = {
    ...sofa,
    origin: {
      addressType: 'Residance',
      contact: { name: `${name}\u0007`, phone: `${phone}-000000`, email: `${email} ` },
      address: {
        street: `${street}\u0000`,
        city: town,
        state: 'Texass',
        postalCode: `${postalCode}-1`,
        country: 'USA',
      },
      services: { liftgate: name },
    },
    destination: { location: street, contact: { phone: 5125550147123, [name]: 1 } },
    driverNotes: `${name}, ${street}`.repeat(200),
  };
  const { errors: found, message } = await errorsOf(personal);
  expect(found.length).toBeGreaterThan(4);
  const text = JSON.stringify([message, found.map(({ problem, remedy }) => [problem, remedy])]);
  for (const word of [
    'Zebulon',
    'Quux',
    '5125550147',
    '0147',
    'Marmalade',
    '4711',
    'Wimbledonia',
    '78703',
    'zebra',
  ])
    expect(text.toLowerCase()).not.toContain(word.toLowerCase());
});

test.each([
  ['Jane Doe is not a phone number', '… is not a phone number'],
  ['"JANE" and doe, 512-555-0147', '"…" and …-0147'],
  ['use +1 (512) 555 0100', 'use +1 (…'],
])('%j is written as %j', (problem, cleaned) => {
  const document = { destination: { contact: { name: 'Jane Doe', phone: '512.555.0100' } } };
  expect(withoutPeople(document, [{ path: '$', problem, remedy: 'x' }])[0]?.problem).toBe(cleaned);
});
