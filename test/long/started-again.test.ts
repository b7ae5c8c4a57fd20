import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Shipment } from '../../src/domain/shipment';
import * as messages from '../../src/contract/messages';
import { numberedOrders } from '../support/builders';
import { BY, FAST_POLICY, startHarness, type Harness } from '../support/harness';

let harness: Harness;
const { furniture, ltl } = numberedOrders('A');
const STATEMENT = { checked: 'the page of the listing', by: 'Pat' };

beforeAll(async () => {
  harness = await startHarness({ clock: { speed: 10 } });
}, 60_000);
afterAll(async () => await harness?.close());

const startAgain = async (shipment: Shipment): Promise<string> => {
  const account = { name: 'acme', environment: 'sandbox' } as const;
  const order = { shipment, account, policy: FAST_POLICY, documentHash: 'test' };
  return (await harness.shipments.start(order, STATEMENT)).outcome;
};

test.each([
  ['furniture', furniture],
  ['LTL', ltl],
])(
  'a %s order that was terminated while it was booked follows that booking when it is started again',
  async (_, order) => {
    harness.sandbox.setSwitches({ carrierAnswer: 'accepts', transit: 'manual' });
    const shipment = order();
    await harness.start(shipment);
    await harness.until(shipment, ({ state }) => state?.at.phase === 'booked');
    await harness.handleOf(shipment).terminate('by mistake');
    expect(await startAgain(shipment)).toBe('restarted');
    await harness.until(shipment, ({ state }) => state?.at.phase === 'booked');
    expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, liveBookings: 1, openListings: 0 });
    await harness.handleOf(shipment).terminate('the test is over');
  },
);

test('a listing that was open when its run was terminated is deleted before another is made', async () => {
  harness.sandbox.setSwitches({ carrierAnswer: 'silent' });
  const shipment = furniture();
  await harness.start(shipment);
  await harness.until(shipment, ({ state }) => state?.at.phase === 'awaitingBooking');
  await harness.handleOf(shipment).terminate('by mistake');
  expect(await startAgain(shipment)).toBe('restarted');
  await harness.until(shipment, ({ state }) => state?.at.phase === 'awaitingBooking');
  expect(harness.ledgerOf(shipment)).toMatchObject({ created: 2, liveBookings: 0, openListings: 1 });
  await harness.handleOf(shipment).executeUpdate(messages.cancelShipmentUpdate, { args: [BY] });
  const { status, withdrawal } = await harness.ended(shipment);
  expect({ status, ledger: harness.ledgerOf(shipment) }).toMatchObject({
    ...{ status: 'COMPLETED', ledger: { liveBookings: 0, openListings: 0 } },
  });
  expect(withdrawal).toMatchObject({ by: BY.by, reason: BY.reason });
  expect(withdrawal?.listingIds).toHaveLength(2);
  await expect(startAgain(shipment)).resolves.toBe('restarted');
  await harness.handleOf(shipment).terminate('the test is over');
});
