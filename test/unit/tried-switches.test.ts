import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { switchesSchema } from '../../sandbox/model/switches';
import {
  collectTriedSwitches,
  untriedSwitches,
  watchSwitches,
  type TriedSwitch,
} from '../support/tried-switches';
import { ask, closeSandboxes, quickSandbox } from './sandbox/marketplace-client';
import { temporaryFolder } from '../support/temporary-folder';

afterEach(closeSandboxes);

test('without any request every switch is untried, in each of its values except the default', () => {
  const untried = untriedSwitches([]);
  const names = Object.keys(switchesSchema.shape).filter((name) => !name.startsWith('webhook'));
  expect(new Set(untried.map((text) => text.replace(/[=≠].*/, '')))).toEqual(new Set(names));
  expect(untried).toEqual(
    expect.arrayContaining([
      'location=relative',
      'location=bare',
      'weightAsText=true',
      'staleChecksumStatus=412',
      'rateLifetimeInSeconds≠604800',
      'priceCorrections≠[]',
    ]),
  );
  expect(untried).not.toContain('location=full');
});

test.each<[TriedSwitch, string, boolean]>([
  [['location', 'bare'], 'location=bare', true],
  [['location', 'bare'], 'location=relative', false],
  [['weightAsText', false], 'weightAsText=true', false],
  [['weightAsText', true], 'weightAsText=true', true],
  [['rateLifetimeInSeconds', 604_800], 'rateLifetimeInSeconds≠604800', false],
  [['rateLifetimeInSeconds', 1], 'rateLifetimeInSeconds≠604800', true],
])('a request under %j means that %s is tried: %s', (tried, text, isTried) => {
  expect(untriedSwitches([tried]).includes(text)).toBe(!isTried);
});

test('a value counts as tried when a request was made under it, and not when it was only set', async () => {
  const folder = temporaryFolder();
  const sandbox = await quickSandbox();
  const watch = watchSwitches(sandbox);
  sandbox.setSwitches({ labels: 'fr', location: 'bare' });
  sandbox.setSwitches({ location: 'relative' });
  await ask(sandbox, 'GET', '/v2/lookups/addressTypes');
  sandbox.setSwitches({ labels: 'es' });
  watch.note();
  const before = process.env['CONSIGN_TRIED_SWITCHES'];
  collectTriedSwitches(folder);
  watch.save('/anywhere/some.test.ts');
  if (before === undefined) delete process.env['CONSIGN_TRIED_SWITCHES'];
  else process.env['CONSIGN_TRIED_SWITCHES'] = before;
  const saved: unknown = JSON.parse(readFileSync(path.join(folder, 'some.test.ts.json'), 'utf8'));
  expect(saved).toEqual([
    ['labels', 'fr'],
    ['location', 'relative'],
  ]);
});
