import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pc from 'picocolors';
import { loadAccounts, type Accounts } from '../src/accounts';
import { readConfig } from '../src/platform/config';
import { billOfLadingNumber, carrierName, priceLines } from '../src/domain/shipment-result';
import { createFolderStore } from '../src/platform/file-store';
import { runMain } from '../src/platform/run-process';
import { prepareOrder } from '../src/starter/client/prepare-order';
import type { ShipmentView } from '../src/starter/client/get-shipment';
import { ShipmentClient } from '../src/starter/client/shipment-client';
import { writeOut } from '../src/starter/cli/terminal-text';
import { followShipment } from '../src/starter/cli/follow-shipment';
import { connectTemporal } from '../src/temporal/temporal-connection';
import { portNear } from './port-near';
import { PartFailedError, startStack, type Stack } from './stack';
import { PACKAGE_ROOT } from '../src/platform/package-root';

const ORDERS = ['examples/furniture-sofa.json', 'examples/ltl-tiles.json'];
const TIMEOUT_MS = 90_000;

const say = (line: string): void => {
  writeOut(`${line}\n`);
};

async function start(shipments: ShipmentClient, accounts: Accounts, filesFolder: string, file: string) {
  const order = await prepareOrder({ file }, { accounts, files: createFolderStore(filesFolder) });
  const { workflowId } = await shipments.start(order);
  say(`${pc.green('started')} ${workflowId} from ${file}`);
  return order.shipment;
}

function uiLink(stack: Stack, view: ShipmentView): string {
  return `${stack.uiUrl}/namespaces/${stack.namespace}/workflows/${encodeURIComponent(view.workflowId)}`;
}

function summary(stack: Stack, view: ShipmentView): string {
  const { state } = view;
  const lines: [string, string][] = [
    ['Status', `${view.status.toLowerCase()}, transit ${state?.listing?.transitStatus ?? 'unknown'}`],
    ['Listing', state?.listing?.listingId ?? '-'],
    ['Carrier', (state === null ? null : carrierName(state)) ?? '-'],
    ...(state === null ? [] : priceLines(state)).map(([name, text]): [string, string] => [name, text ?? '-']),
    ['Bill of lading', (state === null ? null : billOfLadingNumber(state)) ?? '-'],
    ['Last seen', state?.lastSeen ?? 'no location shared'],
    ...(stack.uiUrl === null ? [] : ([['Web UI', uiLink(stack, view)]] as [string, string][])),
  ];
  return [pc.bold(view.workflowId), ...lines.map(([name, value]) => `  ${name.padEnd(15)} ${value}`)].join(
    '\n',
  );
}

async function follow(stack: Stack, filesFolder: string): Promise<boolean> {
  const accounts = loadAccounts('examples/accounts.yaml', stack.env);
  const temporal = await connectTemporal(stack.env);
  try {
    const shipments = new ShipmentClient(temporal.client);
    const orders = [];
    for (const file of ORDERS) orders.push(await start(shipments, accounts, filesFolder, file));
    say('');
    const views = await Promise.all(
      orders.map(
        async ({ account, orderId }) =>
          await followShipment(shipments.watch(account, orderId), {
            onLine: ({ at, what }) =>
              say(`${pc.dim(`${at.slice(11, 19)}Z`)}  ${pc.cyan(orderId.padEnd(10))} ${what}`),
          }),
      ),
    );
    for (const view of views) if (view !== null) say(`\n${summary(stack, view)}`);
    return views.every(
      (view) => view?.status === 'COMPLETED' && view.state?.listing?.transitStatus === 'Delivered',
    );
  } finally {
    await temporal.close();
  }
}

/** When a part ends, the demo cannot succeed any more. */
async function partEnds(stack: Stack): Promise<never> {
  const ends = (['sandbox', 'worker', 'webhooks', 'api'] as const).map(async (name) => {
    const { code, lastLines } = await stack.partOf(name).exited;
    return new PartFailedError(`The ${name} ended with code ${code}:\n${lastLines.join('\n')}`);
  });
  throw await Promise.race(ends);
}

async function main(): Promise<number> {
  const keep = process.argv.includes('--keep');
  process.chdir(PACKAGE_ROOT);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'consign-demo-'));
  say('Consign: two orders from placed to delivered, against the sandbox marketplace.\n');
  const config = readConfig();
  const stack = await startStack({
    folder,
    isPersistent: false,
    ports: {
      sandbox: await portNear(4010),
      webhooks: await portNear(config.webhookPort),
      api: await portNear(config.apiPort),
    },
    env: process.env,
    log: say,
  });
  say(
    `${pc.green('running')} sandbox marketplace at ${stack.sandboxUrl}, receiver at ${stack.webhookUrl}, HTTP API at ${stack.apiUrl}, worker`,
  );
  say(`${pc.green('running')} board at ${stack.apiUrl}/board/ (sign in with the token demo-api-token)`);
  if (stack.uiUrl !== null) say(`${pc.green('running')} Temporal's web UI at ${stack.uiUrl}\n`);
  const interrupted = new Promise<'interrupted'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve('interrupted'));
  });
  const late = new Promise<'late'>((resolve) => {
    setTimeout(() => resolve('late'), TIMEOUT_MS).unref();
  });
  try {
    const outcome = await Promise.race([
      follow(stack, path.join(folder, 'files')),
      partEnds(stack),
      ...[interrupted, late],
    ]);
    if (outcome === 'late') say(pc.red(`\nNot delivered after ${TIMEOUT_MS / 1_000} s.`));
    if (outcome === true) say(pc.green('\nBoth shipments were delivered.'));
    if (keep && outcome !== 'interrupted') {
      say(`\nAll parts keep running (--keep): the board is at ${stack.apiUrl}/board/. Ctrl-C stops them.`);
      await interrupted;
    }
    return outcome === true ? 0 : 1;
  } finally {
    say('stopping');
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

runMain(async () => {
  process.exitCode = await main();
});
