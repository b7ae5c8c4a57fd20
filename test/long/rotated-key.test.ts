import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseAccounts } from '../../src/accounts';
import type { Shipment } from '../../src/domain/shipment';
import { paused } from '../support/account-in-trouble';
import { numberedOrders } from '../support/builders';
import { consign } from '../support/consign';
import { BY, startHarness, type Harness } from '../support/harness';
import { Person } from '../support/person';
import { until } from '../support/temporal';
import { temporaryFolder } from '../support/temporary-folder';

let harness: Harness;
const person = new Person(() => harness);
const { furniture, ltl } = numberedOrders('K');
const environment = process.env;
const folder = temporaryFolder();
const keyFile = path.join(folder, 'acme-key');

/** The account as its file describes it, with the key in a file of its own. */
function authByFile() {
  const example = path.join(__dirname, '..', '..', 'examples', 'accounts.yaml');
  const named = readFileSync(example, 'utf8').replace(/auth: .*/u, `auth: { apiKey: { file: ${keyFile} } }`);
  const [account] = parseAccounts(named, example, {}).marketplaceAccounts;
  if (account === undefined) throw new TypeError('the example has an account');
  return account.auth;
}

beforeAll(async () => {
  writeFileSync(keyFile, 'sandbox-key\n');
  harness = await startHarness({
    clock: { speed: 10, steps: { acceptancePending: 60_000 } },
    account: { auth: authByFile() },
  });
  process.env = { ...environment, TEMPORAL_ADDRESS: harness.temporal.open.address };
}, 60_000);
afterAll(async () => {
  process.env = environment;
  await harness?.close();
});

const reference = ({ account, orderId }: Shipment): string => `${account}/${orderId}`;
const rateIdOf = async (shipment: Shipment): Promise<string | undefined> => {
  const { state } = await harness.until(shipment, (view) => view.state !== null);
  return state?.at.phase === 'accepting' ? state.at.rate.rateId : undefined;
};

test('a key that is rotated while shipments are under way is one question, and harms no shipment', async () => {
  const [moving, listed, posting, pricing] = [furniture(), furniture(), furniture(), furniture()];
  const [pending, accepting, asking] = [ltl(), ltl(), ltl()];
  const orders = [moving, listed, posting, pricing, pending, accepting, asking];
  const sweepPace = { initialMs: 400, maximumMs: 30_000 };
  const start = async (...shipments: readonly Shipment[]): Promise<void> =>
    void (await Promise.all(shipments.map(async (shipment) => await harness.start(shipment, { sweepPace }))));
  harness.sandbox.setSwitches({
    orders: {
      [reference(moving)]: { transit: 'manual' },
      [reference(listed)]: { carrierAnswer: 'silent' },
    },
  });
  await start(moving, listed, pending);
  await harness.until(moving, ({ state }) => state?.at.phase === 'booked' && state.billOfLading !== null);
  await harness.until(listed, ({ state }) => state?.at.phase === 'awaitingBooking');
  await harness.until(pending, ({ state }) => state?.at.phase === 'accepting' && state.at.pending !== null);
  harness.sandbox.setClock({ steps: { acceptancePending: 3_000 } });
  // The others have a request on its way, each of another kind, when the key dies.
  const underWay = [
    [posting, 'createListing'],
    [accepting, 'acceptRate'],
    [asking, 'createRateRequest'],
  ] as const;
  const held = () => harness.sandbox.requests().filter(({ trouble }) => trouble === 'delayBefore');
  const slow = { what: { kind: 'delayBefore', delayMs: 5_000 }, times: 1 } as const;
  for (const [shipment, endpoint] of underWay)
    harness.sandbox.trouble({ ...slow, when: endpoint, whom: reference(shipment) });
  await start(...underWay.map(([shipment]) => shipment));
  await until(async () => await Promise.resolve(held().length === underWay.length));
  // A request for a price names no order.
  harness.sandbox.trouble({ ...slow, when: 'getFixedPrice' });
  await start(pricing);
  await until(async () => await Promise.resolve(held().length === underWay.length + 1));
  const sent = held();
  const chosen = [await rateIdOf(pending), await rateIdOf(accepting)];
  harness.sandbox.trouble({ what: { kind: 'rotateKey', key: 'second-key' } });

  const [moved = '', taken = ''] = [moving, listed].flatMap((shipment) => person.listingIdsOf(shipment));
  // Its proof of delivery is asked for before its record, and refused first.
  harness.sandbox.trouble({
    when: { request: 'getListing', match: moved },
    what: { kind: 'delayBefore', delayMs: 400 },
  });
  harness.sandbox.controls.advance(taken, { to: 'Booked', kind: 'status' });
  harness.sandbox.controls.advance(moved, { to: 'Delivered', kind: 'transit' });
  await paused(
    harness,
    orders.filter((shipment) => shipment !== moving),
  );
  const refused = () =>
    harness.sandbox.requests('getListingAttachment').filter(({ status }) => status === 401);
  // While the key is refused for certain, only an event makes a shipment look.
  await until(
    async () => {
      person.tell(moved);
      return await Promise.resolve(refused().some(({ path }) => path.includes(moved)));
    },
    { everyMs: 1_000 },
  );
  harness.sandbox.clearTroubles();
  expect(sent.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  const open = await harness.shipments.list({ query: 'NeedsAttention = true' });
  expect(open.map(({ workflowId }) => workflowId)).toEqual(['account/acme']);
  for (const shipment of orders)
    expect((await harness.until(shipment, () => true)).state?.question).toBeNull();

  writeFileSync(keyFile, 'second-key\n');
  const said = ['--by', BY.by, '--reason', 'the new key is in its file'];
  expect(await consign('accounts', 'retry', 'acme', ...said)).toMatchObject({ err: '', code: 0 });
  const ends = await Promise.all(orders.map(async (shipment) => await harness.ended(shipment)));
  for (const [index, { status, state }] of ends.entries()) {
    expect({ status, phase: state?.at.phase }).toEqual({ status: 'COMPLETED', phase: 'settled' });
    expect(state).toMatchObject({ questionsAsked: 0, notices: [], excludedRateIds: [] });
    expect(state?.attachments.map(({ attachmentType }) => attachmentType)).toContain('ProofOfDelivery');
    const once = { created: 1, booked: 1, liveBookings: 1, mostLiveBookings: 1, openListings: 0 };
    expect(harness.ledgerOf(orders[index] ?? moving)).toMatchObject(once);
  }
  // A write that was refused was sent once more, and no other.
  expect([listed, posting, pricing].map((shipment) => person.postsOf(shipment))).toEqual([1, 2, 1]);
  for (const [index, shipment] of [pending, accepting].entries())
    expect(harness.ledgerOf(shipment).acceptances).toMatchObject([{ rateId: chosen[index] }]);
  expect(harness.ledgerOf(asking).acceptances).toHaveLength(1);
  expect(harness.sandbox.requests('acceptRate')).toHaveLength(4);
});
