import path from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../src/platform/config';
import { commandLines } from '../src/domain/command-lines';
import type { ProcessExit } from '../src/temporal/dev-server/supervise';
import { runMain } from '../src/platform/run-process';
import { writeOut } from '../src/starter/cli/terminal-text';
import { timeText } from '../src/starter/cli/time-text';
import { reserveFreePort } from '../src/temporal/dev-server/free-port';
import { exportsFor } from './exports';
import { keepRunning, type KeptPart } from './keep-running';
import { portNear } from './port-near';
import { startStack, type PartName, type Stack } from './stack';
import { PACKAGE_ROOT } from '../src/platform/package-root';

const PARTS = [
  ['worker', 'the worker', undefined],
  ['webhooks', 'the receiver', undefined],
  ['api', 'the HTTP API', undefined],
  ['sandbox', 'the sandbox', 'its listings are lost'],
] as const satisfies readonly (readonly [PartName, string, string | undefined])[];

/** The parts to keep running. An existing cluster is not among them: only its owner may restart it. */
function keptParts(stack: Stack): KeptPart[] {
  const parts = PARTS.map(([part, name, loses]): KeptPart => ({
    name,
    exited: async () => await stack.partOf(part).exited,
    start: async () => await stack.start(part),
    ...(loses === undefined ? {} : { loses }),
  }));
  const ofTemporal = stack.temporalExited();
  if (ofTemporal === null) return parts;
  const exited = async (): Promise<ProcessExit> => await (stack.temporalExited() ?? ofTemporal);
  return [...parts, { name: 'the Temporal server', exited, start: async () => await stack.startTemporal() }];
}

/**
 * Keeps every part running until Ctrl-C, with a database file, for trying the command line. It restarts a part that
 * ends.
 */
async function main(): Promise<void> {
  const root = PACKAGE_ROOT;
  process.chdir(root);
  const { values } = parseArgs({
    options: {
      folder: { type: 'string', default: '.consign' },
      // For a second stack on this machine.
      'any-ports': { type: 'boolean', default: false },
    },
  });
  const portFor = values['any-ports'] ? reserveFreePort : portNear;
  const folder = path.resolve(root, values.folder);
  const say = (line: string): void => {
    writeOut(`${line}\n`);
  };
  const stopAsked = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  const config = readConfig();
  const stack = await startStack({
    folder,
    isPersistent: true,
    ports: {
      temporal: await portFor(7233),
      ui: await portFor(8233),
      sandbox: await portFor(4010),
      webhooks: await portFor(config.webhookPort),
      api: await portFor(config.apiPort),
    },
    env: process.env,
    log: say,
  });
  say(
    [
      '',
      `Temporal's web UI    ${stack.uiUrl ?? 'the one of your cluster'}`,
      `Sandbox marketplace  ${stack.sandboxUrl} (ledger: ${stack.sandboxUrl}/_sandbox/ledger)`,
      `Webhook receiver     ${stack.webhookUrl}/health`,
      `HTTP API             ${stack.apiUrl}/reference`,
      `Board                ${stack.apiUrl}/board/`,
      '',
      'In another terminal:',
      ...exportsFor(stack.env, root).map((line) => `  ${line}`),
      `  npx ${commandLines.start('examples/furniture-sofa.json')}`,
      `  npx ${commandLines.watch({ account: 'acme', orderId: 'SO-10482' })}`,
      '',
      'Ctrl-C stops everything. Your orders will still be there next time.',
    ].join('\n'),
  );
  const stopKeeping = keepRunning(keptParts(stack), (line) =>
    say(`${timeText(new Date().toISOString())}  ${line}`),
  );
  await stopAsked;
  say('stopping');
  await stopKeeping();
  await stack.stop();
}

runMain(main);
