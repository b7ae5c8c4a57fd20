import { afterEach, expect, test } from '@jest/globals';
import type { MarketplaceSettings } from '../../../src/marketplace/account';
import { aFurnitureShipment, anLtlShipment } from '../../support/builders';
import { aMarketplace, anAccount, closeAll, failureOf, reply, startServer } from './server';

afterEach(closeAll);

async function answering(status: number, location: string, settings: Partial<MarketplaceSettings> = {}) {
  const { url } = await startServer(reply(status, '', { location }));
  return aMarketplace(anAccount(url, { settings }));
}

const draft = {
  shipment: aFurnitureShipment(),
  listPrice: { minorUnits: 10_000, currency: 'USD' },
  priceCorrelationId: null,
  sendId: 'SO-1.1',
};
const acceptance = { rateId: 'r', paymentMethodId: 'p-1', coverage: null };

test.each([
  'https://elsewhere.example/v2/raterequests/abc/rates',
  '//inner-gateway:8080/v2/raterequests/abc;jsessionid=7',
  'http://10.0.0.7/v2/raterequests/abc',
])('a rate request is found under any host in its Location: %s', async (location) => {
  const marketplace = await answering(201, location);
  expect(await marketplace.createRateRequest({ shipment: anLtlShipment(), attempt: 1 })).toEqual({
    rateRequestId: 'abc',
  });
});

test('a listing under a foreign host is in doubt, and the text names only the host', async () => {
  const marketplace = await answering(201, 'https://pat:hush@elsewhere.example/v2/listings/77?key=hush');
  const error = await failureOf(marketplace.createListing(draft));
  expect(error).toMatchObject({ outcome: 'inDoubt' });
  expect(String(error)).toContain('a Location header that names the listing');
  expect(String(error)).toContain('it names the host elsewhere.example, which is not among locationHosts');
  expect(String(error)).not.toContain('hush');
});

test('an acceptance under a foreign host is in doubt, and the text names the host', async () => {
  const marketplace = await answering(202, 'https://elsewhere.example/v2/rates/r/acceptance/status/e-1');
  const error = await failureOf(marketplace.acceptRate(acceptance));
  expect(error).toMatchObject({ outcome: 'inDoubt' });
  expect(String(error)).toContain('the host elsewhere.example');
});

test('a host in locationHosts is accepted for listings and acceptances', async () => {
  const locationHosts = ['api.internal.example'];
  const listing = await answering(201, 'https://API.internal.example/v2/listings/77;jsessionid=7', {
    locationHosts,
  });
  expect(await listing.createListing(draft)).toEqual({ listingId: '77' });
  const status = 'http://api.internal.example:81/v2/rates/r/acceptance/status/e-1';
  expect(await (await answering(202, status, { locationHosts })).acceptRate(acceptance)).toEqual({
    kind: 'pending',
    executionId: 'e-1',
  });
});
