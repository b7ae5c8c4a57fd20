import { expect, test } from '@jest/globals';
import type { MarketplaceSettings } from '../../src/marketplace/account';
import { aFurnitureShipment } from '../support/builders';
import { usd, useSandbox } from './sandbox-client';

const marketplace = useSandbox();
const covered = aFurnitureShipment({ coverage: usd(200_000) });
const answerOf = async (settings: Partial<MarketplaceSettings> = {}, shipment = covered) =>
  await marketplace.open({ settings }).getFixedPrice({ shipment, priceCorrelationId: null });
const priceOf = async (...asked: Parameters<typeof answerOf>) => {
  const price = await answerOf(...asked);
  if (price.premium === 'unknown') throw new Error('the premium is unknown');
  return price;
};
/** No carrier answers, which would change the listing under the test. */
const holdCarriers = () => marketplace.sandbox.setClock({ steps: { booking: 3_600_000 } });

test.each<Partial<MarketplaceSettings> & { fixedPriceBody: 'json' | 'form' }>([
  { fixedPriceBody: 'json' },
  { fixedPriceBody: 'form', formNesting: 'dots' },
  { fixedPriceBody: 'form', formNesting: 'brackets' },
  { fixedPriceBody: 'form', formNesting: 'json' },
])('a fixed price is requested under %j, with premium and total', async (settings) => {
  marketplace.sandbox.setSwitches({ fixedPriceBody: settings.fixedPriceBody, unknownFields: 'refused' });
  const price = await priceOf(settings);
  expect(price.price.minorUnits).toBeGreaterThan(price.listPrice.minorUnits);
  expect(price.premium?.minorUnits).toBeGreaterThan(0);
  expect(price.total).toEqual(usd(price.price.minorUnits + (price.premium?.minorUnits ?? Number.NaN)));
  expect(price.priceCorrelationId).toMatch(/^[0-9a-f-]{36}$/);
  const other = settings.fixedPriceBody === 'json' ? 'form' : 'json';
  marketplace.sandbox.setSwitches({ fixedPriceBody: other });
  await expect(priceOf(settings)).rejects.toMatchObject({ outcome: 'rejected' });
});

test.each([
  ['dots', 'brackets', 'json'],
  ['brackets', 'json', 'dots'],
  ['json', 'dots', 'brackets'],
] as const)(
  'where forms nest by %s, a fixed price requested by %s or %s is refused',
  async (nesting, ...others) => {
    marketplace.sandbox.setSwitches({ formNesting: nesting });
    const asked = async (formNesting: typeof nesting) =>
      await priceOf({ fixedPriceBody: 'form', formNesting });
    expect((await asked(nesting)).price.minorUnits).toBeGreaterThan(0);
    for (const other of others)
      await expect(asked(other)).rejects.toMatchObject({ status: 400, outcome: 'rejected' });
  },
);

test.each(['insuranceQuote', 'insurance', 'top'] as const)(
  'a premium is found in %s',
  async (premiumPosition) => {
    marketplace.sandbox.setSwitches({ premiumPosition });
    expect((await priceOf()).premium?.minorUnits).toBeGreaterThan(0);
  },
);

test('a missing premium is unknown, never zero, when coverage was asked for', async () => {
  marketplace.sandbox.setSwitches({ premiumPosition: 'missing' });
  expect(await answerOf()).toMatchObject({ premium: 'unknown', isListedAtTotal: false });
  expect(await answerOf({ listPrice: 'priceWithPremium' })).toMatchObject({ isListedAtTotal: true });
  expect((await priceOf({}, aFurnitureShipment())).premium).toBeNull();
});

test('with the premium in the list price, the listing is offered at the total', async () => {
  const { listPrice, total } = await priceOf({ listPrice: 'priceWithPremium' });
  expect(listPrice).toEqual(total);
});

test('only the US and Canada have fixed prices', async () => {
  const { origin } = covered;
  const shipment = { ...covered, origin: { ...origin, address: { ...origin.address, country: 'MX' } } };
  await expect(priceOf({}, shipment)).rejects.toMatchObject({ status: 400, outcome: 'rejected' });
});

