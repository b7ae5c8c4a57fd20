import { afterEach, expect, test } from '@jest/globals';
import { isDoublyBooked } from '../../../chaos/ledger-of-order';
import { postedByHand } from '../../../chaos/scripted-actions';
import { opens } from '../../../chaos/tracking-link';
import type { Sandbox, TroubleInput } from '../../../sandbox';
import { receiveEvents } from '../sandbox/event-receiver';
import {
  accept,
  ask,
  asText,
  bookedListing,
  closeSandboxes,
  collectRates,
  createListing,
  quickSandbox,
  until,
} from '../sandbox/marketplace-client';

afterEach(closeSandboxes);

/** Two rates of one order are accepted. */
async function acceptTwo(...troubles: TroubleInput[]): Promise<Sandbox> {
  const sandbox = await quickSandbox({ troubles });
  const [first, second] = await collectRates(sandbox);
  await accept(sandbox, first?.['id']);
  await accept(sandbox, second?.['id']);
  await until(
    () => sandbox.order('acme/o-1').liveBookings,
    (count) => count === 2,
  );
  return sandbox;
}

test('an order is booked twice when two acceptances book', async () => {
  const sandbox = await acceptTwo();
  expect(isDoublyBooked(sandbox.order('acme/o-1'))).toBe(true);
});

test('it is not when the marketplace had said that one of them failed', async () => {
  const sandbox = await acceptTwo({ when: 'acceptRate', what: 'failedThenBooked', times: 1 });
  expect(isDoublyBooked(sandbox.order('acme/o-1'))).toBe(false);
});

test('of a listing whose events were lost or refused nobody was told, of another one the receiver was', async () => {
  const receiver = await receiveEvents();
  try {
    const sandbox = await quickSandbox({
      webhooks: [{ url: receiver.url }],
      clock: { steps: { booking: 3_600_000 } },
    });
    const first = Number(await createListing(sandbox));
    sandbox.trouble({ what: postedByHand('acme/o-1', first) });
    await until(
      () => sandbox.deliveries(),
      ({ toldListings }) => toldListings.length === 1,
    );
    sandbox.setSwitches({ webhooks: 'off' });
    sandbox.trouble({ what: postedByHand('acme/o-1', first) });
    sandbox.setSwitches({ webhooks: 'on', webhookAttempts: 1 });
    receiver.statuses.push(503);
    sandbox.trouble({ what: postedByHand('acme/o-1', first) });
    await until(
      () => sandbox.events().flatMap(({ attempts }) => attempts.map(({ outcome }) => outcome)),
      (outcomes) => outcomes.includes(503),
    );
    const [, heard, unheard, refused] = sandbox.order('acme/o-1').listings.map(({ listingId }) => listingId);
    expect([unheard, refused]).not.toContain(undefined);
    // However many events came since, which the sandbox does not keep.
    sandbox.setSwitches({ webhooks: 'off' });
    for (let burst = 0; burst < 11; burst += 1)
      sandbox.trouble({ whom: { listing: first }, what: { kind: 'eventBurst', count: 1_000 } });
    expect(sandbox.events().some(({ listingId }) => listingId === heard)).toBe(false);
    const { toldListings, counts } = sandbox.deliveries();
    expect(toldListings).toEqual([heard]);
    expect(counts).toMatchObject({ events: 11_003, received: 1, off: 11_001, refused: 1 });
  } finally {
    await receiver.close();
  }
});

test('a tracking link opens without a sign-in, also after two troubles; a made-up one does not', async () => {
  const sandbox = await quickSandbox({
    troubles: [
      { when: 'openTrackingLink', what: 'hangUpBefore', times: 1 },
      { when: 'openTrackingLink', what: { kind: 'status', status: 500 }, times: 1 },
    ],
  });
  const listingId = await bookedListing(sandbox);
  const json = {
    ...{ grant_type: 'password', issuer: 'None' },
    ...{ userName: 'shipper@example.com', password: 'sandbox-password' },
  };
  const signedIn = await ask(sandbox, 'POST', '/mvc/authentication/signin', { json, key: null });
  const cookie = [signedIn.headers['set-cookie']].flat().map((one) => asText(one).split(';')[0]);
  const { body } = await ask(sandbox, 'GET', `/listing/track/${listingId}/trackinglink`, {
    ...{ key: null, headers: { cookie: cookie.join('; ') } },
  });
  expect(await opens(asText(body['TrackingLinkUrl']))).toBe(true);
  expect(await opens(`${sandbox.url}/track/${listingId}`)).toBe(false);
});
