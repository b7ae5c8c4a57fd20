#!/usr/bin/env node
import { Command, InvalidArgumentError, Option } from 'commander';
import { pino } from 'pino';
import { startSandbox, type Sandbox } from './index';
import { readScenario, ScenarioError } from './scenario';

interface Flags {
  readonly port: number;
  readonly host: string;
  readonly speed?: number;
  readonly seed?: string;
  readonly webhookUrl?: readonly string[];
  readonly apiKey?: readonly string[];
  readonly publicUrl?: string;
  readonly scenario?: string;
  readonly logLevel: string;
}

const numberThat = (isGood: (number: number) => boolean, advice: string) => (text: string) => {
  if (text.trim() !== '' && isGood(Number(text))) return Number(text);
  throw new InvalidArgumentError(advice);
};
const toPort = numberThat(
  (port) => Number.isInteger(port) && port >= 0 && port <= 65_535,
  'A port is a whole number from 0 to 65535.',
);
const toSpeed = numberThat(
  (speed) => Number.isFinite(speed) && speed > 0,
  'A speed is a number above 0; 10 is ten times as fast.',
);

/** An empty variable is no value, as in a compose file that passes on what may not be set. */
const several = (text: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  ...text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()])),
];

function severalUrls(text: string, before: readonly string[] | undefined): readonly string[] {
  const urls = several(text, before);
  const wrong = urls.find((url) => !URL.canParse(url));
  if (wrong !== undefined) throw new InvalidArgumentError(`${wrong} is not a URL.`);
  return urls;
}

const option = (flags: string, description: string, variable: string): Option =>
  new Option(flags, description).env(variable);

export function createCommand(act: (flags: Flags) => Promise<void>): Command {
  const speedMeans = 'how fast the carrier works; at 1 a shipment takes about 10 s';
  const apiKeyMeans = 'key to accept (default: sandbox-key); may be repeated';
  const options = [
    option('--port <port>', 'port to listen on; 0 is any', 'SANDBOX_PORT').default(4010).argParser(toPort),
    option('--host <host>', 'address to listen on', 'SANDBOX_HOST').default('127.0.0.1'),
    option('--speed <factor>', speedMeans, 'SANDBOX_SPEED').argParser(toSpeed),
    option('--seed <text>', 'same seed, same ids and prices (default: new each time)', 'SANDBOX_SEED'),
    option('--webhook-url <url>', 'where events go; may be repeated', 'SANDBOX_WEBHOOK_URL').argParser(
      severalUrls,
    ),
    option('--api-key <key>', apiKeyMeans, 'SANDBOX_API_KEY').argParser(several),
    option('--public-url <url>', 'address that clients see, behind a proxy', 'SANDBOX_PUBLIC_URL'),
    option('--scenario <file>', 'JSON or YAML with clock, switches, troubles', 'SANDBOX_SCENARIO'),
    option('--log-level <level>', 'of the request log', 'SANDBOX_LOG_LEVEL').default('silent'),
  ];
  const command = new Command('consign-sandbox')
    .description('A simulated shipping marketplace: endpoints, carriers, webhooks and scripted trouble.')
    .addHelpText('after', '\nControl routes, switches, troubles and clock steps: docs/sandbox.md')
    .action(act);
  for (const one of options) command.addOption(one);
  return command;
}

async function start(flags: Flags): Promise<void> {
  const scenario = flags.scenario === undefined ? {} : readScenario(flags.scenario);
  const seed = flags.seed ?? scenario.seed ?? Math.floor(Date.now() / 1000);
  const apiKeys = flags.apiKey?.length === 0 ? scenario.apiKeys : (flags.apiKey ?? scenario.apiKeys);
  const clock = { ...scenario.clock, speed: flags.speed ?? scenario.clock?.speed };
  const sandbox = await startSandbox({
    ...scenario,
    port: flags.port,
    host: flags.host,
    publicUrl: flags.publicUrl,
    webhooks: [...(scenario.webhooks ?? []), ...(flags.webhookUrl ?? []).map((url) => ({ url }))],
    ...{ seed, clock, apiKeys },
    logger: pino({ level: flags.logLevel }, pino.destination(2)),
  });
  const key = apiKeys === undefined ? ', API key sandbox-key' : '';
  process.stdout.write(
    `Sandbox marketplace at ${sandbox.url} (speed ${clock.speed ?? 1}, seed ${seed}${key})\n`,
  );
  closeOnSignal(sandbox);
}

function closeOnSignal(sandbox: Sandbox): void {
  const stop = (): void => {
    sandbox.close().catch(explain);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

/** What a person can mend is one line; anything else keeps its stack. */
function explain(error: unknown): void {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    process.stderr.write(`${error.message}; choose another --port, 0 is any free one\n`);
  else if (error instanceof ScenarioError || (error instanceof Error && 'syscall' in error))
    process.stderr.write(`${error.message}\n`);
  else process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
}

if (require.main === module) createCommand(start).parseAsync().catch(explain);
