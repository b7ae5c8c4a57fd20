import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { cliSources, findCli } from '../../src/temporal/dev-server/find-cli';

/** Runs a command of Temporal's command line, as an operator does. @throws when it fails */
export async function runTemporalCli(...args: readonly string[]): Promise<string> {
  const { path: cli } = await findCli(cliSources(process.env), () => {});
  const { PATH, HOME } = process.env;
  const { stdout } = await promisify(execFile)(cli, [...args], { env: { PATH, HOME } });
  return stdout;
}
