import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { orderReference } from '../../src/domain/workflow-id';
import { numberedOrders } from '../support/builders';
import { startHarness, type Harness } from '../support/harness';
import {
  askedAbout,
  befall,
  bookTogether,
  close,
  comesWithOneTruck,
  endsWithNothing,
  rebook,
  started,
} from '../support/mishaps';
import { Person } from '../support/person';

let harness: Harness;
let aBooked: Awaited<ReturnType<typeof bookTogether>>;
const person = new Person(() => harness);
const { furniture, ltl } = numberedOrders('M');

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 10 } });
  aBooked = await bookTogether(harness, [
    ...Array.from({ length: 6 }, () => furniture()),
    ...Array.from({ length: 6 }, () => ltl()),
  ]);
}, 60_000);
afterAll(async () => await harness?.close());

test.concurrent(
  'furniture that its carrier returned to the market is deleted there and booked again',
  async () => {
    const { shipment, listingId } = aBooked('furniture');
    befall(harness, listingId, ['carrierCancels', 'Active']);
    await rebook(harness, shipment, await askedAbout(harness, shipment, 'Active'));
    expect(await comesWithOneTruck(harness, shipment)).toMatchObject({
      created: 2,
      deletedListings: [Number(listingId)],
    });
  },
);

test.concurrent(
  'LTL that its carrier returned to the market is deleted there when it is closed',
  async () => {
    const { shipment, listingId } = aBooked('ltl');
    befall(harness, listingId, ['carrierCancels', 'Active']);
    await close(harness, shipment, await askedAbout(harness, shipment, 'Active'));
    expect(await endsWithNothing(harness, shipment)).toMatchObject({
      deletedListings: [Number(listingId)],
    });
  },
);

test.concurrent(
  'furniture that becomes active again at the moment of the answer is not booked again',
  async () => {
    const { shipment, listingId } = aBooked('furniture');
    befall(harness, listingId, ['carrierCancels', 'Active']);
    const questionId = await askedAbout(harness, shipment, 'Active');
    const reference = orderReference(shipment.account, shipment.orderId);
    harness.sandbox.trouble({
      when: 'getListing',
      whom: reference,
      what: { kind: 'delay', delayMs: 1_000 },
      times: 1,
    });
    befall(harness, listingId, ['reactivate', 'Rebooked']);
    await rebook(harness, shipment, questionId);
    expect(await comesWithOneTruck(harness, shipment)).toMatchObject({
      created: 1,
      deletedListings: [],
    });
    // Whichever comes first says so: a reading, or the DELETE of a listing that was on the market in between.
    expect(await person.timeline(shipment)).toContainEqual(
      expect.stringMatching(/the listing lives again|not booked anew/),
    );
  },
);

test.concurrent(
  'LTL that a second carrier books before any reading continues with that carrier',
  async () => {
    const shipment = await started(harness, ltl(), {
      when: { listing: 'booked' },
      what: { kind: 'carrierCancels', leaves: 'Rebooked' },
    });
    await harness.until(shipment, () => harness.ledgerOf(shipment).listings[0]?.timesBooked === 2);
    expect(await comesWithOneTruck(harness, shipment)).toMatchObject({
      created: 1,
      deletedListings: [],
    });
    expect(harness.ledgerOf(shipment).listings).toMatchObject([
      { timesBooked: 2, troubles: ['carrierCancels'] },
    ]);
  },
);

test.concurrent('LTL that is cancelled on the website is over when it is closed', async () => {
  const { shipment, listingId } = aBooked('ltl');
  befall(harness, listingId, ['shipperCancels']);
  await close(harness, shipment, await askedAbout(harness, shipment, 'Cancelled'));
  expect(await endsWithNothing(harness, shipment)).toMatchObject({
    cancelled: 1,
    deletedListings: [],
  });
});

test.concurrent('furniture whose booked listing was Closed is over when it is closed too', async () => {
  const { shipment, listingId } = aBooked('furniture');
  befall(harness, listingId, ['close']);
  await close(harness, shipment, await askedAbout(harness, shipment, 'Closed'));
  expect(await endsWithNothing(harness, shipment)).toMatchObject({ deletedListings: [] });
});

test.concurrent('LTL whose booked listing was Closed is booked again', async () => {
  const { shipment, listingId } = aBooked('ltl');
  befall(harness, listingId, ['close']);
  await rebook(harness, shipment, await askedAbout(harness, shipment, 'Closed'));
  expect(await comesWithOneTruck(harness, shipment)).toMatchObject({
    created: 2,
    deletedListings: [],
  });
});

test.concurrent(
  'furniture that is on hold before a carrier booked it asks nothing, and keeps waiting',
  async () => {
    const shipment = await started(harness, furniture(), undefined, { carrierAnswer: 'silent' });
    const { state: listed } = await harness.until(shipment, ({ state }) => state?.listing != null);
    const listingId = listed?.listing?.listingId ?? '';
    befall(harness, listingId, ['hold']);
    const { state } = await harness.until(shipment, ({ state: now }) => now?.listing?.status === 'OnHold');
    expect(state).toMatchObject({ at: { phase: 'awaitingBooking' }, question: null, notices: [] });
    harness.sandbox.controls.advance(listingId, { to: 'Booked' });
    expect(await comesWithOneTruck(harness, shipment)).toMatchObject({ created: 1 });
  },
);

for (const kind of ['furniture', 'ltl'] as const) {
  test.concurrent(`${kind} that another carrier books after the first one closes its question`, async () => {
    const { shipment, listingId } = aBooked(kind);
    befall(harness, listingId, ['carrierCancels', 'Active']);
    await askedAbout(harness, shipment, 'Active');
    befall(harness, listingId, ['reactivate', 'Rebooked']);
    await person.noted(shipment, 'the listing lives again; the question is taken back');
    expect(await comesWithOneTruck(harness, shipment)).toMatchObject({
      created: 1,
      deletedListings: [],
    });
    expect(harness.ledgerOf(shipment).listings).toMatchObject([{ timesBooked: 2 }]);
  });

  test.concurrent(`${kind} that nobody picked up is booked again`, async () => {
    const { shipment, listingId } = aBooked(kind);
    harness.sandbox.controls.advance(listingId, { to: 'Dispatched' });
    await harness.until(shipment, ({ state }) => state?.listing?.transitStatus === 'Dispatched');
    befall(harness, listingId, ['noShow']);
    await rebook(harness, shipment, await askedAbout(harness, shipment, 'Cancelled'));
    expect(await comesWithOneTruck(harness, shipment)).toMatchObject({
      created: 2,
      cancelled: 1,
      deletedListings: [],
    });
  });

  test.concurrent(
    `${kind} on hold is reported, asks nothing, and is delivered once it is released`,
    async () => {
      const { shipment, listingId } = aBooked(kind);
      befall(harness, listingId, ['hold']);
      const { state } = await harness.until(shipment, (view) => (view.state?.notices.length ?? 0) > 0);
      expect(state).toMatchObject({ at: { phase: 'booked' }, question: null });
      befall(harness, listingId, ['resume']);
      expect(await comesWithOneTruck(harness, shipment)).toMatchObject({ created: 1 });
      expect((await harness.until(shipment, (view) => view.state !== null)).state).toMatchObject({
        questionsAsked: 0,
        notices: ['listing is OnHold: the marketplace holds the shipment up'],
      });
      expect(harness.ledgerOf(shipment).listings).toMatchObject([{ timesBooked: 1 }]);
    },
  );
}
