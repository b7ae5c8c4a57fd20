import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Command, CommanderError } from 'commander';
import pc from 'picocolors';
import { closingAll } from '../src/platform/closing';
import { UserError } from '../src/platform/user-error';
import { parseLimit } from '../src/starter/cli/parse-limit';
import { writeOut } from '../src/starter/cli/terminal-text';
import { prepareOrders, startWorld } from './environment';
import { generateOrders } from './orders';
import { planTroubles } from './plan';
import { isGood, renderFindings, renderReport, reportOf } from './report';
import { ChaosRun, type ChaosOptions, type Caller } from './run';

const EXIT_CODES = `
Exit codes:
  0    no double booking, no lost order, no unexplained stop
  1    at least one of them
  2    the run itself failed
  130  interrupted before the end`;

interface Flags extends ChaosOptions {
  readonly orders: number;
  readonly keep?: boolean;
  readonly json?: string;
  readonly cluster?: boolean;
}

const NEW_SEED = String(Date.now() % 100_000);

const say = (line: string): void => writeOut(`${line}\n`);

/** @returns the exit code */
async function chaos(flags: Flags): Promise<number> {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  const folder = await mkdtemp(path.join(os.tmpdir(), 'consign-chaos-'));
  const parts = createWriteStream(path.join(folder, 'parts.log'));
  const log = (line: string): void => void parts.write(`${new Date().toISOString()} ${line}\n`);
  let code = 2;
  try {
    const settlement = flags.withoutSettlement ? ', settlement of doubts OFF' : '';
    say(`${flags.orders} orders, seed ${flags.seed}${settlement}`);
    code = await runIn(folder, flags, { say, log, signal: interrupted.signal });
    return code;
  } finally {
    parts.end();
    if (code === 0 && !flags.keep) await rm(folder, { recursive: true, force: true });
    else say(pc.dim(`Findings, database, orders and log are in ${folder}`));
  }
}

async function runIn(folder: string, flags: Flags, { say, log, signal }: Caller): Promise<number> {
  const startedAt = Date.now();
  const { seed } = flags;
  const documents = generateOrders(flags.orders, seed, new Date());
  await writeFile(path.join(folder, 'orders.json'), JSON.stringify(documents, null, 1));
  const plan = planTroubles(documents, seed);
  const stamped = (line: string): void => say(`${pc.dim(new Date().toISOString().slice(11, 19))}  ${line}`);
  return await closingAll(async (onClose) => {
    const world = await startWorld({ folder, seed, plan, isCluster: flags.cluster === true, log }, onClose);
    const orders = await prepareOrders(documents, world);
    const outcome = await new ChaosRun(orders, { ...flags, say: stamped, log, signal }, world).run(plan);
    if (outcome === null) {
      say('interrupted: there is no verdict');
      return 130;
    }
    const seconds = (Date.now() - startedAt) / 1_000;
    say(renderReport(outcome, seconds));
    if (flags.json !== undefined) await writeFile(flags.json, `${reportOf(outcome, seconds)}\n`);
    const findings = renderFindings(outcome);
    if (findings !== null) await writeFile(path.join(folder, 'findings.json'), findings);
    const stories = path.join(folder, 'stories.json');
    if (flags.keep) await writeFile(stories, JSON.stringify(Object.fromEntries(outcome.stories), null, 1));
    return isGood(outcome) ? 0 : 1;
  });
}

const command = new Command('chaos')
  .description('Proves that no order is booked twice or lost, whatever fails or is killed.')
  .option('--orders <count>', 'how many orders', parseLimit, 60)
  .option('--seed <text>', 'the same seed gives the same orders, faults and kills', NEW_SEED)
  .option('--in-flight <count>', 'how many orders run at once', parseLimit, 40)
  .option(
    '--patience <seconds>',
    'how long to wait while no order makes progress; the run then ends with a verdict',
    parseLimit,
    120,
  )
  .option(
    '--cluster',
    'run a Temporal server on PostgreSQL in place of the embedded one, and kill both; needs Go and PostgreSQL',
  )
  .option('--json <file>', 'also write the report to this file as JSON')
  .option('--keep', 'keep database, orders, log and the history of every order even after a good run')
  .option(
    '--without-settlement',
    'UNSAFE: resend every write in doubt at once, to show that the verdict finds double bookings',
  )
  .addHelpText('after', EXIT_CODES)
  .exitOverride()
  .action(async (flags: Flags) => {
    process.exitCode = await chaos(flags);
  });

command.parseAsync().catch((error: unknown) => {
  process.exitCode = error instanceof CommanderError && error.exitCode === 0 ? 0 : 2;
  // Commander has printed it.
  if (error instanceof CommanderError) return;
  console.error(error instanceof UserError ? error.explain() : error);
});
