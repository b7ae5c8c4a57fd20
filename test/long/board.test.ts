import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { defaultClockSteps } from '../../sandbox/model/clock';
import type { LtlShipment, Shipment } from '../../src/domain/shipment';
import { ShipmentClient } from '../../src/starter/client/shipment-client';
import { startBoardApi, TOKEN } from '../support/board-api';
import {
  go,
  newPage,
  openBoard,
  overflow,
  screenshot,
  signIn,
  startBoard,
  violations,
  WIDE,
  type Board,
  type BoardPage,
  type Look,
} from '../support/board-browser';
import { aFurnitureShipment, anLtlShipment, aStop } from '../support/builders';
import { chromium, testInBrowser, unless } from '../support/chromium';
import { startHarness, type Harness } from '../support/harness';
import { until } from '../support/temporal';
import { temporaryFolder } from '../support/temporary-folder';
import { withWorld } from '../support/worker-world';

// The rule does not see that `testInBrowser` is a test.
/* oxlint-disable jest/no-standalone-expect */
const ROOT = path.join(__dirname, '..', '..');

let harness: Harness;
let browser: Browser;
let board: Board;
let url: string;

beforeAll(async () => {
  if (chromium === null) return;
  // Goods on a truck stay there.
  harness = await startHarness({ clock: { speed: 20, steps: { delivered: 40_000_000 } } });
  board = await startBoard(harness);
  ({ url, browser } = board);
}, 120_000);
afterAll(async () => {
  await board?.close();
  await harness?.close();
});

const LOW = { priceLimit: { minorUnits: 100, currency: 'USD' } } as const;
let orders = 0;
const anOrder = (over: Partial<LtlShipment> = {}): LtlShipment =>
  anLtlShipment({ orderId: `BOARD-${(orders += 1)}`, ...over });

const inTransit = async (shipment: Shipment): Promise<void> => {
  await harness.start(shipment);
  await harness.until(
    shipment,
    ({ state }) => state?.at.phase === 'inTransit' && state.billOfLading !== null,
  );
};

/** Opens a page of the board as a signed-in person. */
const open = async (place: string, look: Look = WIDE, token = TOKEN.DESK): Promise<BoardPage> =>
  await openBoard(browser, { url, token, place, look });

testInBrowser(
  `a wrong token is refused in words, and a right one is kept in this tab alone${unless}`,
  async () => {
    // An office behind one address loads it more often than a stranger may ask the API.
    for (let loads = 0; loads < 150; loads += 1) expect((await fetch(`${url}/board/`)).status).toBe(200);
    const { page } = await newPage(browser, WIDE);
    await page.goto(`${url}/`);
    await page.getByLabel('Token').fill('wrong');
    await page.getByLabel('Your name').fill('Kim');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('Send a token of the accounts file').waitFor();
    await signIn(page, url, TOKEN.DESK);
    const kept = await page.evaluate(() => {
      const { localStorage, document, location } = globalThis as unknown as {
        localStorage: object;
        document: { cookie: string };
        location: { href: string };
      };
      return JSON.stringify([localStorage, document.cookie, location.href]);
    });
    expect(kept).not.toContain(TOKEN.DESK);
    await page.reload();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.reload();
    await page.getByLabel('Token').waitFor();
    await page.context().close();
  },
);

testInBrowser(`a question is answered with the keyboard alone, and the order goes on${unless}`, async () => {
  const shipment = anOrder(LOW);
  await harness.start(shipment);
  await harness.asked(shipment, 'priceApproval');
  const { page, complaints } = await open('/');
  const card = page.getByRole('article', { name: `acme/${shipment.orderId}` });
  const approve = card.getByRole('button', { name: /^Approve USD/ });
  await approve.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/Consign books at USD .*, although it is above the limit/).waitFor();
  // The reason has the focus.
  await page.keyboard.type('the customer agrees');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  const { state } = await harness.until(shipment, (view) => view.state?.at.phase === 'inTransit');
  expect(state?.timeline.map(({ what }) => what).join('\n')).toContain('the customer agrees (Kim Example)');
  await card.waitFor({ state: 'detached', timeout: 40_000 });
  expect(harness.ledgerOf(shipment).liveBookings).toBe(1);
  expect(complaints).toEqual([]);
  await page.context().close();
});

