import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { chromium as driver, type Browser, type Page } from 'playwright-core';
import { startBoardApi } from './board-api';
import { chromium } from './chromium';
import type { Harness } from './harness';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** A page of the board, and what the browser refused or reported on it. */
export interface BoardPage {
  readonly page: Page;
  readonly complaints: readonly string[];
}

export interface Look {
  readonly width: number;
  readonly scheme: 'light' | 'dark';
}

export const WIDE: Look = { width: 1_280, scheme: 'light' };

export async function startBrowser(): Promise<Browser> {
  if (chromium === null) throw new Error('no Chromium is here');
  // The tests may run as root in a container, where Chromium has no sandbox.
  return await driver.launch({ executablePath: chromium, args: ['--no-sandbox', '--disable-gpu'] });
}

/** The board of a harness, and a browser. */
export interface Board {
  readonly url: string;
  readonly browser: Browser;
  close(): Promise<void>;
}

export async function startBoard({ shipments, sandbox, filesFolder }: Harness): Promise<Board> {
  const { api, url } = await startBoardApi(shipments, { sandboxUrl: sandbox.url, folder: filesFolder });
  const browser = await startBrowser();
  return {
    ...{ url, browser },
    close: async () => {
      await browser.close();
      await api.close();
    },
  };
}

/** A new, empty session of the browser. Violations of the Content-Security-Policy are errors of its console. */
export async function newPage(browser: Browser, { width, scheme }: Look): Promise<BoardPage> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'America/Chicago',
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    // The browser itself reports each refused request; the page says so in words.
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, complaints };
}

/** Signs in as a person does. */
export async function signIn(page: Page, url: string, token: string): Promise<void> {
  await page.goto(`${url}/board/`);
  await page.getByLabel('Token').fill(token);
  await page.getByLabel('Your name').fill('Kim Example');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
}

/** Goes to a page of the board without loading it again. */
export async function go(page: Page, place: string): Promise<void> {
  await page.evaluate((to) => {
    (globalThis as unknown as { location: { hash: string } }).location.hash = to;
  }, place);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** A page of the board, opened by a person who signs in. */
export async function openBoard(
  browser: Browser,
  at: { readonly url: string; readonly token: string; readonly place: string; readonly look: Look },
): Promise<BoardPage> {
  const opened = await newPage(browser, at.look);
  await signIn(opened.page, at.url, at.token);
  await go(opened.page, at.place);
  return opened;
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** Every violation that axe finds, one line each. */
export async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const found = await page.evaluate(
    async () =>
      await (globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }).axe.run(),
  );
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary ?? ''}`),
  );
}

/** By how many pixels the page is wider than the window. */
export const overflow = async (page: Page): Promise<number> =>
  await page.evaluate(() => {
    const { scrollWidth, clientWidth } = (
      globalThis as unknown as {
        document: { documentElement: { scrollWidth: number; clientWidth: number } };
      }
    ).document.documentElement;
    return scrollWidth - clientWidth;
  });

/** Takes a screenshot for the documentation where `BOARD_SCREENSHOTS` names a folder. */
export async function screenshot(page: Page, name: string, { width, scheme }: Look): Promise<void> {
  const folder = process.env.BOARD_SCREENSHOTS;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `board-${name}-${width}-${scheme}.png`);
  await page.screenshot({ path: file, fullPage: !['answer', 'change', 'quote'].includes(name) });
}
