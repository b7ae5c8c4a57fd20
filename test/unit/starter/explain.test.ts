import { expect, test } from '@jest/globals';
import { EXIT_CODES, ExitCode } from '../../../src/platform/exit-code';
import { UserError } from '../../../src/platform/user-error';
import type { CliContext } from '../../../src/starter/cli/context';
import { createProgram } from '../../../src/starter/cli/program';

/** What the command line prints. Only printing works: it needs no accounts file and no Temporal. */
async function explained(...args: readonly string[]): Promise<string> {
  const printed: string[] = [];
  const context = { print: (text: string) => void printed.push(text) } as CliContext;
  await createProgram(context).parseAsync(['explain', ...args], { from: 'user' });
  return printed.join('\n');
}

test('a field is explained by its meaning, form and default', async () => {
  expect(await explained('policy.rates.quiet')).toBe(
    [
      'policy.rates.quiet',
      '  Rates count as complete after this long without a new one.',
      '  Required  no',
      '  Form      duration such as 20s, 10m, 28h or 9d',
      '  Default   45s',
    ].join('\n'),
  );
});

test.each([
  ['furniture.orderId', /Required +yes\n +Form +text$/],
  ['ltl.items.handlingUnit', /Values +Boxes, Cartons, Crates/],
  ['accounts.settings.ltlCountries', /Values +usAndCanada, any\n +Default +usAndCanada$/],
])('%s', async (path, expected) => {
  expect(await explained(path)).toMatch(expected);
});

test('a group is explained with its fields', async () => {
  const text = (await explained('furniture.items')).replaceAll(/ {2,}/g, '  ');
  expect(text).toContain('The goods, 1 to 200 lines.');
  expect(text).toContain('\ncommodity  yes  What it is, in free text.\n');
  expect(text).toContain('\nquantity  1  Number of units, 1 to 500.\n');
});

test.each([
  ['accounts', ['environment', 'settings', 'policy']],
  ['integrations', ['secret', 'accounts']],
  ['apiTokens', ['token', 'scopes', 'accounts']],
  ['policy', ['rateRule', 'rates', 'settlementWindow']],
  ['accounts.auth', ['apiKey', 'xApiKey', 'clientCredentials', 'passwordGrant']],
])('%s has its fields', async (path, names) => {
  const text = await explained(path);
  for (const name of names) expect(text).toMatch(new RegExp(`^${name} `, 'm'));
});

test('without a path it says what can be explained', async () => {
  const names = [...(await explained()).matchAll(/^(\w+) {2,}/gm)].map(([, name]) => name);
  expect(names).toEqual(['path', 'furniture', 'ltl', 'policy', 'accounts', 'integrations', 'apiTokens']);
});

test('a path may be written as messages about a document write it', async () => {
  expect(await explained('furniture.items[0].size')).toBe(await explained('furniture.items.size'));
  expect(await explained('$.policy.rates')).toBe(await explained('policy.rates'));
});

test('--json prints a field with the fields in it', async () => {
  expect(JSON.parse(await explained('policy.sweepPace', '--json'))).toMatchObject({
    ...{ path: 'policy.sweepPace', isRequired: false, default: '{ initial: 10m, maximum: 30m }' },
    fields: [{ path: 'policy.sweepPace.initial', isRequired: true }, { path: 'policy.sweepPace.maximum' }],
  });
  expect(JSON.parse(await explained('--json'))).toHaveLength(6);
});

test.each([
  ['policy.rates.quite', 'policy.rates has no field quite. Did you mean policy.rates.quiet?'],
  ['policy.ratse.quiet', 'policy has no field ratse. Did you mean policy.rates or policy.rates.quiet or '],
  ['quiet', 'There is no document named quiet. Did you mean policy.rates.quiet or '],
  ['accounts.acme.baseUrl', 'accounts has no field acme. Did you mean accounts.baseUrl?'],
  ['accounts.polcy', 'accounts has no field polcy. Did you mean accounts.policy?'],
  [
    '$.items[0].size',
    'There is no document named items. Did you mean ltl.items.size or furniture.items.size?',
  ],
  ['policy.prices', 'policy has no field prices. `consign explain policy` lists what it has.'],
  ['nothing', 'There is no document named nothing. `consign explain` lists what can be explained.'],
])('%s is refused with the nearest names', async (path, message) => {
  const error: unknown = await explained(path).catch((caught: unknown) => caught);
  if (!(error instanceof UserError)) throw new Error(`it was not refused: ${String(error)}`);
  expect(EXIT_CODES[error.kind]).toBe(ExitCode.Invalid);
  expect(error.explain()).toContain(message);
});
