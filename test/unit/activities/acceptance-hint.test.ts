import { expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createActivities } from '../../../src/activities';
import { acceptanceStatusText, type AcceptanceStatus } from '../../../src/domain/acceptance';
import type { ListingRecord } from '../../../src/domain/listing';
import { createFolderStore } from '../../../src/platform/file-store';
import { ApiError } from '../../../src/marketplace/errors';
import type { Marketplace } from '../../../src/marketplace/marketplace';
import { aListing } from '../../support/builders';
import { NO_ENDPOINTS } from '../../support/notifications';

const notFound = new ApiError({
  request: { operation: 'getListing', method: 'GET', path: '/v2/listings/77' },
  outcome: 'rejected',
  status: 404,
  reasons: [],
});

/** One poll of a status, beside the record of the listing that it names; null: there is none. */
async function pollOf(status: AcceptanceStatus, record: ListingRecord | null) {
  const readListings: string[] = [];
  const marketplace = {
    getAcceptanceStatus: async () => await Promise.resolve(status),
    getListing: async (listingId: string) => {
      readListings.push(listingId);
      return await (record === null ? Promise.reject(notFound) : Promise.resolve(record));
    },
  } as unknown as Marketplace;
  const { pollAcceptance } = createActivities({
    marketplaceOf: () => marketplace,
    client: {} as Client,
    files: createFolderStore('unused'),
    notifications: NO_ENDPOINTS,
  });
  const account = { name: 'acme', environment: 'sandbox' } as const;
  const input = { account, rateId: 'r', executionId: 'e', pace: { initialMs: 10, maximumMs: 10 } };
  const outcome = await new MockActivityEnvironment({ attempt: 1 })
    .run(async () => await pollAcceptance(input))
    .catch((error: unknown) => error);
  return { readListings, outcome: outcome instanceof ApplicationFailure ? outcome.message : outcome };
}

const hint = { kind: 'pending', statusCode: 200, listingId: '77' } as const;

test.each([
  ['Booked', aListing({ status: 'Booked' })],
  ['Completed', aListing({ status: 'Completed' })],
  [
    'an unknown word beside a booking date',
    aListing({ status: 'Gebucht', bookedOn: '2035-03-06T12:00:00.000Z' }),
  ],
])('a pending acceptance that names a listing which reads %s is booked', async (_, record) => {
  expect(await pollOf(hint, record)).toEqual({
    readListings: ['77'],
    outcome: { kind: 'booked', listingId: '77' },
  });
});

test.each([
  ['is on the market', aListing()],
  ['is not there', null],
  ['was cancelled', aListing({ status: 'Cancelled' })],
])('an acceptance whose listing %s stays pending, and says which listing it named', async (_, record) => {
  expect(await pollOf(hint, record)).toEqual({
    readListings: ['77'],
    outcome: 'pending (200), and names listing 77',
  });
});

test('an acceptance that names no listing reads none', async () => {
  const { readListings } = await pollOf({ ...hint, listingId: null }, null);
  expect(readListings).toEqual([]);
});

test.each<[AcceptanceStatus, string]>([
  [{ kind: 'pending', statusCode: null, listingId: null }, 'pending (no status code)'],
  [{ kind: 'notVisible' }, 'not visible (404)'],
  [{ kind: 'booked', listingId: '77' }, 'booked as listing 77'],
  [
    { kind: 'failed', statusCode: 410, reason: 'too late', words: null, listingId: '77', isDuplicate: false },
    'failed (too late), and names listing 77',
  ],
  [
    { kind: 'inDoubt', reason: 'it ended with 500', words: null, listingId: null },
    'in doubt (it ended with 500)',
  ],
])('a report about an acceptance contains its ids: %j', (status, text) => {
  expect(acceptanceStatusText(status)).toBe(text);
});
