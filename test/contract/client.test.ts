import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { LtlRate } from '../../src/domain/rate';
import { DEFAULT_SETTINGS, type MarketplaceSettings } from '../../src/marketplace/account';
import { createMarketplace, type ClosableMarketplace } from '../../src/marketplace/create-marketplace';
import { ApiError, ConnectionError, MarketplaceError } from '../../src/marketplace/errors';
import { startSandbox, type Sandbox } from '../../src/sandbox';
import { aFurnitureShipment, anLtlShipment } from '../support/builders';
import { marketplaceAccount } from '../support/harness';

let sandbox: Sandbox;
let client: ClosableMarketplace;
const opened: ClosableMarketplace[] = [];

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, clock: { speed: 20 } });
  client = open();
});
beforeEach(() => sandbox.reset());
afterAll(async () => {
  await Promise.all(opened.map(async (marketplace) => await marketplace.close()));
  await sandbox.close();
});

function open(settings: Partial<MarketplaceSettings> = {}): ClosableMarketplace {
  const marketplace = createMarketplace(
    marketplaceAccount(sandbox.url, { settings: { ...DEFAULT_SETTINGS, ...settings } }),
  );
  opened.push(marketplace);
  return marketplace;
}

/** Repeats a reading until it holds, without sleeping longer than the machine needs. */
async function until<T>(take: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + 15_000;
  for (;;) {
    const value = await take();
    if (holds(value)) return value;
    if (Date.now() > deadline) throw new Error(`still not so: ${JSON.stringify(value)}`);
  }
}

async function createListing(marketplace = client): Promise<string> {
  const shipment = aFurnitureShipment();
  const { listPrice, priceCorrelationId } = await marketplace.getFixedPrice({
    shipment,
    priceCorrelationId: null,
  });
  return (await marketplace.createListing({ shipment, listPrice, priceCorrelationId, sendId: 'SO-1.1' }))
    .listingId;
}

async function requestRates(marketplace = client): Promise<readonly LtlRate[]> {
  const { rateRequestId } = await marketplace.createRateRequest({ shipment: anLtlShipment(), attempt: 1 });
  return await until(
    async () => await marketplace.listRates(rateRequestId),
    (rates) => rates.length >= 3,
  );
}

async function bookRate(marketplace = client): Promise<string> {
  const [rate] = await requestRates(marketplace);
  const [method] = await marketplace.listPaymentMethods('ltl');
  if (rate === undefined || method === undefined) throw new Error('nothing to accept');
  const { paymentMethodId } = method;
  const receipt = await marketplace.acceptRate({
    rateId: rate.rateId,
    paymentMethodId,
    coverage: { minorUnits: 100_000, currency: 'USD' },
  });
  if (receipt.kind === 'booked') return receipt.listingId;
  const { executionId } = receipt;
  const status = await until(
    async () => await marketplace.getAcceptanceStatus({ rateId: rate.rateId, executionId }),
    ({ kind }) => kind !== 'pending' && kind !== 'notVisible',
  );
  if (status.kind !== 'booked') throw new Error(JSON.stringify(status));
  return status.listingId;
}

