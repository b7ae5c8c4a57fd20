import { expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { ACCOUNT, runActivity } from './run-activity';
import { until, useSandbox } from './sandbox-client';

const marketplace = useSandbox();
const pace = { initialMs: 10, maximumMs: 10 };
const at = { trouble: 100, pickupDayPasses: 100, priceCorrection: 20 };

/** A new listing's record once it has the status and was booked that often, told by the sandbox's own ledger. */
async function recordOnce(status: string, timesBooked: number) {
  const client = marketplace.open();
  const listingId = await marketplace.createListing(client);
  const read = async () => {
    // The ledger is asked first: the record is then at least as new.
    const { booked } = marketplace.sandbox.controls.listing(listingId).counts;
    return { booked, record: await client.getListing(listingId) };
  };
  const { record } = await until(
    read,
    (found) => found.booked === timesBooked && found.record.status === status,
  );
  return record;
}

test.each([
  ['carrierCancels', 'Cancelled', 'Cancelled', 1],
  ['carrierCancels', 'Active', 'Active', 1],
  ['carrierCancels', 'Rebooked', 'Booked', 2],
  ['shipperCancels', 'Active', 'Cancelled', 1],
  ['noShow', 'Cancelled', 'Cancelled', 1],
  ['hold', 'Cancelled', 'OnHold', 1],
  ['close', 'Cancelled', 'Closed', 1],
  ['expire', 'Cancelled', 'Expired', 0],
  ['relist', 'Rebooked', 'Booked', 1],
  ['reactivate', 'Cancelled', 'Active', 1],
] as const)(
  'after %s, which leaves it %s, a listing reads %s and was booked %i times',
  async (kind, leaves, status, timesBooked) => {
    marketplace.sandbox.setClock({ steps: at });
    marketplace.sandbox.setSwitches({ transit: 'manual' });
    const listing = kind === 'expire' || kind === 'relist' ? 'created' : 'booked';
    marketplace.sandbox.trouble({ when: { listing }, what: { kind, leaves } });
    const record = await recordOnce(status, timesBooked);
    expect(record.completedOn).toBeNull();
    // On the market, or never taken, it has nobody who carries it.
    const isCarried = record.carrier !== null && record.billOfLadingNumber !== null;
    expect(isCarried).toBe(status !== 'Active' && status !== 'Expired');
  },
);

test('troubles of listings strike one listing after the other', async () => {
  marketplace.sandbox.setClock({ steps: at });
  marketplace.sandbox.setSwitches({ transit: 'manual' });
  for (const what of ['hold', 'close'] as const)
    marketplace.sandbox.trouble({ when: { listing: 'booked' }, what, times: 1 });
  expect((await recordOnce('OnHold', 1)).status).toBe('OnHold');
  expect((await recordOnce('Closed', 1)).status).toBe('Closed');
  expect((await recordOnce('Booked', 1)).carrier).not.toBeNull();
});

test("priceCorrections appear in the record's price, even when they lower it", async () => {
  marketplace.sandbox.setClock({ steps: at });
  marketplace.sandbox.setSwitches({ priceCorrections: [12.5, -2.25], transit: 'manual' });
  const client = marketplace.open();
  const listingId = await marketplace.createListing(client);
  marketplace.sandbox.controls.advance(listingId, { to: 'Booked' });
  const cost = async () => (await client.getListing(listingId)).totalCost?.minorUnits ?? Number.NaN;
  const before = await cost();
  marketplace.sandbox.controls.advance(listingId, { to: 'Delivered' });
  expect(before).toBeGreaterThan(0);
  expect(await until(cost, (now) => now === before + 1_025)).toBe(before + 1_025);
});

test.each([
  ['empty', { contentType: 'application/pdf', body: '' }, 1],
  ['a page', { contentType: 'text/html' }, 2],
] as const)(
  'a bill of lading that is %s is not there yet (%j), as often as its download is bad (%i)',
  async (_, answer, times) => {
    const when = { request: 'getDocument', match: '/BOL-' } as const;
    marketplace.sandbox.trouble({ when, what: { kind: 'status', status: 200, ...answer }, times });
    const client = marketplace.open();
    const listingId = await marketplace.createListing(client);
    marketplace.sandbox.controls.advance(listingId, { to: 'Booked' });
    await until(
      async () => await client.getBillOfLading(listingId).catch(() => null),
      (found) => found !== null,
    );
    const input = { account: ACCOUNT, listingId, pace };
    const poll = async () => (await runActivity(client, 'pollBillOfLading', input)).outcome;
    for (let bad = 0; bad < times; bad += 1) {
      const outcome = await poll();
      expect(outcome).toBeInstanceOf(ApplicationFailure);
      expect(outcome).toMatchObject({ type: 'NotYet', nonRetryable: false });
    }
    expect(await poll()).toMatchObject({ contentType: 'application/pdf' });
  },
);
