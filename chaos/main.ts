import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import pc from 'picocolors';
import { UserError } from '../src/platform/user-error';
import { connectTemporal } from '../src/temporal/temporal-connection';
import { startChaosStack } from './environment';
import { isGood, renderFindings, renderReport, renderStories, reportOf } from './report';
import { ChaosRun } from './run';

const EXIT_CODES = `
Exit codes:
  0    no double booking, no lost order, no unexplained stop
  1    at least one of them
  2    the run itself failed
  130  interrupted before the end`;

interface Flags {
  readonly orders: number;
  readonly seed: string;
  readonly inFlight: number;
  readonly patience: number;
  readonly settlement: boolean;
  readonly keep?: boolean;
  readonly json?: string;
}

function toCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('give a whole number above 0.');
}

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** @returns the exit code */
async function chaos(flags: Flags): Promise<number> {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  const folder = await mkdtemp(path.join(os.tmpdir(), 'consign-chaos-'));
  const logFile = path.join(folder, 'parts.log');
  const log = createWriteStream(logFile);
  const note = (line: string): void => void log.write(`${new Date().toISOString()} ${line}\n`);
  let code = 2;
  try {
    say(`${flags.orders} orders, seed ${flags.seed}${flags.settlement ? '' : ', settlement of doubts OFF'}`);
    code = await runIn(folder, { flags, note, signal: interrupted.signal });
    return code;
  } finally {
    log.end();
    if (code === 0 && !flags.keep) await rm(folder, { recursive: true, force: true });
    else say(pc.dim(`Findings, database, orders and log are in ${folder}`));
  }
}

interface Surroundings {
  readonly flags: Flags;
  readonly note: (line: string) => void;
  readonly signal: AbortSignal;
}

async function runIn(folder: string, { flags, note, signal }: Surroundings): Promise<number> {
  const startedAt = Date.now();
  const stack = await startChaosStack(folder, flags.seed, note);
  try {
    const temporal = await connectTemporal(stack.env);
    try {
      const clock = (): string => pc.dim(new Date().toISOString().slice(11, 19));
      const options = {
        ...{ orders: flags.orders, seed: flags.seed, inFlight: flags.inFlight },
        ...{ withoutSettlement: !flags.settlement, patienceMs: flags.patience * 1_000, signal },
        say: (line: string) => say(`${clock()}  ${line}`),
      };
      const outcome = await new ChaosRun(options, stack, temporal, note).run(folder);
      if (outcome === null) {
        say('interrupted: there is no verdict');
        return 130;
      }
      const seconds = (Date.now() - startedAt) / 1_000;
      say(renderReport(outcome, seconds));
      if (flags.json !== undefined) await writeFile(flags.json, `${reportOf(outcome, seconds)}\n`);
      const findings = renderFindings(outcome);
      if (findings !== null) await writeFile(path.join(folder, 'findings.json'), findings);
      if (flags.keep) await writeFile(path.join(folder, 'stories.json'), renderStories(outcome));
      return isGood(outcome) ? 0 : 1;
    } finally {
      await temporal.close();
    }
  } finally {
    await stack.stop();
  }
}

const command = new Command('chaos')
  .description('Proves that no order is booked twice or lost, whatever fails or is killed.')
  .option('--orders <count>', 'how many orders', toCount, 60)
  .option(
    '--seed <text>',
    'the same seed gives the same orders, faults and kills',
    String(Date.now() % 100_000),
  )
  .option('--in-flight <count>', 'how many orders run at once', toCount, 40)
  .option(
    '--patience <seconds>',
    'how long to wait while no order makes progress; the run then ends with a verdict',
    toCount,
    120,
  )
  .option('--json <file>', 'also write the report to this file as JSON')
  .option('--keep', 'keep database, orders, log and the history of every order even after a good run')
  .option(
    '--without-settlement',
    'UNSAFE: resend every write in doubt at once, to show that the verdict finds double bookings',
  )
  .addHelpText('after', EXIT_CODES)
  .exitOverride((error) => {
    process.exitCode = error.exitCode === 0 ? 0 : 2;
    throw error;
  })
  .action(async ({ withoutSettlement = false, ...flags }: Flags & { withoutSettlement?: boolean }) => {
    process.exitCode = await chaos({ ...flags, settlement: !withoutSettlement });
  });

command.parseAsync().catch((error: unknown) => {
  if (error instanceof CommanderError) return;
  console.error(error instanceof UserError ? error.explain() : error);
  process.exitCode = 2;
});
