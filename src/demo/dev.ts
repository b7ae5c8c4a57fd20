import path from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../config';
import { commandLines } from '../domain/command-lines';
import { runMain } from '../run-main';
import { terminalText } from '../starter/terminal-text';
import { portNear } from './port-near';
import { startStack, type Stack } from './stack';

/** Where the command line looks for Temporal when nothing is said. */
const USUAL_ADDRESS = '127.0.0.1:7233';
const USUAL_SANDBOX = 'http://127.0.0.1:4010';

/** What the command line must be told to find the stack: more than the files only where a usual port was taken. */
function exportsFor({ env, sandboxUrl }: Stack, root: string): string[] {
  const { CONSIGN_FILES = '', TEMPORAL_ADDRESS = USUAL_ADDRESS } = env;
  const files = path.relative(root, CONSIGN_FILES);
  return [
    `  export CONSIGN_FILES=${files.startsWith('..') ? CONSIGN_FILES : files}`,
    ...(TEMPORAL_ADDRESS === USUAL_ADDRESS ? [] : [`  export TEMPORAL_ADDRESS=${TEMPORAL_ADDRESS}`]),
    ...(sandboxUrl === USUAL_SANDBOX ? [] : [`  export SANDBOX_URL=${sandboxUrl}`]),
  ];
}

/** Keeps every part running, with a database file, until Ctrl-C; for playing with the command line. */
async function main(): Promise<void> {
  const root = path.join(__dirname, '..', '..');
  process.chdir(root);
  const { values } = parseArgs({ options: { folder: { type: 'string', default: '.consign' } } });
  const folder = path.resolve(root, values.folder);
  const say = (line: string): void => {
    process.stdout.write(`${terminalText(line)}\n`);
  };
  const stopAsked = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  const stack = await startStack({
    folder,
    isPersistent: true,
    ports: {
      temporal: await portNear(7233),
      ui: await portNear(8233),
      sandbox: await portNear(4010),
      webhooks: await portNear(readConfig().webhookPort),
    },
    env: process.env,
    log: say,
  });
  say(
    [
      '',
      `Temporal's web UI    ${stack.uiUrl ?? 'that of your cluster'}`,
      `Sandbox marketplace  ${stack.sandboxUrl} (ledger: ${stack.sandboxUrl}/_sandbox/ledger)`,
      `Webhook receiver     ${stack.webhookUrl}/health`,
      '',
      'In another terminal:',
      ...exportsFor(stack, root),
      `  npx ${commandLines.start('examples/furniture-sofa.json')}`,
      `  npx ${commandLines.watch({ account: 'acme', orderId: 'SO-10482' })}`,
      '',
      'Ctrl-C stops everything; what was started is there again next time.',
    ].join('\n'),
  );
  await stopAsked;
  say('stopping');
  await stack.stop();
}

runMain(main);
