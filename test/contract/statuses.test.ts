import { expect, test } from '@jest/globals';
import { FailureType } from '../../src/domain/failure-type';
import type { ClosableMarketplace } from '../../src/marketplace/create-marketplace';
import { ApiError, ConnectionError, MarketplaceError } from '../../src/marketplace/errors';
import { API_CALLS } from '../../src/marketplace/sort-outcome';
import { createMarketplace } from '../../src/marketplace/create-marketplace';
import { startSandbox, type Operation, type TroubleInput } from '../../sandbox';
import { aFurnitureShipment, anLtlShipment } from '../support/builders';
import { marketplaceAccount } from '../support/harness';
import { ACCOUNT, runActivity } from './run-activity';
import { secret, usd, useSandbox, webSignIn } from './sandbox-client';

const marketplace = useSandbox();
type ApiCall = (typeof API_CALLS)[number];

const listingId = '123456789';
const draft = {
  shipment: aFurnitureShipment(),
  listPrice: usd(100),
  priceCorrelationId: null,
  sendId: 'x.1',
};

/** Each call, and the name that the sandbox has for its endpoint. */
const calls: Record<ApiCall, readonly [Operation, (client: ClosableMarketplace) => Promise<unknown>]> = {
  getFixedPrice: [
    'getFixedPrice',
    async (client) => await client.getFixedPrice({ shipment: draft.shipment, priceCorrelationId: null }),
  ],
  createListing: ['createListing', async (client) => await client.createListing(draft)],
  getListing: ['getListing', async (client) => await client.getListing(listingId)],
  updateListing: [
    'updateListing',
    async (client) => await client.updateListing({ listingId, checksum: null, changes: { title: 'Sofa' } }),
  ],
  deleteListing: ['deleteListing', async (client) => await client.deleteListing(listingId)],
  uploadListingImage: [
    'uploadListingImage',
    async (client) =>
      await client.uploadListingImage({
        listingId,
        fileName: 'a.png',
        contentType: 'image/png',
        bytes: new Uint8Array([1]),
      }),
  ],
  getListingContacts: ['getListingContacts', async (client) => await client.getListingContacts(listingId)],
  getTracking: ['getTracking', async (client) => await client.getTracking(listingId)],
  getBillOfLading: ['getBillOfLading', async (client) => await client.getBillOfLading(listingId)],
  getListingAttachment: [
    'getListingAttachment',
    async (client) => await client.getListingAttachment({ listingId, attachmentId: '1' }),
  ],
  createRateRequest: [
    'createRateRequest',
    async (client) => await client.createRateRequest({ shipment: anLtlShipment(), attempt: 1 }),
  ],
  listRates: ['listRates', async (client) => await client.listRates('r')],
  acceptRate: [
    'acceptRate',
    async (client) => await client.acceptRate({ rateId: 'r', paymentMethodId: 'p', coverage: null }),
  ],
  getAcceptanceStatus: [
    'getAcceptanceStatus',
    async (client) => await client.getAcceptanceStatus({ rateId: 'r', executionId: 'e' }),
  ],
  listPaymentMethods: ['listPaymentMethods', async (client) => await client.listPaymentMethods('ltl')],
  listAddressTypes: ['listAddressTypes', async (client) => await client.listAddressTypes('x')],
};

/** How an error status is sorted, whatever the call. */
const USUAL: Readonly<Record<number, string>> = {
  302: 'inDoubt',
  400: 'rejected',
  401: 'accountTrouble',
  402: 'accountTrouble',
  403: 'accountTrouble',
  404: 'rejected',
  405: 'rejected',
  408: 'inDoubt',
  409: 'inDoubt',
  412: 'rejected',
  425: 'inDoubt',
  429: 'notSent',
  500: 'inDoubt',
  501: 'inDoubt',
  502: 'inDoubt',
  503: 'inDoubt',
  504: 'inDoubt',
};
/** What the contract says of one call alone. */
const UNUSUAL: Readonly<Partial<Record<ApiCall, Readonly<Record<number, string>>>>> = {
  // Already booked.
  deleteListing: { 403: 'rejected' },
  // Already booked; a stale checksum.
  updateListing: { 403: 'rejected', 409: 'rejected' },
  // Not visible yet.
  getAcceptanceStatus: { 404: 'notVisible' },
  // The commodity is not implemented for the account.
  listPaymentMethods: { 501: 'accountTrouble' },
};

/** The outcome of a call that meets a status: of its error, or of its value where the call reads the status. */
async function outcomeAt(call: ApiCall, status: number, client: ClosableMarketplace): Promise<unknown> {
  const [endpoint, ask] = calls[call];
  marketplace.sandbox.trouble({ when: endpoint, what: { kind: 'status', status }, times: 1 });
  try {
    return ((await ask(client)) as { kind?: string } | undefined)?.kind;
  } catch (error) {
    if (!(error instanceof MarketplaceError)) return error;
    return error.operation === call && error.status === status ? error.outcome : error;
  }
}

