import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import type { LtlRate } from '../../src/domain/rate';
import {
  DEFAULT_SETTINGS,
  type MarketplaceAccount,
  type MarketplaceSettings,
} from '../../src/marketplace/account';
import { createMarketplace, type ClosableMarketplace } from '../../src/marketplace/create-marketplace';
import { startSandbox, type Sandbox } from '../../sandbox';
import { aFurnitureShipment, anLtlShipment } from '../support/builders';
import { marketplaceAccount } from '../support/harness';
import { watchSwitches } from '../support/tried-switches';

type Overrides = Partial<Omit<MarketplaceAccount, 'settings'>> & { settings?: Partial<MarketplaceSettings> };

/** One sandbox for a test file, as new before each test, and clients of it that are closed at the end. */
export interface SandboxClient {
  readonly sandbox: Sandbox;
  /** @param now the client's clock, in place of the real one */
  open(over?: Overrides, now?: () => number): ClosableMarketplace;
  createListing(client?: ClosableMarketplace): Promise<string>;
  requestRates(client?: ClosableMarketplace): Promise<readonly LtlRate[]>;
  bookRate(client?: ClosableMarketplace): Promise<string>;
  /** A listing that was booked, and whose truck moves by hand only. */
  bookedListing(): Promise<string>;
}

export const secret = (value: string) => async () => await Promise.resolve(value);
export const usd = (minorUnits: number) => ({ minorUnits, currency: 'USD' });
export const webSignIn = { username: secret('shipper@example.com'), password: secret('sandbox-password') };

/** What nobody looks at on its way is over at once; what a test must see in between has its time. */
const QUICK = {
  speed: 20,
  steps: { ratesFirst: 50, ratesLast: 200, acceptancePending: 200, bookedLate: 200 },
};

/** Repeats a reading until it holds. */
export async function until<T>(take: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + 15_000;
  for (;;) {
    const value = await take();
    if (holds(value)) return value;
    await delay(5);
    if (Date.now() > deadline) throw new Error(`still not so: ${JSON.stringify(value)}`);
  }
}

async function createListing(client: ClosableMarketplace): Promise<string> {
  const shipment = aFurnitureShipment();
  const { listPrice, priceCorrelationId } = await client.getFixedPrice({
    shipment,
    priceCorrelationId: null,
  });
  const { listingId } = await client.createListing({
    shipment,
    listPrice,
    priceCorrelationId,
    sendId: 'SO-1.1',
  });
  return listingId;
}

async function requestRates(client: ClosableMarketplace): Promise<readonly LtlRate[]> {
  const { rateRequestId } = await client.createRateRequest({ shipment: anLtlShipment(), attempt: 1 });
  return await until(
    async () => (await client.listRates(rateRequestId)).rates,
    (rates) => rates.length >= 3,
  );
}

async function bookRate(client: ClosableMarketplace): Promise<string> {
  const [rate] = await requestRates(client);
  const [method] = (await client.listPaymentMethods('ltl')).methods;
  if (rate === undefined || method === undefined) throw new Error('nothing to accept');
  const { paymentMethodId } = method;
  const { rateId } = rate;
  const receipt = await client.acceptRate({ rateId, paymentMethodId, coverage: usd(100_000) });
  if (receipt.kind === 'booked') return receipt.listingId;
  const { executionId } = receipt;
  const status = await until(
    async () => await client.getAcceptanceStatus({ rateId, executionId }),
    ({ kind }) => kind !== 'pending' && kind !== 'notVisible',
  );
  if (status.kind !== 'booked') throw new Error(JSON.stringify(status));
  return status.listingId;
}

async function bookedListing(sandbox: Sandbox, client: ClosableMarketplace): Promise<string> {
  sandbox.setSwitches({ transit: 'manual' });
  sandbox.setClock({ steps: { booking: 3_600_000 } });
  const listingId = await createListing(client);
  sandbox.controls.advance(listingId, { to: 'Booked' });
  return listingId;
}

export function useSandbox(): SandboxClient {
  let sandbox: Sandbox | null = null;
  let switches: ReturnType<typeof watchSwitches> | null = null;
  const opened: ClosableMarketplace[] = [];
  const running = (): Sandbox => {
    if (sandbox === null) throw new Error('the sandbox runs within tests only');
    return sandbox;
  };
  const open: SandboxClient['open'] = ({ settings, ...over } = {}, now = Date.now) => {
    const account = { ...over, settings: { ...DEFAULT_SETTINGS, ...settings } };
    const client = createMarketplace(marketplaceAccount(running().url, account), { now });
    opened.push(client);
    return client;
  };
  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0, clock: QUICK });
    switches = watchSwitches(sandbox);
  });
  beforeEach(() => running().reset());
  afterEach(() => switches?.note());
  afterAll(async () => {
    switches?.save(expect.getState().testPath ?? '');
    await Promise.all(opened.map(async (client) => await client.close()));
    await sandbox?.close();
  });
  return {
    get sandbox() {
      return running();
    },
    open,
    createListing: async (client = open()) => await createListing(client),
    requestRates: async (client = open()) => await requestRates(client),
    bookRate: async (client = open()) => await bookRate(client),
    bookedListing: async () => await bookedListing(running(), open()),
  };
}
