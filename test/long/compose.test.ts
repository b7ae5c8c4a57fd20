import { readFileSync } from 'node:fs';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { SQL_TOOL, TEMPORAL_VERSION } from '../../devstack/cluster/cluster';
import { installTool, run, whyNot, type ToolEnd } from '../../devstack/cluster/go-tool';
import { startPostgres, whyNoPostgres } from '../../devstack/cluster/postgres';
import { startDevServer } from '../../src/temporal/dev-server/dev-server';
import { cliSources, findCli } from '../../src/temporal/dev-server/find-cli';
import { consign } from '../support/consign';
import { temporaryFolder } from '../support/temporary-folder';
import { testUnless } from '../support/test-unless';

/** The parser of `docker compose`. */
const COMPOSE = {
  package: 'github.com/compose-spec/compose-go/v2/cmd',
  version: 'v2.16.2',
  variable: 'COMPOSE_SPEC',
};
const ROOT = path.join(__dirname, '..', '..');
const FILE = path.join(ROOT, 'docker-compose.yml');
const STEPS_FOLDER = path.join(ROOT, 'deploy', 'temporal');
/** The first builds compile for minutes. */
const BUILD_MS = 20 * 60_000;

// The rule does not see that the tests that may be skipped are tests.
/* oxlint-disable jest/no-standalone-expect */
const WHY_NO_COMPOSE = whyNot(COMPOSE);
const { test: testWithCompose, unless: unlessCompose } = testUnless(WHY_NO_COMPOSE);
const { test: testWithPostgres, unless: unlessPostgres } = testUnless(whyNot(SQL_TOOL) ?? whyNoPostgres());

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
}
const GIVEN = {
  POSTGRES_PASSWORD: 'a-password',
  CONSIGN_WEBHOOK_SECRET: 'a-secret',
  CONSIGN_API_TOKEN: 'a-token',
};

let composeProgram: string;
let folder: string;
const closers: (() => Promise<void>)[] = [];
beforeAll(async () => {
  folder = temporaryFolder('consign-compose-');
  if (WHY_NO_COMPOSE === null) composeProgram = await installTool(COMPOSE);
}, BUILD_MS);
afterAll(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** @param options such as `-no-interpolation`, which leaves variables as they are written */
const compose = async (options: readonly string[], file = FILE): Promise<ToolEnd> =>
  await run(composeProgram, [...options, '-format', 'json', file], { cwd: ROOT });

const written = parse(readFileSync(FILE, 'utf8'), { merge: true }) as {
  readonly services: Record<string, Service>;
};

testWithCompose(`docker-compose.yml conforms to the Compose specification${unlessCompose}`, async () => {
  const { code, out, output } = await compose(['-no-interpolation']);
  if (code !== 0) throw new Error(output);
  const { services } = JSON.parse(out) as { readonly services: Record<string, Service> };
  expect(Object.keys(services).toSorted()).toEqual(Object.keys(written.services).toSorted());
});

testWithCompose.each(Object.keys(GIVEN))(`Docker Compose asks for %s${unlessCompose}`, async (name) => {
  const { code, output } = await compose([]);
  expect({ code, output }).toEqual({
    code: 1,
    output: expect.stringContaining(`required variable ${name} is missing a value`),
  });
});

testWithCompose.each([
  ['a misspelled key', 'healthcheck:', 'healtcheck:'],
  ['a condition that does not exist', 'condition: service_healthy', 'condition: service_helthy'],
  ['a text where a list belongs', 'profiles: [metrics]', 'profiles: metrics'],
])(`the parser finds %s${unlessCompose}`, async (_name, right, wrong) => {
  const file = path.join(folder, 'docker-compose.yml');
  await writeFile(file, (await readFile(FILE, 'utf8')).replace(right, wrong));
  expect((await compose(['-no-interpolation'], file)).code).toBe(1);
});

/** As the container runs it, with what is elsewhere here. */
async function step(script: string, env: Readonly<Record<string, string>>): Promise<void> {
  const { code, output } = await run('sh', [path.join(STEPS_FOLDER, script)], {
    env: { ...env, PATH: `${folder}:${process.env.PATH ?? ''}` },
  });
  if (code !== 0) throw new Error(`${script} ends with ${code}:\n${output}`);
}

const settingsOf = (name: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(written.services[name]?.environment ?? {}).map(([variable, value]) => [
      variable,
      String(value).replace(/\$\{(\w+):\?[^}]*\}/g, (_, given: keyof typeof GIVEN) => GIVEN[given]),
    ]),
  );

