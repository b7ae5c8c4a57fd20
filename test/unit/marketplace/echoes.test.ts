import { afterEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toFailure } from '../../../src/activities/failures';
import { apiError } from '../../../src/marketplace/api-error';
import { sentBody, sentSecrets, redactError } from '../../../src/marketplace/redact';
import { isVocabulary } from '../../../src/marketplace/vocabulary';
import { aMarketplace, anAccount, closeAll, failureOf, startServer } from './server';
import { CANARIES, ECHOES, hitsIn } from '../../support/canaries';
import { aFurnitureShipment, anLtlShipment, aStop } from './shipments';

afterEach(closeAll);

/** How an answer reads as a failure, with everything that is part of one. */
function shownOf(error: unknown): string {
  const failure = toFailure(error, 'write');
  return [error, failure]
    .map((shown) => `${shown instanceof Error ? shown.stack : ''} ${JSON.stringify(shown)}`)
    .join(' ');
}

const CALLS = {
  write: { operation: 'createListing', method: 'POST', path: '/v2/listings' },
  reading: { operation: 'getListing', method: 'GET', path: '/v2/listings/1' },
  price: { operation: 'getFixedPrice', method: 'POST', path: '/v2/fixedprice' },
} as const;

test.each(Object.entries(ECHOES))('nothing of a canary remains when an answer repeats it %s', (_, echo) => {
  const hits: unknown[] = [];
  for (const [name, canary] of Object.entries(CANARIES)) {
    const { body, headers = {} } = echo(canary);
    const header = (wanted: string): string | null => headers[wanted] ?? null;
    const headersOf = (wanted: string): string[] => [header(wanted)].filter((value) => value !== null);
    const contact = { name: canary, companyName: canary, phoneNumber: canary, email: canary };
    const address = { streetAddress: canary, postalCode: canary };
    const sent = {
      write: sentBody([canary, 'deadbeefcafe42'], { route: { items: [{ address, contact }] } }),
      reading: sentSecrets([CANARIES.key, CANARIES.plainPassword, CANARIES.hexKey]),
      price: sentBody([CANARIES.key, CANARIES.plainPassword, CANARIES.hexKey], { route: [{ address }] }),
    };
    for (const call of ['write', 'reading', 'price'] as const) {
      for (const status of [400, 403, 500]) {
        const answer = {
          header,
          headers: headersOf,
          body: { kind: 'whole', text: body, isText: true },
        } as const;
        const error = apiError(CALLS[call], { ...answer, status }, { sent: sent[call], renewable: false });
        const shown = shownOf(error);
        const found = hitsIn(shown, [canary]);
        if (found.length > 0) hits.push([name, call, status, shown, found]);
      }
    }
  }
  expect(hits).toEqual([]);
});

test.each(Object.entries(ECHOES))('no call shows what its answer repeats %s', async (_, echo) => {
  const { name, phoneDashes, street, key } = CANARIES;
  const { url } = await startServer((request, response) => {
    const { body, headers } = echo(`${name} ${phoneDashes} ${street} ${request.headers.authorization}`);
    response.writeHead(400, headers);
    response.end(body);
  });
  const auth = { kind: 'apiKey', key: async () => await Promise.resolve(key) } as const;
  const marketplace = aMarketplace(anAccount(url, { auth }));
  const contact = { name, companyName: null, phone: phoneDashes, email: null };
  const stop = aStop({ address: { ...aStop().address, street }, contact });
  const shipment = aFurnitureShipment({ origin: stop });
  const listPrice = { minorUnits: 65_000, currency: 'USD' };
  const failures = [
    marketplace.createListing({ shipment, listPrice, priceCorrelationId: null, sendId: 's-1' }),
    marketplace.getFixedPrice({ shipment, priceCorrelationId: null }),
    marketplace.createRateRequest({ shipment: anLtlShipment({ origin: stop }), attempt: 1 }),
    marketplace.getListing('1'),
    marketplace.deleteListing('1'),
  ].map(failureOf);
  for (const failure of failures) {
    const shown = shownOf(await failure);
    expect(shown).toContain('answered 400');
    expect(hitsIn(shown, [name, phoneDashes, street, key])).toEqual([]);
  }
});

test('an operator still sees status, codes, fields and request id, besides the words', async () => {
  const { url } = await startServer((_, response) => {
    response.writeHead(400, { 'x-request-id': '7f3a9c1e-0b42-4d11-9a55-c0ffee001122' });
    const errors = [
      { code: 40_006, field: 'route.items[0].address.postalCode', reason: 'is not served by the lane 78703' },
      { code: 'InvalidTimeFrame', field: 'timeFrame', reason: 'must be at least 2 days ahead' },
      { code: 'Zebulon', field: 'contact.Quux', reason: 'bad' },
    ];
    response.end(JSON.stringify({ reason: 'The listing is embargoed for Zebulon Quux', errors }));
  });
  const error = await failureOf(
    aMarketplace(anAccount(url)).createListing({
      shipment: aFurnitureShipment(),
      listPrice: { minorUnits: 65_000, currency: 'USD' },
      priceCorrelationId: null,
      sendId: 's-1',
    }),
  );
  expect(error).toMatchObject({
    message:
      'POST /v2/listings answered 400: 40006 route.items[0].address.postalCode; InvalidTimeFrame timeFrame; ' +
      'it speaks of a postal code; it speaks of a date [request 7f3a9c1e-0b42-4d11-9a55-c0ffee001122]',
    words: 'The listing is embargoed for …; is not served by the …; must be at least 2 days ahead; bad',
  });
});

test('whatever an answer to a read says, only words of the list and single short numbers are shown', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.lorem(), fc.emailAddress());
  fc.assert(
    fc.property(text, text, text, (said, field, code) => {
      const reading = { reason: said, codes: [code], fields: [{ field, code, reason: said }] };
      const { words, codes, fields } = redactError(reading, 400, sentSecrets([]));
      const shown = [words ?? '', ...codes, ...fields].join(' ');
      for (const word of shown.match(/\p{L}+/gu) ?? []) {
        const parts = word.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [word];
        expect([word, isVocabulary(word) || parts.every(isVocabulary)]).toEqual([word, true]);
      }
      for (const number of shown.match(/\d+/g) ?? [])
        expect(number.length === 5 || number.length <= 3).toBe(true);
    }),
  );
});
