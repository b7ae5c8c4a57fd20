import { afterEach, expect, test } from '@jest/globals';
import type { SwitchChanges } from '../../../sandbox';
import {
  acceptanceBody,
  ask,
  asText,
  closeSandboxes,
  collectRates,
  deliveryStop,
  errorFields,
  idOf,
  listingBody,
  pickupStop,
  quickSandbox,
  rateRequestBody,
} from './marketplace-client';

afterEach(closeSandboxes);

const body = listingBody({
  attributes: { stackable: true },
  serviceTypes: ['BlanketWrap'],
  referenceNumbers: [
    { number: 'acme/o-1', type: 'ThirdPartyOrderNumber' },
    { number: '00123', type: 10 },
  ],
});

/** `{a: {b: [1]}}` as `a.b[0]` or `a[b][0]`. */
function flat(value: unknown, style: 'dots' | 'brackets', path = ''): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[path, String(value)]];
  return Object.entries(value).flatMap(([name, child]) => {
    const isPlain = path === '' || (style === 'dots' && !Array.isArray(value));
    const at = isPlain ? (path === '' ? name : `${path}.${name}`) : `${path}[${name}]`;
    return flat(child, style, at);
  });
}

const asJsonText = (value: object): [string, string][] =>
  Object.entries(value).map(([name, child]) => [
    name,
    typeof child === 'string' ? child : JSON.stringify(child),
  ]);

test.each([
  ['items[0].unitCount', flat(body, 'dots')],
  ['items[0][unitCount]', flat(body, 'brackets')],
  ['JSON text as the value', asJsonText(body)],
])('a form-encoded listing that nests as %s is the listing of its JSON', async (_how, pairs) => {
  const sandbox = await quickSandbox({ switches: { listingBody: 'form', unknownFields: 'refused' } });
  const form = Object.fromEntries(pairs);
  const reply = await ask(sandbox, 'POST', '/v2/listings', { form });
  expect([reply.status, reply.text]).toEqual([201, '']);
  const [route, query] = [
    `/v2/listings/${idOf(reply)}`,
    '?fields=title,route,items,referenceNumbers,attributes',
  ];
  sandbox.setSwitches({ listingBody: 'json' });
  const inJson = await ask(sandbox, 'POST', '/v2/listings', { json: body });
  const [ofForm, ofJson] = [
    await ask(sandbox, 'GET', `${route}${query}`),
    await ask(sandbox, 'GET', `/v2/listings/${idOf(inJson)}${query}`),
  ];
  expect(ofForm.body).toEqual(ofJson.body);
  expect(ofForm.body).toMatchObject({
    attributes: { stackable: true },
    referenceNumbers: [{}, { number: '00123' }],
  });
  expect((await ask(sandbox, 'POST', '/v2/listings', { form })).status).toBe(400);
});

const amount = { amount: 900, currencyType: 'USD' };

async function answerUnder(switches: SwitchChanges, path: string, json: object) {
  const sandbox = await quickSandbox({ switches: { unknownFields: 'refused', ...switches } });
  return await ask(sandbox, 'POST', path, { json });
}

test.each([
  ['coverageAmount', { coverageAmount: amount }, { coverage: amount }],
  ['coverage', { coverage: amount }, { coverageAmount: amount }],
  ['either', { coverage: amount }, { coverages: amount }],
] as const)(
  'a listing declares its protection as listingInsurance %s',
  async (listingInsurance, good, bad) => {
    const create = (insurance: object) =>
      answerUnder({ listingInsurance }, '/v2/listings', listingBody({ insurance }));
    expect((await create(good)).status).toBe(201);
    const refused = await create(bad);
    expect([refused.status, errorFields(refused)[0]]).toEqual([400, expect.stringMatching(/^insurance\./u)]);
  },
);

test.each([
  ['refused', 400],
  ['accepted', 202],
] as const)('an empty insurance of an acceptance is %s', async (emptyInsurance, status) => {
  const sandbox = await quickSandbox({ switches: { emptyInsurance } });
  const [rate] = await collectRates(sandbox);
  const json = await acceptanceBody(sandbox, { insurance: {} });
  const reply = await ask(sandbox, 'POST', `/v2/rates/${asText(rate?.['id'])}/acceptance`, { json });
  expect(reply.status).toBe(status);
});

test.each([
  ['names', ['SortAndSegregate'], { sortandSegregate: true }],
  ['booleans', { sortandSegregate: true }, ['SortAndSegregate']],
] as const)('services of a rate request are given as topLevelAccessorials %s', async (form, good, bad) => {
  const create = (accessorials: unknown) =>
    answerUnder({ topLevelAccessorials: form }, '/v2/raterequests', rateRequestBody({ accessorials }));
  expect((await create(good)).status).toBe(201);
  const refused = await create(bad);
  expect([refused.status, errorFields(refused)]).toEqual([400, ['accessorials']]);
});

test.each([
  ['either', true, true],
  ['callAhead', true, false],
  ['callBeforeArrival', false, true],
] as const)(
  'under callAheadName %s the names are taken accordingly',
  async (callAheadName, ahead, before) => {
    const sandbox = await quickSandbox({ switches: { callAheadName } });
    for (const [name, isTaken] of [
      ['callAhead', ahead],
      ['callBeforeArrival', before],
    ] as const)
      for (const accessorials of [{ liftgateRequired: true, [name]: true }, ['liftgateRequired', name]]) {
        const route = { items: [pickupStop(), deliveryStop({ accessorials })] };
        const reply = await ask(sandbox, 'POST', '/v2/raterequests', { json: rateRequestBody({ route }) });
        expect(reply.status).toBe(isTaken ? 201 : 400);
      }
  },
);
