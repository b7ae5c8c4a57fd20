import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { DEFAULT_POLICY } from '../../src/domain/default-policy';
import type { Shipment } from '../../src/domain/shipment';
import { paused } from '../support/account-in-trouble';
import { TOKEN } from '../support/board-api';
import {
  go,
  openBoard,
  screenshot,
  startBoard,
  violations,
  WIDE,
  type Board,
} from '../support/board-browser';
import { numberedOrders } from '../support/builders';
import { chromium, testInBrowser, unless } from '../support/chromium';
import { anEndpointAt, startEndpoint, type EndpointServer } from '../support/endpoint-server';
import { startHarness, type Harness } from '../support/harness';

// The rule does not see that `testInBrowser` is a test.
/* oxlint-disable jest/no-standalone-expect */
const { furniture, ltl } = numberedOrders('WORK');
/** A list of the board is read again within this time. */
const SOON = { timeout: 40_000 };

let harness: Harness;
let erp: EndpointServer;
let browser: Browser;
let board: Board;
let url: string;

beforeAll(async () => {
  if (chromium === null) return;
  erp = await startEndpoint();
  // Goods on a truck stay there.
  harness = await startHarness({
    clock: { speed: 20, steps: { delivered: 40_000_000 } },
    endpoints: [anEndpointAt(erp, { reportAfterMs: 500 })],
  });
  board = await startBoard(harness);
  ({ url, browser } = board);
}, 120_000);
afterAll(async () => {
  await board?.close();
  await harness?.close();
  await erp?.kill();
});

const open = async (place: string, token = TOKEN.DESK) =>
  await openBoard(browser, { url, token, place, look: WIDE });
const nameOf = ({ account, orderId }: Shipment): string => `${account}/${orderId}`;

/** Starts an order, and gives the id of its listing once the goods are on the truck. */
async function onTheRoad(shipment: Shipment, policy: Parameters<Harness['start']>[1] = {}): Promise<string> {
  await harness.start(shipment, policy);
  const { state } = await harness.until(shipment, (view) => view.state?.at.phase === 'inTransit');
  return state?.listing?.listingId ?? '';
}

