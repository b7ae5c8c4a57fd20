import { leftIds } from '../../src/domain/candidates';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { numberedOrders, noneBeside } from '../support/builders';
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
const { furniture, ltl } = numberedOrders('X');

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 10 } });
  aBooked = await bookTogether(harness, [
    ...Array.from({ length: 3 }, () => furniture()),
    ...Array.from({ length: 2 }, () => ltl()),
  ]);
}, 60_000);
afterAll(async () => await harness?.close());

test.concurrent('furniture that is relisted and booked before any reading is delivered', async () => {
  const shipment = await started(harness, furniture(), {
    when: { listing: 'created' },
    what: { kind: 'relist', leaves: 'Rebooked' },
  });
  expect(await comesWithOneTruck(harness, shipment)).toMatchObject({
    created: 1,
    deletedListings: [],
  });
  expect(harness.ledgerOf(shipment).listings).toMatchObject([{ timesBooked: 1, troubles: ['relist'] }]);
});

test.concurrent('furniture whose booked listing expired is booked again', async () => {
  const { shipment, listingId } = aBooked('furniture');
  befall(harness, listingId, ['expire']);
  await rebook(harness, shipment, await askedAbout(harness, shipment, 'Expired'));
  expect(await comesWithOneTruck(harness, shipment)).toMatchObject({ created: 2, deletedListings: [] });
  // It is told to have been booked, so that it cannot come back without a new booking.
  const deletes = harness.sandbox.requests('deleteListing').filter(({ path }) => path.endsWith(listingId));
  expect(deletes).toMatchObject([{ status: 403 }]);
  expect(harness.ledgerOf(shipment).listings).toMatchObject([{ timesBooked: 1 }, { timesBooked: 1 }]);
});

test.concurrent('LTL that expired and is relisted is deleted when it is closed', async () => {
  const { shipment, listingId } = aBooked('ltl');
  befall(harness, listingId, ['expire']);
  const questionId = await askedAbout(harness, shipment, 'Expired');
  befall(harness, listingId, ['reactivate', 'Active']);
  await harness.until(shipment, ({ state }) => state?.listing?.status === 'Active');
  await close(harness, shipment, questionId);
  expect(await endsWithNothing(harness, shipment)).toMatchObject({
    deletedListings: [Number(listingId)],
  });
});

test.concurrent(
  'furniture whose expired booking returns in addition to the new one asks until one is left',
  async () => {
    const { shipment, listingId } = aBooked('furniture');
    befall(harness, listingId, ['expire']);
    await rebook(harness, shipment, await askedAbout(harness, shipment, 'Expired'));
    const { state } = await harness.until(
      shipment,
      (view) => view.state?.at.phase === 'booked' && leftIds(view.state).length > 0,
    );
    const anew = state?.listing?.listingId;
    befall(harness, listingId, ['reactivate', 'Rebooked']);
    await harness.asked(shipment, 'possibleDoubleBooking');
    expect(harness.ledgerOf(shipment)).toMatchObject({ created: 2, liveBookings: 2 });
    befall(harness, listingId, ['shipperCancels']);
    await person.noted(shipment, 'only one listing is left; the question is taken back');
    const end = await harness.until(shipment, (view) => view.state !== null);
    expect(end.state).toMatchObject({
      at: { phase: 'booked' },
      listing: { listingId: anew },
      candidates: noneBeside(),
    });
    expect(harness.ledgerOf(shipment)).toMatchObject({ created: 2, liveBookings: 1 });
    await harness.handleOf(shipment).terminate('the test is over');
  },
);

test.concurrent('furniture that expired before a carrier booked it is listed again', async () => {
  const shipment = await started(harness, furniture(), {
    ...{ when: { listing: 'created' }, what: 'expire' },
  });
  await harness.asked(shipment, 'listingEnded');
  const [expired] = person.listingIdsOf(shipment);
  await rebook(harness, shipment, await askedAbout(harness, shipment, 'Expired'));
  expect(await comesWithOneTruck(harness, shipment)).toMatchObject({
    created: 2,
    booked: 1,
    deletedListings: [Number(expired)],
  });
});

test.concurrent('furniture that expired and is relisted waits there, and can be withdrawn', async () => {
  const shipment = await started(harness, furniture(), {
    ...{ when: { listing: 'created' }, what: 'expire' },
  });
  await askedAbout(harness, shipment, 'Expired');
  const [listingId = ''] = person.listingIdsOf(shipment);
  befall(harness, listingId, ['reactivate', 'Active']);
  await person.noted(shipment, 'the listing lives again; the question is taken back');
  await person.cancel(shipment);
  expect(await endsWithNothing(harness, shipment)).toMatchObject({
    mostLiveBookings: 0,
    deletedListings: [Number(listingId)],
  });
});

for (const kind of ['furniture', 'ltl'] as const) {
  test.concurrent(`${kind} that expired after booking and is relisted asks until it is booked`, async () => {
    const { shipment, listingId } = aBooked(kind);
    befall(harness, listingId, ['expire']);
    const questionId = await askedAbout(harness, shipment, 'Expired');
    befall(harness, listingId, ['reactivate', 'Active']);
    const { state } = await harness.until(shipment, (view) => view.state?.listing?.status === 'Active');
    expect(state?.question?.id).toBe(questionId);
    befall(harness, listingId, ['reactivate', 'Rebooked']);
    expect(await comesWithOneTruck(harness, shipment)).toMatchObject({
      created: 1,
      deletedListings: [],
    });
  });
}
