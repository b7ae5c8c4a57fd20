import { afterEach, expect, test } from '@jest/globals';
import { aMarketplace, anAccount, closeAll, failureOf, reply, startServer } from './server';
import { aFurnitureShipment, anLtlShipment, aStop } from './shipments';

afterEach(closeAll);

const usd = (minorUnits: number) => ({ minorUnits, currency: 'USD' });
const created = reply(201, '', { location: '/v2/listings/273679133' });
const requested = reply(201, '', { location: 'http://127.0.0.1/v2/raterequests/abc/rates' });
const draft = {
  shipment: aFurnitureShipment(),
  listPrice: usd(65050),
  priceCorrelationId: 'c-1',
  sendId: 's-1',
};
/** Both ends of an order, as the contract writes them. */
const AUSTIN = {
  streetAddress: '12 Elm St',
  majorMunicipality: 'Austin',
  postalCode: '78701',
  stateProvince: 'TX',
  country: 'US',
  type: 'Residence',
  timeZone: 'America/Chicago',
};
const DENVER = {
  streetAddress: '9 Oak Ave',
  alternateStreetAddress: 'Apt 3',
  majorMunicipality: 'Denver',
  postalCode: '80202',
  stateProvince: 'CO',
  country: 'US',
  type: 'BusinessWithoutLoadingDockOrForklift',
  timeZone: 'America/Denver',
};

test('a listing is created as the contract writes it', async () => {
  const server = await startServer(created);
  expect(await aMarketplace(anAccount(server.url)).createListing(draft)).toEqual({ listingId: '273679133' });
  expect(server.seen[0]).toMatchObject({ method: 'POST', url: '/v2/listings' });
  expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({
    title: 'Oak table',
    description: 'An oak table',
    confidentialDescription: 'gate code 4471',
    pricing: { namedPrice: { amount: 650.5, currencyType: 'USD' } },
    insurance: { coverageAmount: { amount: 2500, currencyType: 'USD', commodity: 'Tables' } },
    route: {
      items: [
        {
          address: AUSTIN,
          timeFrame: { earliestArrival: '2030/05/01', latestArrival: '2030/05/04', timeFrameType: 'between' },
          contact: { name: 'Ada Byron', phoneNumber: '512-555-0147', email: 'ada@example.com' },
        },
        {
          address: DENVER,
          timeFrame: { latestArrival: '2030/05/20', timeFrameType: 'before' },
          contact: { name: 'Bob Ray', companyName: 'Ray LLC', phoneNumber: '303-555-0111' },
        },
      ],
    },
    items: [
      {
        Title: 'Table',
        Commodity: 'Tables',
        widthInMeters: 0.9,
        lengthInMeters: 1.8,
        heightInMeters: 0.75,
        weightInGrams: 40000,
        unitCount: 2,
      },
    ],
    referenceNumbers: [
      { number: 'acme/o-1042', type: 'ThirdPartyOrderNumber' },
      { number: 'c-1', type: 10 },
      { number: 's-1', type: 'Other', referenceNumberLabel: 'Send' },
      { number: 'PO-9', type: 'PurchaseOrder' },
    ],
    serviceTypes: ['BlanketWrap'],
  });
});

test('a rate request is created as the contract writes it', async () => {
  const server = await startServer(requested);
  const account = anAccount(server.url, { settings: { development: 'yes', affiliate: 'aff-1' } });
  const answer = await aMarketplace(account).createRateRequest({ shipment: anLtlShipment(), attempt: 3 });
  expect(answer).toEqual({ rateRequestId: 'abc' });
  expect(server.seen[0]).toMatchObject({
    url: '/v2/raterequests?development=yes',
    headers: { 'x-affiliate': 'aff-1' },
  });
  const item = {
    commodity: 'NewCommercialGoods',
    unitCount: 1,
    handlingUnit: 'Pallets48X40Inches',
    stackable: false,
    hazardous: false,
    lengthInMeters: 1.2,
    widthInMeters: 1,
    heightInMeters: 1.1,
    weightInGrams: 250000,
    freightClass: 77.5,
  };
  const accessorials = {
    inside: false,
    liftgateRequired: true,
    callBeforeArrival: false,
    appointmentRequired: false,
  };
  expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({
    route: {
      items: [
        {
          address: AUSTIN,
          timeFrame: { earliestArrival: '2030/05/01', latestArrival: '2030/05/01', timeFrameType: 'on' },
          accessorials,
          contact: { name: 'Ada Byron', phoneNumber: '512-555-0147', email: 'ada@example.com' },
        },
        {
          address: DENVER,
          accessorials,
          contact: { name: 'Bob Ray', companyName: 'Ray LLC', phoneNumber: '303-555-0111' },
        },
      ],
    },
    items: [item, item],
    referenceNumbers: [
      { number: 'acme/o-1042', type: 'ThirdPartyOrderNumber' },
      { number: 'PO-9', type: 'PurchaseOrder' },
    ],
    integratorId: 'integrator-7',
    accessorials: ['ProtectFromFreezing'],
    thirdPartyId: 'o-1042.3',
  });
});