/** Presses the button of a decision, and confirms its dialog with a reason. */
async function decide(page: Page, place: Locator, label: string): Promise<void> {
  await place.getByRole('button', { name: label }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('a person has looked');
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('button', { name: label }).click();
  await dialog.waitFor({ state: 'hidden' });
}

const choose = async (page: Page, list: string, option: string): Promise<void> => {
  await page.getByRole('combobox', { name: list }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

testInBrowser(
  `the filters by phase and by account each leave the orders that they name${unless}`,
  async () => {
    const [moving, asking] = [ltl(), ltl({ priceLimit: { minorUnits: 100, currency: 'USD' } })];
    const ofBeta = furniture({ account: 'beta' });
    await onTheRoad(moving);
    await harness.start(asking);
    await harness.asked(asking, 'priceApproval');
    // No worker takes its calls, so it stays where it begins.
    await harness.start(ofBeta);
    const { page, complaints } = await open('/shipments', TOKEN.BOTH);
    const table = page.getByRole('table', { name: 'Shipments' });
    const leaves = async (...left: readonly Shipment[]): Promise<void> => {
      await page.getByText(`${left.length} shown`).waitFor(SOON);
      expect((await table.getByRole('link').allTextContents()).toSorted()).toEqual(
        left.map(nameOf).toSorted(),
      );
    };
    await leaves(moving, asking, ofBeta);
    await choose(page, 'Phase', 'in transit');
    await leaves(moving);
    // Chosen again, it is taken back.
    await choose(page, 'Phase', 'in transit');
    await leaves(moving, asking, ofBeta);
    await choose(page, 'Account', 'beta');
    await leaves(ofBeta);
    await choose(page, 'Phase', 'in transit');
    await page.getByText('No shipment is found').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  },
);

testInBrowser(
  `a late order without papers is on each list of its day, and its page shows prices and the truck${unless}`,
  async () => {
    const shipment = ltl();
    harness.sandbox.setSwitches({ orders: { [nameOf(shipment)]: { billOfLading: 'never' } } });
    // Nothing that is heard of the truck is new enough.
    const listingId = await onTheRoad(shipment, { lateness: { ...DEFAULT_POLICY.lateness, silenceMs: 1 } });
    const days = { earliestArrival: '2035-03-07', latestArrival: '2035-03-08' };
    harness.sandbox.controls.changeDeliveryTimeFrame(listingId, { ...days, timeFrameType: 'between' });
    await harness.until(
      shipment,
      ({ state }) =>
        ![state?.listing?.deliveryWindow, state?.late, state?.contacts, state?.tracking].some(
          (known) => known == null,
        ),
    );
    const { page, complaints } = await open('/today');
    await page.getByLabel('Day').fill('2035-03-07');
    const rowOf = (list: string): Locator =>
      page
        .getByRole('region', { name: list, exact: true })
        .getByRole('row')
        .filter({ has: page.getByRole('link', { name: nameOf(shipment) }) });
    await rowOf('Late').waitFor(SOON);
    for (const list of ['Late', 'Deliveries', 'Booked without papers']) {
      const row = await rowOf(list).textContent();
      expect([list, row]).toEqual([list, expect.stringContaining('2035-03-07 to 2035-03-08')]);
      expect(row).toMatch(/nothing was heard of the truck.*without bill of lading/);
      expect(await rowOf(list).locator('a[href^="tel:"]').count()).toBe(1);
    }
    expect(await rowOf('Pickups').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await screenshot(page, 'today-late', WIDE);

    await rowOf('Late')
      .getByRole('link', { name: nameOf(shipment) })
      .click();
    const prices = page.getByRole('table', { name: 'Prices over time' });
    await prices.getByText(/^Chosen rate of /).waitFor();
    expect(await prices.textContent()).toMatch(/Booked by .*USD \d.*Now, by the marketplace.*USD \d/);
    const map = page.getByRole('img', { name: /^From Dallas, TX to Austin, TX\. Last seen/ });
    await map.getByText('truck', { exact: true }).waitFor();
    expect(await map.locator('circle.truck').count()).toBe(1);
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  },
);

testInBrowser(
  `a paused account, a failing endpoint and events without a shipment are shown and decided${unless}`,
  async () => {
    const [ended, stuck] = [ltl(), furniture()];
    const listingId = await onTheRoad(ended);
    harness.sandbox.controls.advance(listingId, { to: 'Delivered' });
    await harness.ended(ended);
    harness.sandbox.controls.adjustPrice(listingId, { amount: 75 });
    harness.sandbox.trouble({ what: { kind: 'foreignListings', count: 1, eventsEach: 1 } });
    harness.sandbox.trouble({ when: 'createListing', what: { kind: 'status', status: 401 } });
    erp.react(() => 503);
    await harness.start(stuck);
    // It notifies of its booking, which fails.
    await onTheRoad(ltl());
    await paused(harness, [stuck]);

    const { page, complaints } = await open('/');
    const failing = page.getByRole('alert').filter({ hasText: 'Endpoint erp of acme fails' });
    await failing.getByText('the endpoint answered 503').waitFor(SOON);
    await failing.getByText('consign notifications retry --account acme --endpoint erp').waitFor();
    const late = page.getByRole('article', { name: nameOf(ended) });
    await late.getByText(/acknowledge/).waitFor(SOON);
    await page.getByRole('article', { name: 'Account acme' }).getByText('paused', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await decide(page, late, 'It was handled');
    await late.waitFor({ state: 'detached', ...SOON });
    expect(
      (await harness.shipments.attention()).entries.map(({ shipment }) => shipment.orderId),
    ).not.toContain(ended.orderId);
    erp.react(() => 204);
    await harness.shipments.retryNotifications('acme', 'erp');
    await failing.waitFor({ state: 'detached', ...SOON });

    await go(page, '/accounts');
    const acme = page.getByRole('region', { name: 'Account acme' });
    await acme.getByText('paused', { exact: true }).waitFor();
    await acme.getByText(/401/).first().waitFor();
    harness.sandbox.clearTroubles();
    await decide(page, acme, 'Resume the account');
    await harness.until(stuck, ({ state }) => state?.at.phase === 'inTransit');
    await acme.getByText('works', { exact: true }).waitFor(SOON);
    expect(harness.ledgerOf(stuck)).toMatchObject({ created: 1, liveBookings: 1 });

    await go(page, '/events');
    const foreign = page.getByRole('row').filter({ hasText: 'of no order' });
    await foreign.getByRole('button', { name: 'Find the order' }).click();
    await foreign.getByRole('status').getByText('It belongs to no order.').waitFor(SOON);
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  },
  180_000,
);
