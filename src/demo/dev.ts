import path from 'node:path';
import { readConfig } from '../config';
import { runMain } from '../run-main';
import { startStack } from './stack';

/** Keeps every part running, with a database file, until Ctrl-C; for playing with the command line. */
async function main(): Promise<void> {
  const root = path.join(__dirname, '..', '..');
  process.chdir(root);
  const say = (line: string): void => {
    process.stdout.write(`${line}\n`);
  };
  const stopAsked = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  const stack = await startStack({
    folder: path.join(root, '.consign'),
    isPersistent: true,
    ports: { temporal: 7233, ui: 8233, sandbox: 4010, webhooks: readConfig().webhookPort },
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
      `  export CONSIGN_FILES=${path.relative(root, stack.env.CONSIGN_FILES ?? '')}`,
      '  npx consign start examples/furniture-sofa.json',
      '  npx consign watch SO-10482',
      '',
      'Ctrl-C stops everything; what was started is there again next time.',
    ].join('\n'),
  );
  await stopAsked;
  say('stopping');
  await stack.stop();
}

runMain(main);