testWithPostgres(
  `the step schema creates both databases and a second time changes nothing, and docs/backup.md restores them${unlessPostgres}`,
  async () => {
    await symlink(await installTool(SQL_TOOL), path.join(folder, 'temporal-sql-tool'));
    const postgres = await startPostgres(GIVEN.POSTGRES_PASSWORD);
    closers.push(async () => await postgres.close());
    const port = String(postgres.port);
    const database = { ...settingsOf('schema'), SQL_HOST: '127.0.0.1', SQL_PORT: port };
    const env = { PGHOST: '127.0.0.1', PGPORT: port, PGPASSWORD: GIVEN.POSTGRES_PASSWORD };
    const inEach = async (statement: string): Promise<string[]> =>
      await Promise.all(
        ['temporal', 'temporal_visibility'].map(async (name) => {
          const query = ['-U', 'temporal', '-d', name, '-At', '-c', statement];
          const { code, output } = await run('psql', query, { env });
          return `${code} ${output.trim()}`;
        }),
      );
    const versions = async (): Promise<string[]> =>
      await inEach('select db_name, curr_version from schema_version');
    await step('create-schema.sh', database);
    const first = await versions();
    expect(first).toEqual([
      expect.stringMatching(/^0 temporal\|1\.(?:19|[2-9]\d)$/),
      expect.stringMatching(/^0 temporal_visibility\|1\.(?:1[4-9]|[2-9]\d)$/),
    ]);
    await step('create-schema.sh', database);
    expect(await versions()).toEqual(first);

    const page = await readFile(path.join(ROOT, 'docs', 'backup.md'), 'utf8');
    const [, backUp = ''] = / postgres (pg_dumpall .+) > temporal\.sql\n/.exec(page) ?? [];
    const [, restore = ''] = / postgres (psql .+) < temporal\.sql\n/.exec(page) ?? [];
    const backup = await run('sh', ['-c', backUp], { env });
    expect(backup.code).toBe(0);
    await inEach("update schema_version set curr_version = '0.1'");
    expect(await versions()).not.toEqual(first);
    const restored = await run('sh', ['-c', restore], { env, input: backup.out });
    expect(restored.output.split('\n').filter((line) => line.includes('ERROR'))).toEqual([
      expect.stringContaining('current user cannot be dropped'),
      expect.stringContaining('role "temporal" already exists'),
    ]);
    expect(await versions()).toEqual(first);
  },
  BUILD_MS,
);

test('the steps namespace and setup give a server what Consign needs, and a second time change nothing', async () => {
  const cli = await findCli(cliSources(process.env), () => undefined);
  await symlink(cli.path, path.join(folder, 'temporal'));
  const server = await startDevServer({ cliPath: cli.path, env: process.env, namespace: 'other' });
  closers.push(async () => await server.stop());
  const address = { TEMPORAL_ADDRESS: server.address };
  await step('create-namespace.sh', {
    ...settingsOf('namespace'),
    ...address,
    TEMPORAL_NAMESPACE: 'freight',
  });
  await step('create-namespace.sh', {
    ...settingsOf('namespace'),
    ...address,
    TEMPORAL_NAMESPACE: 'freight',
  });

  Object.assign(process.env, settingsOf('setup'), address, { TEMPORAL_NAMESPACE: 'freight' });
  const [, , ...command] = written.services.setup?.command ?? [];
  const first = await consign(...command);
  expect(first).toMatchObject({
    code: 0,
    out: expect.stringContaining('no search attribute OrderId (KEYWORD)'),
  });
  // The namespace has the retention already.
  expect(first.out).not.toContain('keeps closed workflows');
  expect(await consign(...command, '--check')).toMatchObject({
    code: 0,
    out: expect.stringContaining('has everything that Consign needs'),
  });
});

testWithPostgres(
  `every variable of the service temporal is one that the server reads${unlessPostgres}`,
  async () => {
    const module = `go.temporal.io/server@${TEMPORAL_VERSION}`;
    const { code, out, output } = await run('go', ['mod', 'download', '-json', module]);
    if (code !== 0) throw new Error(output);
    const { Dir: at } = JSON.parse(out) as { readonly Dir: string };
    const template = await readFile(
      path.join(at, 'common', 'config', 'config_template_embedded.yaml'),
      'utf8',
    );
    const variables = Object.keys(written.services.temporal?.environment ?? {});
    expect(written.services.temporal?.image).toContain(`:${TEMPORAL_VERSION.slice(1)}@`);
    expect(variables.length).toBeGreaterThan(5);
    expect(variables.filter((name) => !template.includes(`(env "${name}")`))).toEqual([]);
  },
);