testInBrowser(
  `Escape closes a decision without deciding, and a reader sees no decision at all${unless}`,
  async () => {
    const shipment = anOrder(LOW);
    await harness.start(shipment);
    const id = await harness.asked(shipment, 'priceApproval');
    const { page } = await open('/');
    const card = page.getByRole('article', { name: `acme/${shipment.orderId}` });
    await card.getByRole('button', { name: /^Approve USD/ }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect((await harness.shipments.get('acme', shipment.orderId)).state?.question?.id).toBe(id);
    await page.context().close();
    const reader = await open('/', WIDE, TOKEN.READER);
    await reader.page
      .getByRole('article', { name: `acme/${shipment.orderId}` })
      .getByText(/^Question q/)
      .first()
      .waitFor();
    expect(await reader.page.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
    await reader.page.context().close();
  },
);

testInBrowser(
  `a quote is turned into an order, whose page shows why each other rate lost${unless}`,
  async () => {
    const { page, complaints } = await open('/quote');
    await page.getByText('JSON', { exact: true }).click();
    const tiles = JSON.parse(readFileSync(path.join(ROOT, 'examples/ltl-tiles.json'), 'utf8')) as object;
    await page
      .getByLabel('Order document as JSON')
      .fill(JSON.stringify({ ...tiles, orderId: 'FORM-1', pickup: { on: '2020-03-06' } }));
    await page.getByText('Form', { exact: true }).click();
    await page.getByRole('button', { name: 'Ask for prices' }).click();
    await page.getByRole('alert').getByText('2020-03-06 is too soon').waitFor();
    await page.locator('input[type=date]').fill('2035-03-06');
    await page.getByRole('button', { name: 'Ask for prices' }).click();
    const prices = page.getByRole('region', { name: 'Prices', exact: true });
    await prices.getByText('chosen').waitFor({ timeout: 40_000 });
    expect(harness.sandbox.order('acme/FORM-1').liveBookings).toBe(0);
    await prices.getByRole('button', { name: 'Start the order' }).click();
    await prices.getByRole('link', { name: 'Follow acme/FORM-1' }).click();
    await page.getByRole('heading', { level: 1, name: 'acme/FORM-1' }).waitFor();
    const rates = page.getByRole('table', { name: 'Rates, and why each lost' });
    await rates.getByText('chosen').waitFor({ timeout: 60_000 });
    await rates
      .getByText(/costs more/)
      .first()
      .waitFor();
    await harness.until(anLtlShipment({ orderId: 'FORM-1' }), ({ state }) => state?.at.phase === 'inTransit');
    expect(harness.sandbox.order('acme/FORM-1').liveBookings).toBe(1);
    expect(complaints).toEqual([]);
    await page.context().close();
  },
);

testInBrowser(`a withdrawal that comes too late is refused with its reason${unless}`, async () => {
  const shipment = anOrder();
  await inTransit(shipment);
  const { page } = await open(`/shipments/acme/${shipment.orderId}`);
  await page.getByRole('button', { name: 'Withdraw the order' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('the customer moved');
  await dialog.getByRole('button', { name: 'Withdraw the order' }).click();
  const why = await dialog.getByRole('alert').filter({ hasText: 'Not done' }).textContent();
  expect(why).toMatch(/booked/);
  expect(harness.ledgerOf(shipment).liveBookings).toBe(1);
  await page.context().close();
});

testInBrowser(
  `a question is answered with a changed order, whose problems are at their fields${unless}`,
  async () => {
    const shipment = anOrder(LOW);
    // Its policy differs from the account's, and stays.
    await harness.start(shipment, { priceTolerancePercent: 7 });
    await harness.asked(shipment, 'priceApproval');
    const { page, complaints } = await open(`/shipments/acme/${shipment.orderId}`);
    await page.getByRole('button', { name: 'Change the order' }).click();
    const dialog = page.getByRole('dialog');
    const day = dialog.locator('input[type=date]');
    await day.fill('2020-03-06');
    await dialog.getByRole('button', { name: 'See what it does' }).click();
    await dialog.getByRole('paragraph').filter({ hasText: '$.pickup.on: 2020-03-06 is too soon' }).waitFor();
    expect(await day.getAttribute('aria-invalid')).toBe('true');
    expect(await violations(page)).toEqual([]);
    await day.fill('2035-03-06');
    await dialog.getByText('JSON', { exact: true }).click();
    const json = dialog.getByLabel('Order document as JSON');
    const { priceLimit: _, ...unlimited } = JSON.parse(await json.inputValue()) as Record<string, unknown>;
    await json.fill(JSON.stringify(unlimited));
    await dialog.getByRole('button', { name: 'See what it does' }).click();
    await dialog.getByText('What changes: priceLimit.').waitFor();
    await dialog.getByText(/^This answers question q\d+-priceApproval/).waitFor();
    expect((await harness.shipments.order('acme', shipment.orderId)).priceLimit).not.toBeNull();
    await dialog.getByLabel('Reason').fill('the limit was wrong');
    await dialog.getByRole('button', { name: 'Change the order' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await harness.until(shipment, (view) => view.state?.at.phase === 'inTransit');
    expect((await harness.shipments.policy('acme', shipment.orderId)).priceTolerancePercent).toBe(7);
    expect(harness.ledgerOf(shipment).liveBookings).toBe(1);
    expect(complaints).toEqual([]);
    await page.context().close();
  },
);

testInBrowser(
  `the open listing of a furniture order is changed where it is, and its images stay${unless}`,
  async () => {
    const image = {
      ...{ fileName: 'sofa.jpg', contentType: 'image/jpeg', sizeInBytes: 4 },
      sha256: await harness.files.put(Buffer.from([0xff, 0xd8, 0xff, 0xd9])),
    };
    // As the reader of documents makes them: furniture has no services at a stop.
    const services = { inside: false, liftgate: false, callBeforeArrival: false, appointment: false };
    const shipment = aFurnitureShipment({
      ...{ orderId: `BOARD-O${(orders += 1)}`, images: [image] },
      ...{ origin: aStop({ services }), destination: aStop({ services }) },
    });
    harness.sandbox.setClock({ steps: { booking: 40_000_000 } });
    await harness.start(shipment);
    await harness.until(shipment, ({ state }) => state?.at.phase === 'awaitingBooking');
    const { page } = await open(`/shipments/acme/${shipment.orderId}`);
    await page.getByRole('button', { name: 'Change the order' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title', { exact: true }).first().fill('A changed title');
    await dialog.getByRole('button', { name: 'See what it does' }).click();
    await dialog.getByText('What changes:').waitFor();
    expect(await dialog.getByText('What changes:').textContent()).toBe('What changes: title.');
    await dialog.getByText(/^This changes the open listing where it is/).waitFor();
    await dialog.getByLabel('Reason').fill('a better title');
    await dialog.getByRole('button', { name: 'Change the order' }).click();
    await page
      .getByText(/^listing \d+ was changed \(title\)/)
      .first()
      .waitFor({ timeout: 30_000 });
    const now = await harness.shipments.order('acme', shipment.orderId);
    expect(now).toEqual({ ...shipment, title: 'A changed title' });
    expect(harness.ledgerOf(shipment)).toMatchObject({ created: 1, openListings: 1 });
    harness.sandbox.setClock({ steps: { booking: defaultClockSteps.booking } });
    await page.context().close();
  },
);

testInBrowser(`a bill of lading opens in a new tab, and is saved${unless}`, async () => {
  const shipment = anOrder();
  await inTransit(shipment);
  const { page, complaints } = await open(`/shipments/acme/${shipment.orderId}`);
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: /^Open Bill of lading .* in a new tab$/ }).click();
  const tab = await opened;
  await tab.waitForURL(/^blob:/);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Save Bill of lading/ }).click();
  expect((await saved).suggestedFilename()).toMatch(/\.pdf$/);
  expect(complaints).toEqual([]);
  await page.context().close();
});

/** Another tab is in front, or this one again. */
const setVisibility = async (page: Page, state: 'visible' | 'hidden'): Promise<void> =>
  await page.evaluate((value) => {
    const { document, Event } = globalThis as unknown as {
      document: { dispatchEvent(event: unknown): void };
      Event: new (name: string) => unknown;
    };
    Object.defineProperty(document, 'visibilityState', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);

testInBrowser(
  `a question that opens is shown without a reload, by one stream of the visible tab${unless}`,
  async () => {
    const { page, complaints } = await open('/');
    const streams: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/changes')) streams.push(request.url());
    });
    await go(page, '/shipments');
    await page.getByText(/\d+ shown/).waitFor();
    await go(page, '/');
    const first = anOrder(LOW);
    await harness.start(first);
    await harness.asked(first, 'priceApproval');
    const askedAt = Date.now();
    const card = page.getByRole('article', { name: `acme/${first.orderId}` });
    await card
      .getByText(/^Question q/)
      .first()
      .waitFor();
    // Sooner than the next reading without a stream.
    expect(Date.now() - askedAt).toBeLessThan(13_000);
    expect(streams).toEqual([]);

    const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/changes'));
    await setVisibility(page, 'hidden');
    await ended;
    const second = anOrder(LOW);
    await harness.start(second);
    await harness.asked(second, 'priceApproval');
    await setVisibility(page, 'visible');
    await page.getByRole('article', { name: `acme/${second.orderId}` }).waitFor({ timeout: 13_000 });
    expect(streams.length).toBe(1);
    expect(complaints).toEqual([]);
    await page.context().close();
  },
);

testInBrowser(`without a stream the lists are still read${unless}`, async () => {
  const { page } = await newPage(browser, WIDE);
  await page.route('**/changes', async (route) => await route.abort());
  await signIn(page, url, TOKEN.DESK);
  const shipment = anOrder(LOW);
  await harness.start(shipment);
  await harness.asked(shipment, 'priceApproval');
  await page.getByRole('article', { name: `acme/${shipment.orderId}` }).waitFor({ timeout: 40_000 });
  await page.context().close();
});

testInBrowser(
  `orders are found by a reference, a listing, a bill of lading and the beginning of the id${unless}`,
  async () => {
    const shipment = anOrder({ references: [{ type: 'PurchaseOrder', number: 'PO 88/1', label: null }] });
    await inTransit(shipment);
    await harness.start(anOrder());
    const { state } = await harness.until(
      shipment,
      (view) => view.state?.listing?.transitStatus === 'PickedUp',
    );
    const bill = state?.billOfLading;
    const numbers = [
      'PO 88/1',
      state?.listing?.listingId ?? '',
      typeof bill === 'object' ? (bill?.billOfLadingNumber ?? '') : '',
      shipment.orderId.slice(0, -1),
    ];
    const { page } = await open('/shipments');
    for (const number of numbers) {
      expect(number).not.toBe('');
      await page.getByLabel('Search').fill(number);
      await page.getByRole('link', { name: `acme/${shipment.orderId}`, exact: true }).waitFor();
    }
    await page.getByLabel('Search').fill('PO 88/2');
    await page.getByText('No shipment is found').waitFor();
    await page.context().close();
  },
);

const PAGES = [
  ['needs-you', '/', /^Question q/],
  ['today', '/today', 'Pickups'],
  ['shipments', '/shipments', 'shown'],
  ['shipment', 'IN TRANSIT', 'Last seen'],
  ['accounts', '/accounts', 'Repaired by reading'],
  ['events', '/events', 'Find the order'],
  ['quote', '/quote', 'Ask for prices'],
] as const;

const LOOKS: readonly Look[] = ([1_280, 390] as const).flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => ({ width, scheme })),
);

/** Those that last: a color that is still on its way to another one has too little contrast. */
async function lastingViolations(page: Page): Promise<readonly string[]> {
  let found = await violations(page);
  for (let looks = 1; found.length > 0 && looks < 5; looks += 1) found = await violations(page);
  return found;
}

/** Looks at a page as it is, in each width and scheme. */
async function inEveryLook(page: Page, name: string): Promise<void> {
  for (const look of LOOKS) {
    await page.setViewportSize({ width: look.width, height: 900 });
    await page.emulateMedia({ colorScheme: look.scheme });
    expect([name, look, await lastingViolations(page)]).toEqual([name, look, []]);
    expect([name, look, await overflow(page)]).toEqual([name, look, 0]);
    await screenshot(page, name, look);
  }
}

testInBrowser(
  `every page, wide and narrow, light and dark, has no violation, no overflow and no refused style${unless}`,
  async () => {
    const [asking, moving] = [anOrder(LOW), anOrder()];
    await harness.start(asking);
    await harness.asked(asking, 'priceApproval');
    await inTransit(moving);
    await harness.start(aFurnitureShipment({ orderId: 'BOARD-F' }));
    harness.sandbox.trouble({ what: { kind: 'foreignListings', count: 1, eventsEach: 1 } });
    await until(async () => (await harness.shipments.events({ kinds: ['foreign'] })).length > 0, {
      patienceMs: 60_000,
    });
    const login = await newPage(browser, WIDE);
    await login.page.goto(`${url}/board/`);
    await login.page.getByLabel('Token').waitFor();
    await inEveryLook(login.page, 'login');
    await login.page.context().close();
    const { page, complaints } = await open('/');
    for (const [name, place, words] of PAGES) {
      await go(page, place === 'IN TRANSIT' ? `/shipments/acme/${moving.orderId}` : place);
      await page.getByText(words).first().waitFor();
      if (name === 'today') {
        await page.getByLabel('Day').fill('2035-03-06');
        await page.getByRole('link', { name: `acme/${asking.orderId}` }).waitFor();
      }
      if (name === 'shipment') await page.getByRole('img', { name: /^From Dallas, TX/ }).waitFor();
      await inEveryLook(page, name);
    }
    await go(page, '/');
    await page
      .getByRole('button', { name: /^Approve USD/ })
      .first()
      .click();
    await page.getByRole('dialog').waitFor();
    await inEveryLook(page, 'answer');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Change the order' }).first().click();
    await page.getByText('Sizes are in meters').waitFor();
    await page.getByRole('button', { name: 'See what it does' }).click();
    await page.getByText(/^What changes|^The document says/).waitFor();
    await inEveryLook(page, 'change');
    expect(complaints).toEqual([]);
    await page.context().close();
  },
  600_000,
);

testInBrowser(
  `events come page by page, and accounts say how many shipments they measure${unless}`,
  async () => {
    harness.sandbox.trouble({ what: { kind: 'foreignListings', count: 110, eventsEach: 1 } });
    await until(
      async () => (await harness.shipments.events({ kinds: ['foreign'], limit: 200 })).length >= 110,
      {
        patienceMs: 120_000,
      },
    );
    const { page } = await open('/events');
    await page.getByText('Of no order', { exact: true }).click();
    await page.getByText('100 shown, there are more').waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText(/^1[1-9]\d shown$/).waitFor();
    await go(page, '/accounts');
    // The page before has read more of them.
    await page.reload();
    await page.getByText('100 or more').waitFor();
    await page.getByText(/^Of the newest \d+ shipments, \d+ % of the changes/).waitFor();
    const asked = page.waitForResponse((response) => response.url().endsWith('/accounts?shipments=300'));
    await page.getByRole('combobox', { name: /^How many shipments/ }).click();
    await page.getByRole('option', { name: 'Newest 300 shipments' }).click();
    expect((await asked).status()).toBe(200);
    await page.getByText(/^Of the newest \d+ shipments/).waitFor();
    await page.context().close();
  },
);

testInBrowser(
  `a worker that is killed while a shipment is open: the page says so, keeps what it knew, and goes on${unless}`,
  async () => {
    await withWorld(
      {
        hasWebhooks: true,
        isPersistent: false,
        sandbox: { clock: { speed: 10, steps: { delivered: 40_000_000 } } },
      },
      async (world) => {
        const other = await startBoardApi(new ShipmentClient(world.client), {
          sandboxUrl: world.sandbox.url,
          folder: temporaryFolder(),
        });
        const shipment = anOrder();
        await world.start(shipment, {});
        await world.until(shipment, ({ state }) => state?.at.phase === 'inTransit');
        const { page } = await newPage(browser, WIDE);
        await signIn(page, other.url, TOKEN.DESK);
        await go(page, `/shipments/acme/${shipment.orderId}`);
        await page.getByRole('region', { name: 'in transit' }).waitFor();
        await world.killWorker();
        await page
          .getByRole('alert')
          .getByText('The state below is the last known one.')
          .waitFor({ timeout: 60_000 });
        expect(await page.getByRole('region', { name: 'in transit' }).count()).toBe(1);
        await world.startWorker();
        await page.getByText('No worker answers').waitFor({ state: 'hidden', timeout: 60_000 });
        expect(world.ledgerOf(shipment).liveBookings).toBe(1);
        await page.context().close();
        await other.api.close();
      },
    );
  },
  240_000,
);
