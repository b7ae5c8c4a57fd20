import { DEFAULT_POLICY } from '../../../domain/default-policy';
import { isConforming } from '../../../domain/conformance';
import type { ShipmentPolicy } from '../../../domain/policy';
import { askConformance } from '../../client/ask-conformance';
import type { CliContext } from '../context';
import { ExitCode } from '../../../platform/exit-code';
import { packageVersion } from '../../../platform/package-version';
import { sampleOrders } from '../sample-orders';
import { renderConformance, type ReportHead } from '../show-conformance';

export interface ConformanceOptions {
  readonly account?: string;
  readonly listing?: string;
  readonly json?: boolean;
}

/** Later rates change the price, not the shape of the answer. Milliseconds. */
const MAX_RATES_WAIT_MS = 60_000;

/** `consign conformance`. */
export async function conformance(
  context: CliContext,
  { account, listing, json }: ConformanceOptions,
): Promise<void> {
  const accounts = await context.accounts();
  const names = accounts.names();
  const name = account ?? (names.length === 1 ? names[0] : undefined);
  if (name === undefined || !names.includes(name)) {
    context.warn(`Choose an account with --account: ${names.join(', ')}.`);
    process.exitCode = ExitCode.Invalid;
    return;
  }
  const now = new Date();
  const environment = accounts.environmentOf(name);
  const input = {
    account: { name, environment },
    ...sampleOrders(accounts, name, now),
    rates: boundedRates(accounts.orderAccountOf(name)?.policy ?? DEFAULT_POLICY),
    listingId: listing ?? null,
  };
  const reports = await context.withShipments(
    async (_, client) =>
      await askConformance(client, input, {
        onProgress: (text) => context.warn(`waiting for rates: ${text}`),
      }),
  );
  const head: ReportHead = { version: packageVersion(), date: now.toISOString().slice(0, 10), environment };
  const isGood = reports.every(isConforming);
  context.print(
    json === true
      ? JSON.stringify({ ...head, conforming: isGood, endpoints: reports }, null, 2)
      : renderConformance(head, reports),
  );
  if (!isGood) process.exitCode = ExitCode.Failed;
}

function boundedRates({ rates }: ShipmentPolicy): ShipmentPolicy['rates'] {
  const maximumWaitMs = Math.min(rates.maximumWaitMs, MAX_RATES_WAIT_MS);
  return { ...rates, maximumWaitMs, minimumWaitMs: Math.min(rates.minimumWaitMs, maximumWaitMs) };
}
