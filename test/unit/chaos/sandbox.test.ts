import { afterEach, expect, test } from '@jest/globals';
import { SandboxControl } from '../../../chaos/sandbox-control';
import { postedByHand } from '../../../chaos/scripted-actions';
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
async function acceptTwo(
  ...troubles: TroubleInput[]
): Promise<{ sandbox: Sandbox; control: SandboxControl }> {
  const sandbox = await quickSandbox({ troubles });
  const [first, second] = await collectRates(sandbox);
  await accept(sandbox, first?.['id']);
  await accept(sandbox, second?.['id']);
  await until(
    () => sandbox.order('acme/o-1').liveBookings,
    (count) => count === 2,
  );
  return { sandbox, control: new SandboxControl(sandbox.url) };
}

test('an order is booked twice when two acceptances book', async () => {
  const { control } = await acceptTwo();
  expect(await control.hasDoubleBooking()).toBe(true);
});

test('it is not when the marketplace had said that one of them failed', async () => {
  const { control } = await acceptTwo({ when: 'acceptRate', what: 'failedThenBooked', times: 1 });
  expect(await control.hasDoubleBooking()).toBe(false);
});

test('of a listing whose events were lost or refused nobody was told, of another one the receiver was', async () => {
  const receiver = await receiveEvents();
  try {
    const sandbox = await quickSandbox({
      webhooks: [{ url: receiver.url }],
      clock: { steps: { booking: 3_600_000 } },
    });
    const control = new SandboxControl(sandbox.url);
    const first = Number(await createListing(sandbox));
    await control.trouble({ what: postedByHand('acme/o-1', first) });
    await until(
      () => control.deliveries(),
      ({ reported }) => reported.size === 1,
    );
    sandbox.setSwitches({ webhooks: 'off' });
    await control.trouble({ what: postedByHand('acme/o-1', first) });
    sandbox.setSwitches({ webhooks: 'on', webhookAttempts: 1 });
    receiver.statuses.push(503);
    await control.trouble({ what: postedByHand('acme/o-1', first) });
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
    const { reported, counts } = await control.deliveries();
    expect([...reported]).toEqual([heard]);
    expect(counts).toMatchObject({ events: 11_003, received: 1, off: 11_001, refused: 1 });
  } finally {
    await receiver.close();
  }
});

test('only an acceptance that is pending is taken back, and one that is not stays as it is', async () => {
  const { sandbox, control } = await acceptTwo();
  sandbox.trouble({ when: 'acceptRate', what: 'pending' });
  const [rate] = await collectRates(sandbox);
  await accept(sandbox, rate?.['id']);
  const outcomes = (): string[] => sandbox.order('acme/o-1').acceptances.map(({ outcome }) => outcome);
  expect(outcomes()).toEqual(['booked', 'booked', 'pending']);
  for (const { executionId } of sandbox.order('acme/o-1').acceptances)
    await control.withdrawAcceptance(executionId);
  expect(outcomes()).toEqual(['booked', 'booked', 'failed']);
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
  const control = new SandboxControl(sandbox.url);
  expect(await control.opens(asText(body['TrackingLinkUrl']))).toBe(true);
  expect(await control.opens(`${sandbox.url}/track/${listingId}`)).toBe(false);
});