test('the other forms of a rate request are settings', async () => {
  const server = await startServer(requested);
  const account = anAccount(server.url, { settings: { stopAccessorials: 'names', ltlUnits: 'unitCount' } });
  const here = aStop({ address: { ...aStop().address, postalCode: '', latitude: 30.2, longitude: -97.7 } });
  const there = aStop({ address: { ...aStop().address, latitude: 39.7, longitude: -104.9 } });
  const shipment = anLtlShipment({
    origin: here,
    destination: there,
    services: [],
    references: [{ type: 'Other', number: '7', label: 'Dock' }],
  });
  await aMarketplace(account).createRateRequest({ shipment, attempt: 1 });
  const body = JSON.parse(server.seen[0]?.body ?? '');
  expect(server.seen[0]?.url).toBe('/v2/raterequests');
  expect(server.seen[0]?.headers['x-affiliate']).toBeUndefined();
  expect(body.items).toMatchObject([{ unitCount: 2, weightInGrams: 250000 }]);
  expect(body.accessorials).toBeUndefined();
  expect(body.referenceNumbers[1]).toEqual({ type: 'Other', number: 'Dock - 7' });
  for (const stop of body.route.items) {
    expect(stop.accessorials).toEqual(['liftgateRequired']);
    expect(stop.address).toHaveProperty('latitude');
    expect(stop.address).not.toHaveProperty('postalCode');
  }
});

test('a request that the contract does not allow is refused before it is sent', async () => {
  const server = await startServer(requested);
  const shipment = anLtlShipment({ pickup: { type: 'on', earliest: '2030-05-01', latest: '2030-05-02' } });
  expect(
    await failureOf(aMarketplace(anAccount(server.url)).createRateRequest({ shipment, attempt: 1 })),
  ).toMatchObject({
    name: 'InvalidRequestError',
    outcome: 'rejected',
    message: expect.stringContaining('route.items[0].timeFrame (must be a single day)'),
  });
  expect(server.seen).toEqual([]);
});

test.each([
  [usd(100000), { coverage: { amount: 1000, currencyType: 'USD' } }],
  [null, { coverage: null }],
])('accepting with coverage %j sends insurance %j', async (coverage, insurance) => {
  const server = await startServer(
    reply(202, { message: 'ok' }, { location: 'http://127.0.0.1/v2/rates/r/acceptance/status/e' }),
  );
  await aMarketplace(anAccount(server.url)).acceptRate({ rateId: 'r', paymentMethodId: 'p', coverage });
  expect(server.seen[0]?.url).toBe('/v2/rates/r/acceptance');
  expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({ paymentMethodId: 'p', insurance });
});

test('a fixed price is requested in JSON, or by setting as a form', async () => {
  const server = await startServer(reply(200, { price: 120, nypAmount: 100 }));
  const shipment = aFurnitureShipment({ coverage: null });
  await aMarketplace(anAccount(server.url, { userId: 'u-1' })).getFixedPrice({
    shipment,
    priceCorrelationId: 'c-0',
  });
  await aMarketplace(anAccount(server.url, { settings: { fixedPriceBody: 'form' } })).getFixedPrice({
    shipment,
    priceCorrelationId: null,
  });
  expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({
    source: 'acmefurniture',
    originPostalCode: '78701',
    destinationPostalCode: '80202',
    originCountryCode: 'US',
    destinationCountryCode: 'US',
    items: [
      { heightInMeters: 0.75, lengthInMeters: 1.8, widthInMeters: 0.9, weightInGrams: 40000, unitCount: 2 },
    ],
    userId: 'u-1',
    priceCorrelationId: 'c-0',
    commodity: 'Tables',
  });
  expect(server.seen[1]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
  expect(new URLSearchParams(server.seen[1]?.body).get('items[0].unitCount')).toBe('2');
});

test.each([
  [
    'multipart' as const,
    /multipart\/form-data/,
    /name="file"; filename="a\.png"\r\nContent-Type: image\/png\r\n\r\nPNG/,
  ],
  ['base64' as const, /json/, /"content":"UE5H"/],
  ['url' as const, /json/, /"urls":\["https:\/\/img\.example\/a\.png"\]/],
])('an image is sent as %s', async (imagePayload, type, body) => {
  const server = await startServer(reply(204));
  const account = anAccount(server.url, { settings: { imagePayload } });
  await aMarketplace(account).uploadListingImage({
    listingId: '5',
    fileName: 'a.png',
    contentType: 'image/png',
    bytes: Buffer.from('PNG'),
    url: 'https://img.example/a.png',
  });
  expect(server.seen[0]?.url).toBe('/v2/listings/5/images');
  expect(server.seen[0]?.headers['content-type']).toMatch(type);
  expect(server.seen[0]?.body).toMatch(body);
});

test('an image without an address is not sent where addresses are sent', async () => {
  const server = await startServer(reply(204));
  const account = anAccount(server.url, { settings: { imagePayload: 'url' } });
  const image = { listingId: '5', fileName: 'a.png', contentType: 'image/png', bytes: Buffer.from('PNG') };
  await expect(aMarketplace(account).uploadListingImage(image)).rejects.toMatchObject({
    name: 'InvalidRequestError',
    outcome: 'rejected',
  });
  expect(server.seen).toEqual([]);
});