test.each(API_CALLS)(
  'every error status of %s is classified by what it says about the effect',
  async (call) => {
    const client = marketplace.open();
    const found: Record<string, unknown> = {};
    for (const status of Object.keys(USUAL).map(Number))
      found[status] = await outcomeAt(call, status, client);
    expect(found).toEqual({ ...USUAL, ...UNUSUAL[call] });
  },
);

test.each([
  [303, 'inDoubt'],
  [201, 'inDoubt'],
])('an acceptance status of %i that names no listing is %s', async (status, kind) => {
  expect(await outcomeAt('getAcceptanceStatus', status, marketplace.open())).toBe(kind);
});

test.each([
  ['createListing', 201],
  ['createRateRequest', 201],
  ['acceptRate', 202],
  ['acceptRate', 201],
] as const)('%s that is answered %i without a Location is in doubt', async (call, status) => {
  expect(await outcomeAt(call, status, marketplace.open())).toBe('inDoubt');
});

test.each([
  [400, 'accountTrouble'],
  [401, 'accountTrouble'],
  [403, 'accountTrouble'],
  [429, 'notSent'],
  [500, 'notSent'],
  [503, 'notSent'],
] as const)(
  'a token or session that is answered %i is %s, because nothing else was sent',
  async (status, outcome) => {
    marketplace.sandbox.trouble({ when: 'createToken', what: { kind: 'status', status } });
    marketplace.sandbox.trouble({ when: 'signIn', what: { kind: 'status', status } });
    const auth = {
      kind: 'clientCredentials',
      clientId: secret('sandbox-client'),
      clientSecret: secret('sandbox-secret'),
    } as const;
    const client = marketplace.open({ auth, web: webSignIn });
    await expect(client.createListing(draft)).rejects.toMatchObject({ operation: 'grantToken', outcome });
    await expect(client.getTrackingLink(listingId)).rejects.toMatchObject({ operation: 'signIn', outcome });
    expect(marketplace.sandbox.requests('createListing')).toEqual([]);
  },
);

test.each([
  ['hangUpBefore', {}],
  ['hangUpAfter', {}],
  ['resetBefore', {}],
  ['resetAfter', {}],
  ['statusAfter', { status: 500 }],
] as const)('a listing that meets %s %j is in doubt', async (kind, over) => {
  marketplace.sandbox.trouble({ when: 'createListing', what: { kind, ...over }, times: 1 });
  const error = await marketplace.createListing().catch((caught: unknown) => caught);
  expect(error).toMatchObject({ outcome: 'inDoubt', method: 'POST', path: '/v2/listings' });
});

test.each([
  ['resetBefore', 0],
  ['resetAfter', 1],
] as const)('an acceptance that meets %s is in doubt, and %i were accepted', async (kind, taken) => {
  const { outcome, accepted } = await acceptanceUnder(kind);
  expect(outcome).toBe('inDoubt');
  expect(accepted).toHaveLength(taken);
});

test.each(['resetBefore', 'resetAfter'] as const)(
  'a read that meets %s fails, and succeeds when Temporal retries it',
  async (kind) => {
    const client = marketplace.open();
    const listingId = await marketplace.createListing(client);
    const input = { account: ACCOUNT, listingId, readBy: [], witnesses: [] };
    const read = async () => (await runActivity(client, 'getListing', input)).outcome;
    marketplace.sandbox.trouble({ when: 'getListing', what: kind, times: 1 });
    expect(await read()).toMatchObject({ type: FailureType.Unavailable, nonRetryable: false });
    expect(await read()).toMatchObject({ listingId: input.listingId });
  },
);

/** How a listing of which the answer was spoilt ended, and whether it is in the ledger. */
async function listingUnder(kind: TroubleInput['what']) {
  marketplace.sandbox.trouble({ when: 'createListing', what: kind, times: 1 });
  const outcome = await marketplace.createListing().catch((error: { outcome: string }) => error.outcome);
  return { outcome, created: marketplace.sandbox.order('acme/SO-1').created };
}

/** The same of an acceptance. */
async function acceptanceUnder(kind: TroubleInput['what']) {
  const client = marketplace.open();
  const [rate] = await marketplace.requestRates(client);
  const [method] = (await client.listPaymentMethods('ltl')).methods;
  const { rateId = '' } = rate ?? {};
  const { paymentMethodId = '' } = method ?? {};
  marketplace.sandbox.trouble({ when: 'acceptRate', what: kind, times: 1 });
  const outcome = await client.acceptRate({ rateId, paymentMethodId, coverage: null }).then(
    (receipt) => receipt,
    (error: { outcome: string }) => error.outcome,
  );
  return { rateId, outcome, accepted: marketplace.sandbox.order('acme/PO-7').acceptances };
}

