import { openTemporal } from '../../src/temporal/connect';

/** A process of the tests that holds an embedded server until it is killed. */
async function main(): Promise<void> {
  const [databaseFile = ''] = process.argv.slice(2);
  const temporal = await openTemporal({ env: process.env, log: () => {}, embedded: { databaseFile } });
  console.log(JSON.stringify({ pid: temporal.server?.pid, address: temporal.address }));
}

void main();