test.each(['full', 'relative', 'bare'] as const)('a listing is found by a %s Location', async (location) => {
  marketplace.sandbox.setSwitches({ location });
  expect(await marketplace.createListing()).toMatch(/^\d{9}$/);
});

test.each<Partial<MarketplaceSettings>>([
  { pricing: 'offerPrice' },
  { listingItemKeys: 'camelCase' },
  { otherReferences: 'combined' },
  { priceCorrelationType: 'name' },
  { addressTypes: 'short' },
])('a listing is accepted under %j, and has the references of the order', async (settings) => {
  marketplace.sandbox.setSwitches({ unknownFields: 'refused' });
  const client = marketplace.open({ settings });
  const listingId = await marketplace.createListing(client);
  const { referenceNumbers } = await client.getListing(listingId);
  expect(referenceNumbers.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['ThirdPartyOrderNumber', 'PriceCorrelationId', 'Other']),
  );
});

test.each([
  ['combined', 'labelled', 'Send - SO-1.1'],
  ['asSent', 'labelled', 'SO-1.1'],
  ['combined', 'combined', 'Send - SO-1.1'],
  ['asSent', 'combined', 'Send - SO-1.1'],
] as const)(
  'where the marketplace writes references %s and Consign sends them %s, the send is %s',
  async (otherReferenceNumber, otherReferences, number) => {
    marketplace.sandbox.setSwitches({ otherReferenceNumber });
    const client = marketplace.open({ settings: { otherReferences } });
    const { referenceNumbers } = await client.getListing(await marketplace.createListing(client));
    expect(referenceNumbers).toContainEqual(expect.objectContaining({ type: 'Other', number }));
  },
);