test.each(['foreignLocation', 'garbage', 'noLocation'] as const)(
  'a write that took effect and whose answer is garbled by %s is in doubt',
  async (kind) => {
    expect(await listingUnder(kind)).toEqual({ outcome: 'inDoubt', created: 1 });
    expect(await acceptanceUnder(kind)).toMatchObject({ outcome: 'inDoubt', accepted: [{}] });
  },
);

test('a rate request with a foreign Location is found, because a read proves it', async () => {
  marketplace.sandbox.trouble({ when: 'createRateRequest', what: 'foreignLocation', times: 1 });
  const asked = marketplace.open().createRateRequest({ shipment: anLtlShipment(), attempt: 1 });
  await expect(asked).resolves.toEqual({ rateRequestId: expect.stringMatching(/^\w+$/) });
});

test('an acceptance status whose Location is foreign is in doubt', async () => {
  marketplace.sandbox.trouble({ when: 'getAcceptanceStatus', what: 'foreignLocation' });
  await expect(marketplace.bookRate()).rejects.toThrow(/"kind":"inDoubt"/);
  expect(marketplace.sandbox.order('acme/PO-7').liveBookings).toBe(1);
});

test('an unreadable body does not invalidate the Location before it', async () => {
  const { outcome: listingCreated } = await listingUnder('unreadable');
  expect(marketplace.sandbox.order('acme/SO-1').listings.map(({ listingId: id }) => String(id))).toEqual([
    listingCreated,
  ]);
  const { accepted, outcome } = await acceptanceUnder('unreadable');
  expect(outcome).toEqual({ kind: 'pending', executionId: accepted[0]?.executionId });
});

test("an otherLocation names a listing that a read shows not to be the order's: nothing is there", async () => {
  const { outcome: other } = await listingUnder('otherLocation');
  const [created] = marketplace.sandbox.order('acme/SO-1').listings;
  expect(other).toMatch(/^\d{9}$/);
  expect(other).not.toBe(String(created?.listingId));
  await expect(marketplace.open().getListing(other)).rejects.toMatchObject({ status: 404 });
  const { rateId, outcome } = await acceptanceUnder('otherLocation');
  const { executionId } = outcome as { executionId: string };
  expect(await marketplace.open().getAcceptanceStatus({ rateId, executionId })).toEqual({
    kind: 'notVisible',
  });
});

test.each(['truncate', 'stall'] as const)(
  'an answer that breaks off (%s) is in doubt if its body is needed, and not if a header is enough',
  async (kind) => {
    const client = marketplace.open();
    for (const endpoint of ['getListing', 'createListing'] as const)
      marketplace.sandbox.trouble({ when: endpoint, what: kind, times: 1 });
    const call = { timeoutMs: 400 };
    const created = await client.createListing(draft, call);
    expect(created.listingId).toMatch(/^\d{9}$/);
    await expect(client.getListing(created.listingId, call)).rejects.toMatchObject({
      name: 'ConnectionError',
      outcome: 'inDoubt',
    });
  },
);

test('an answer that comes too late is in doubt', async () => {
  marketplace.sandbox.trouble({ when: 'createListing', what: { kind: 'delay', delayMs: 3_000 }, times: 1 });
  const error = await marketplace
    .open()
    .createListing(draft, { timeoutMs: 300 })
    .catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ outcome: 'inDoubt' });
});

test.each(['reason', 'developerMessage', 'message', 'html', 'empty'] as const)(
  'an error body of the form %s becomes one readable error',
  async (errorBody) => {
    marketplace.sandbox.setSwitches({ errorBody });
    const error = await marketplace
      .open()
      .getListing(listingId)
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ApiError);
    expect(String(error)).toMatch(/GET \/v2\/listings\/123456789.*404/);
  },
);

test.each(['reason', 'developerMessage'] as const)(
  'every field that a body of the form %s complains about is named, all at once',
  async (errorBody) => {
    marketplace.sandbox.setSwitches({ errorBody });
    const shipment = aFurnitureShipment({ title: 'Sofá', description: 'é' });
    const created = marketplace.open().createListing({ ...draft, shipment });
    await expect(created).rejects.toMatchObject({
      status: 400,
      codes: ['40006'],
      message: expect.stringContaining('answered 400: 40006 title; 40006 description'),
    });
  },
);

test('a marketplace that cannot be reached received nothing: the write was not sent', async () => {
  const gone = await startSandbox({ port: 0 });
  await gone.close();
  const client = createMarketplace(marketplaceAccount(gone.url));
  await expect(client.createListing(draft)).rejects.toMatchObject({ outcome: 'notSent' });
  await client.close();
});
