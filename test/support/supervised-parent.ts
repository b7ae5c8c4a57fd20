import { startProcess } from '../../src/temporal/dev-server/supervise';

/** A process of the tests: starts the command that it is given, prints its pid, and then does as it is told. */
async function main(): Promise<void> {
  const [then = 'wait', command = '', ...args] = process.argv.slice(2);
  const child = await startProcess({ name: 'the child', command, args, env: process.env });
  // As text: a number is coloured where colours are forced.
  console.log(String(child.pid));
  // oxlint-disable-next-line unicorn/no-process-exit -- an open channel keeps the process from ending otherwise
  if (then === 'return') process.exit(0);
  if (then === 'throw') throw new Error('the parent crashes');
  await child.exited;
}

void main();