test.each([
  ['record', false, 'en', 'milliseconds'],
  ['list', true, 'fr', 'seconds'],
  ['record', true, 'es', 'sevenDigits'],
] as const)(
  'a listing is read from a %s with weight as text %s, labels in %s and timestamps in %s',
  async (listingAnswer, weightAsText, labels, timestamps) => {
    marketplace.sandbox.setSwitches({ listingAnswer, weightAsText, labels, timestamps });
    holdCarriers();
    const client = marketplace.open();
    const listingId = await marketplace.createListing(client);
    const record = await client.getListing(listingId);
    expect(record).toMatchObject({
      listingId,
      status: 'Active',
      postalCodes: ['75207', '78703'],
      totalWeightInGrams: 64_411,
      lastUpdatedOn: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(record.referenceNumbers).toContainEqual(
      expect.objectContaining({ type: 'ThirdPartyOrderNumber', number: 'acme/SO-1' }),
    );
  },
);

test.each(['record', 'list'] as const)('a missing listing is not found (%s)', async (listingAnswer) => {
  marketplace.sandbox.setSwitches({ listingAnswer });
  const asked = marketplace.open().getListing('123456789');
  await expect(asked).rejects.toMatchObject({ status: 404, outcome: 'rejected' });
});

test('a second identical listing may be refused as a duplicate, and the first one stays in doubt', async () => {
  marketplace.sandbox.setSwitches({ duplicateListings: 'refused' });
  const client = marketplace.open();
  const draft = {
    shipment: aFurnitureShipment(),
    listPrice: usd(10_000),
    priceCorrelationId: null,
    sendId: 'SO-1.1',
  };
  await client.createListing(draft);
  await expect(client.createListing(draft)).rejects.toMatchObject({
    status: 400,
    outcome: 'inDoubt',
    codes: ['40001'],
  });
});

const image = {
  fileName: 'sofa.jpg',
  contentType: 'image/jpeg',
  bytes: new Uint8Array([0xff, 0xd8, 0xff]),
  url: 'https://images.example.com/sofa.jpg',
};

test.each([
  ['multipart', 'multipart', 'base64'],
  ['base64', 'base64', 'url'],
  ['urls', 'url', 'multipart'],
] as const)(
  'an image is accepted as %s when it is sent as %s, not as %s',
  async (payload, imagePayload, wrong) => {
    const listingId = await marketplace.createListing();
    marketplace.sandbox.setSwitches({ imagePayload: payload });
    await marketplace.open({ settings: { imagePayload } }).uploadListingImage({ listingId, ...image });
    expect(marketplace.sandbox.order('acme/SO-1').images).toBe(1);
    const refused = marketplace.open({ settings: { imagePayload: wrong } });
    await expect(refused.uploadListingImage({ listingId, ...image })).rejects.toMatchObject({ status: 400 });
  },
);

test('an image without a URL is not sent as url', async () => {
  const listingId = await marketplace.createListing();
  const { url: _address, ...withoutUrl } = image;
  const client = marketplace.open({ settings: { imagePayload: 'url' } });
  const sent = client.uploadListingImage({ listingId, ...withoutUrl });
  await expect(sent).rejects.toMatchObject({ name: 'InvalidRequestError', outcome: 'rejected' });
  expect(marketplace.sandbox.requests('uploadListingImage')).toEqual([]);
});

test('the multipart field of an image is a setting', async () => {
  const listingId = await marketplace.createListing();
  marketplace.sandbox.setSwitches({ imageField: 'photo', imagePayload: 'multipart' });
  const client = marketplace.open({ settings: { imageField: 'photo' } });
  await client.uploadListingImage({ listingId, ...image });
  await expect(marketplace.open().uploadListingImage({ listingId, ...image })).rejects.toMatchObject({
    status: 400,
  });
});

test.each([
  ['base64', 'content'],
  ['urls', 'urls'],
] as const)(
  'the field of an image in JSON is a setting too: %s, by default in %s',
  async (payload, usual) => {
    const listingId = await marketplace.createListing();
    const imagePayload = payload === 'urls' ? 'url' : payload;
    const send = async (imageField: string | null) =>
      await marketplace.open({ settings: { imagePayload, imageField } }).uploadListingImage({
        listingId,
        ...image,
      });
    marketplace.sandbox.setSwitches({ imagePayload: payload, imageJsonField: 'picture' });
    await send('picture');
    await expect(send(null)).rejects.toMatchObject({ status: 400, outcome: 'rejected' });
    marketplace.sandbox.setSwitches({ imageJsonField: usual });
    await send(null);
    await expect(send('picture')).rejects.toMatchObject({ status: 400, outcome: 'rejected' });
    expect(marketplace.sandbox.order('acme/SO-1').images).toBe(2);
  },
);

test.each([200, 201, 202, 204] as const)(
  'an image that is answered %i counts as uploaded',
  async (imageAnswerStatus) => {
    const listingId = await marketplace.createListing();
    marketplace.sandbox.setSwitches({ imageAnswerStatus });
    await marketplace.open().uploadListingImage({ listingId, ...image });
    expect(marketplace.sandbox.order('acme/SO-1').images).toBe(1);
  },
);

test('an unbooked listing can be deleted, once; a booked one cannot', async () => {
  holdCarriers();
  const client = marketplace.open();
  const listingId = await marketplace.createListing(client);
  await client.deleteListing(listingId);
  await expect(client.deleteListing(listingId)).rejects.toMatchObject({ status: 404 });
  await expect(client.getListing(listingId)).rejects.toMatchObject({ status: 404 });
  const booked = await marketplace.createListing(client);
  marketplace.sandbox.controls.advance(booked, { to: 'Booked' });
  await expect(client.deleteListing(booked)).rejects.toMatchObject({ status: 403, outcome: 'rejected' });
});

test('Consign sends nothing that the contract does not name', async () => {
  marketplace.sandbox.setSwitches({ unknownFields: 'refused' });
  expect(await marketplace.createListing()).toMatch(/^\d{9}$/);
  expect(await marketplace.bookRate()).toMatch(/^\d{9}$/);
});