describe('the furniture calls', () => {
  test.each(['json', 'form'] as const)(
    'a fixed price is asked for as %s, with premium and total',
    async (fixedPriceBody) => {
      const shipment = aFurnitureShipment({ coverage: { minorUnits: 200_000, currency: 'USD' } });
      const price = await open({ fixedPriceBody }).getFixedPrice({ shipment, priceCorrelationId: null });
      expect(price.price.minorUnits).toBeGreaterThan(price.listPrice.minorUnits);
      expect(price.total.minorUnits).toBe(price.price.minorUnits + (price.premium?.minorUnits ?? Number.NaN));
      expect(price.priceCorrelationId).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  test.each(['insuranceQuote', 'insurance', 'top'] as const)(
    'a premium is found in %s',
    async (premiumPosition) => {
      sandbox.setSwitches({ premiumPosition });
      const shipment = aFurnitureShipment({ coverage: { minorUnits: 200_000, currency: 'USD' } });
      const { premium } = await client.getFixedPrice({ shipment, priceCorrelationId: null });
      expect(premium?.minorUnits).toBeGreaterThan(0);
    },
  );

  test('a premium that is missing although coverage was asked for is an error, never zero', async () => {
    sandbox.setSwitches({ premiumPosition: 'missing' });
    const shipment = aFurnitureShipment({ coverage: { minorUnits: 200_000, currency: 'USD' } });
    await expect(client.getFixedPrice({ shipment, priceCorrelationId: null })).rejects.toThrow(/premium/);
  });

  test.each(['full', 'relative', 'bare'] as const)(
    'a listing is found by a %s Location',
    async (location) => {
      sandbox.setSwitches({ location });
      expect(await createListing()).toMatch(/^\d{9}$/);
    },
  );

  test.each(['record', 'list'] as const)('a listing is read from a %s', async (listingAnswer) => {
    sandbox.setSwitches({ listingAnswer });
    const listingId = await createListing();
    const record = await client.getListing(listingId);
    expect(record).toMatchObject({
      listingId,
      status: 'Active',
      postalCodes: ['75207', '78703'],
      totalWeightInGrams: 64_411,
    });
    expect(record.referenceNumbers).toContainEqual(
      expect.objectContaining({ type: 'ThirdPartyOrderNumber', number: 'acme/SO-1' }),
    );
  });

  test.each(['multipart', 'base64'] as const)('an image is uploaded as %s', async (imagePayload) => {
    const listingId = await createListing();
    const image = {
      listingId,
      fileName: 'sofa.jpg',
      contentType: 'image/jpeg',
      bytes: new Uint8Array([0xff, 0xd8, 0xff, 0xd9]),
    };
    await expect(open({ imagePayload }).uploadListingImage(image)).resolves.toBeUndefined();
  });

  test('a listing that is not booked can be deleted, once', async () => {
    sandbox.setSwitches({ carrierAnswer: 'silent' });
    const listingId = await createListing();
    await client.deleteListing(listingId);
    await expect(client.deleteListing(listingId)).rejects.toMatchObject({ status: 404 });
    await expect(client.getListing(listingId)).rejects.toMatchObject({ status: 404 });
  });
});

describe('the LTL calls', () => {
  test('rates arrive, each with price, carrier and expiry', async () => {
    const rates = await requestRates();
    for (const rate of rates) {
      expect(rate).toMatchObject({
        rateId: expect.stringMatching(/^\w{24}$/),
        totalPrice: { currency: 'USD' },
      });
      expect(Date.parse(rate.expiresAt)).toBeGreaterThan(Date.now());
      expect(rate.carrier.displayName).not.toBe('');
    }
  });

  test.each(['object', 'names'] as const)('stop accessorials are sent as %s', async (stopAccessorials) => {
    sandbox.setSwitches({
      stopAccessorials: stopAccessorials === 'names' ? 'list' : 'object',
    });
    expect((await requestRates(open({ stopAccessorials }))).length).toBeGreaterThan(0);
  });

  test.each(['created', 'seeOther', 'statusCode201'] as const)(
    'an acceptance that is booked as %s names its listing',
    async (acceptanceBookedAnswer) => {
      sandbox.setSwitches({ acceptanceBookedAnswer });
      expect(await bookRate()).toMatch(/^\d{9}$/);
    },
  );

  test.each([
    'statusCode202',
    'statusCodeZero',
    'noStatusCode',
    'nullResponse',
    'emptyResponse',
    'notJson',
  ] as const)('an acceptance that is pending as %s is waited for', async (acceptancePendingAnswer) => {
    sandbox.setSwitches({ acceptancePendingAnswer });
    expect(await bookRate()).toMatch(/^\d{9}$/);
  });

  test('the older form of an acceptance names its listing at once', async () => {
    sandbox.setSwitches({ acceptanceAnswersAtOnce: true });
    expect(await bookRate()).toMatch(/^\d{9}$/);
  });

  test('an acceptance that fails says why', async () => {
    sandbox.setSwitches({ acceptance: 'failed' });
    await expect(bookRate()).rejects.toThrow(/failed.*no longer offers/);
  });

  test('a booked listing has bill of lading, contacts and tracking', async () => {
    const listingId = await bookRate();
    const ready = async <T>(take: () => Promise<T>): Promise<T | null> =>
      await take().catch((error: unknown) => {
        if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return null;
        throw error;
      });
    const bol = await until(
      async () => await ready(async () => await client.getBillOfLading(listingId)),
      (found) => found !== null,
    );
    expect(bol).toMatchObject({
      billOfLadingNumber: expect.stringMatching(/^\d+$/),
      documentUrl: expect.stringMatching(/^http/),
    });
    expect(await client.getListingContacts(listingId)).toEqual(expect.any(Object));
    const tracking = await until(
      async () => await client.getTracking(listingId),
      ({ statuses }) => statuses.length > 0,
    );
    expect(tracking.statuses[0]).toEqual({ status: 'ReadyForDispatch', setAt: expect.any(String) });
  });

  test('payment methods that are not implemented answer 501', async () => {
    sandbox.setSwitches({ paymentMethods: 'notImplemented' });
    await expect(client.listPaymentMethods('ltl')).rejects.toMatchObject({ status: 501 });
  });
});

test('nothing is sent that the contract does not name', async () => {
  sandbox.setSwitches({ unknownFields: 'refused' });
  expect(await createListing()).toMatch(/^\d{9}$/);
  expect(await bookRate()).toMatch(/^\d{9}$/);
});

describe('the ways to prove oneself', () => {
  test('one token serves all calls until it is about to end, however many wait for it', async () => {
    const secret = (value: string) => async () => await Promise.resolve(value);
    const auth = {
      kind: 'clientCredentials',
      clientId: secret('sandbox-client'),
      clientSecret: secret('sandbox-secret'),
    } as const;
    const marketplace = createMarketplace(marketplaceAccount(sandbox.url, { auth }));
    opened.push(marketplace);
    await Promise.all(Array.from({ length: 5 }, async () => await marketplace.listPaymentMethods('ltl')));
    expect(sandbox.requests('createToken')).toHaveLength(1);
  });

  test('a wrong key is account trouble, and the key is not in the error', async () => {
    const key = 'wrong-key-123';
    const wrong = createMarketplace(
      marketplaceAccount(sandbox.url, {
        auth: { kind: 'apiKey', key: async () => await Promise.resolve(key) },
      }),
    );
    opened.push(wrong);
    const error = await wrong.getListing('123456789').catch((caught: unknown) => caught);
    expect(error).toMatchObject({ status: 401, outcome: 'accountTrouble' });
    expect(JSON.stringify(error) + String(error)).not.toContain(key);
  });
});

describe('what goes wrong on the way', () => {
  test.each([
    ['status', { status: 400 }, 'rejected'],
    ['status', { status: 401 }, 'accountTrouble'],
    ['status', { status: 403 }, 'accountTrouble'],
    ['status', { status: 409 }, 'inDoubt'],
    ['status', { status: 429 }, 'notSent'],
    ['status', { status: 500 }, 'inDoubt'],
    ['status', { status: 503 }, 'inDoubt'],
    ['hangUpBefore', {}, 'inDoubt'],
    ['hangUpAfter', {}, 'inDoubt'],
  ] as const)('a listing that meets %s %j is %s', async (kind, over, outcome) => {
    sandbox.addFault({ endpoint: 'createListing', kind, times: 1, ...over });
    const error = await createListing().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(MarketplaceError);
    expect(error).toMatchObject({ outcome, method: 'POST', path: '/v2/listings' });
  });

  test('an answer that comes too late is in doubt', async () => {
    sandbox.addFault({ endpoint: 'createListing', kind: 'delay', delayMs: 3_000, times: 1 });
    const draft = {
      shipment: aFurnitureShipment(),
      listPrice: { minorUnits: 100, currency: 'USD' },
      priceCorrelationId: null,
      sendId: 'x.1',
    };
    const error = await client.createListing(draft, { timeoutMs: 300 }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ outcome: 'inDoubt' });
  });

  test.each(['reason', 'developerMessage', 'message', 'html', 'empty'] as const)(
    'an error body of the form %s becomes one readable error',
    async (errorBody) => {
      sandbox.setSwitches({ errorBody });
      const error = await client.getListing('123456789').catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(ApiError);
      expect(String(error)).toMatch(/GET \/v2\/listings\/123456789.*404/);
    },
  );

  test('a marketplace that is not there was not reached, so that nothing was sent', async () => {
    const gone = await startSandbox({ port: 0 });
    await gone.close();
    const marketplace = createMarketplace(marketplaceAccount(gone.url));
    opened.push(marketplace);
    await expect(marketplace.getListing('123456789')).rejects.toMatchObject({ outcome: 'notSent' });
  });
});
