import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { transformFile } from '@swc/core';
import { DEFAULT_POLICY } from '../../../src/domain/default-policy';
import { byCodeUnits } from '../../../src/domain/text-order';
import { aRate } from '../../support/builders';
import { temporaryFolder } from '../../support/temporary-folder';

const SRC = path.join(__dirname, '..', '..', '..', 'src');

test('texts are ordered by their code units, and equal texts are equal', () => {
  expect(['b', 'aa', 'Z', 'ä', 'a', ''].toSorted(byCodeUnits)).toEqual(['', 'Z', 'a', 'aa', 'b', 'ä']);
  expect(byCodeUnits('same', 'same')).toBe(0);
});

/** The modules of the choice as plain JavaScript, for a process with a locale of its own. */
async function choiceModules(): Promise<string> {
  const folder = temporaryFolder();
  for (const name of ['rate-choice', 'money', 'text-order']) {
    const { code } = await transformFile(path.join(SRC, 'domain', `${name}.ts`), {
      jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
      module: { type: 'commonjs' },
    });
    await writeFile(path.join(folder, `${name}.js`), code);
  }
  return folder;
}

test('the same rates give the same choice under every locale of the machine', async () => {
  const folder = await choiceModules();
  // By the alphabet "aa" comes after "z" in Danish, "y" with "i" in Lithuanian, and "B" after "a" nearly everywhere.
  const ids = ['az', 'aa', 'B', 'y', 'ib', 'j'];
  const input = {
    rates: ids.map((rateId) => aRate({ rateId })),
    rule: DEFAULT_POLICY.rateRule,
    ...{ excludedRateIds: [], expiryMarginMs: 0, now: '2020-01-01T00:00:00.000Z' },
  };
  const script = `
    const { chosen, losses } = require('./rate-choice.js').chooseRate(${JSON.stringify(input)});
    const locale = Intl.Collator().resolvedOptions().locale;
    console.log(JSON.stringify({ locale, order: [chosen, ...losses].map(({ rateId }) => rateId) }));`;
  const locales = ['da-DK', 'lt-LT', 'en-US'];
  const answers = await Promise.all(
    locales.map(async (locale) => {
      const env = { ...process.env, LC_ALL: `${locale.replace('-', '_')}.UTF-8` };
      const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { cwd: folder, env });
      return JSON.parse(stdout);
    }),
  );
  const order = ['B', 'aa', 'az', 'ib', 'j', 'y'];
  expect(answers).toEqual(locales.map((locale) => ({ locale, order })));
});

test('no source compares or writes by the locale of the machine', async () => {
  const files = (await readdir(SRC, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const wrong: string[] = [];
  for (const file of files) {
    const text = await readFile(path.join(SRC, file), 'utf8');
    if (/\.localeCompare\(|\.toLocale\w*\(\s*(\)|undefined)|new Intl\.\w+\(\s*(\)|undefined)/.test(text))
      wrong.push(file);
  }
  expect(wrong).toEqual([]);
});
