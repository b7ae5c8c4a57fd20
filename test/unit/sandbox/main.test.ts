import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { createCommand } from '../../../sandbox/main';
import { readScenario } from '../../../sandbox/scenario';
import { ask, closeSandboxes, listingBody, quickSandbox } from './marketplace-client';
import { temporaryFolder } from '../../support/temporary-folder';

const environment = { ...process.env };
afterEach(async () => {
  process.env = { ...environment };
  await closeSandboxes();
});

async function flagsOf(...args: string[]): Promise<object> {
  let given: object = {};
  await createCommand(async (flags) => {
    given = flags;
  })
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .parseAsync(args, { from: 'user' });
  return given;
}

function scenarioFile(name: string, content: string): string {
  const file = path.join(temporaryFolder(), name);
  writeFileSync(file, content);
  return file;
}

test('without flags the command listens on port 4010 of this machine', async () => {
  expect(await flagsOf()).toEqual({ port: 4010, host: '127.0.0.1', logLevel: 'silent' });
});

test('flags and environment variables say the same, and flags win', async () => {
  process.env['SANDBOX_PORT'] = '5000';
  process.env['SANDBOX_SPEED'] = '10';
  process.env['SANDBOX_API_KEY'] = 'a,b';
  const flags = await flagsOf('--port', '0', '--webhook-url', 'http://one', '--webhook-url', 'http://two');
  expect(flags).toMatchObject({
    port: 0,
    speed: 10,
    apiKey: ['a', 'b'],
    webhookUrl: ['http://one', 'http://two'],
  });
});

test.each([
  ['--port', 'http'],
  ['--port', '70000'],
  ['--speed', '0'],
])('%s %s is refused', async (flag, value) => {
  await expect(flagsOf(flag, value)).rejects.toMatchObject({ code: 'commander.invalidArgument' });
});

test('help names every environment variable', () => {
  const help = createCommand(async () => undefined).helpInformation();
  for (const name of ['PORT', 'HOST', 'SPEED', 'SEED', 'WEBHOOK_URL', 'API_KEY', 'PUBLIC_URL', 'SCENARIO'])
    expect(help).toContain(`SANDBOX_${name}`);
});

test('a scenario in YAML sets clock, switches and troubles', async () => {
  const file = scenarioFile(
    'lost-answer.yaml',
    `seed: 7
clock: { speed: 20, steps: { booking: 100 } }
switches: { location: bare }
troubles:
  - { when: createListing, what: hangUpAfter, times: 1 }
apiKeys: [other-key]
`,
  );
  const sandbox = await quickSandbox(readScenario(file));
  const create = () => ask(sandbox, 'POST', '/v2/listings', { json: listingBody(), key: 'other-key' });
  await expect(create()).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
  expect((await create()).headers['location']).toMatch(/^\d{9}$/u);
  const health = await ask(sandbox, 'GET', '/_sandbox/health');
  expect(health.body).toMatchObject({ seed: '7', speed: 20, steps: { booking: 100 } });
});

test('a scenario in JSON is read too', () => {
  expect(readScenario(scenarioFile('a.json', '{"switches": {"labels": "fr"}}'))).toEqual({
    switches: { labels: 'fr' },
  });
});

test.each([
  ['a switch that does not exist', 'switches: { rate: none }', /rate/u],
  ['a step that does not exist', 'clock: { steps: { boking: 1 } }', /no such clock step: boking/u],
  ['a trouble without its status', 'troubles: [{ when: getListing, what: status }]', /needs a status/u],
  [
    'a trouble that cannot strike there',
    'troubles: [{ when: getListing, what: lost }]',
    /lost needs .*event/u,
  ],
  ['a trouble of no known name', 'troubles: [{ when: getListing, what: vanish }]', /kind/u],
  ['broken YAML', 'troubles: [', /flow/iu],
])('a scenario with %s is refused by name', (_what, content, reason) => {
  const file = scenarioFile('wrong.yaml', content);
  expect(() => readScenario(file)).toThrow(reason);
  expect(() => readScenario(file)).toThrow(`scenario ${file}`);
});
