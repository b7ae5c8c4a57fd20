import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { actNames } from '../../../sandbox/acts';
import { badElements } from '../../../sandbox/bad-elements';
import { defaultClockSteps } from '../../../sandbox/clock';
import { eventTypes } from '../../../sandbox/codes';
import { faultKinds } from '../../../sandbox/faults';
import { mishapKindSchema } from '../../../sandbox/mishap-kinds';
import { operations } from '../../../sandbox/operations';
import { defaultSwitches } from '../../../sandbox/switches';

const docs = readFileSync(path.join(__dirname, '../../../docs/sandbox.md'), 'utf8');
const controlSource = readFileSync(path.join(__dirname, '../../../sandbox/routes/control.ts'), 'utf8');
const controlRoutes = [...controlSource.matchAll(/'(\/_sandbox\/[a-z/]+)'/gu)].map((match) => match[1]);
const listingControls = [...controlSource.matchAll(/url\('(\w+)'\)/gu)].map(
  (match) => `/_sandbox/listings/{id}/${match[1]}`,
);

test.each([
  ['switch', Object.keys(defaultSwitches)],
  ['clock step', Object.keys(defaultClockSteps)],
  ['fault kind', faultKinds],
  ['act', actNames],
  ['endpoint', operations],
  ['control route', controlRoutes],
  ['control of a listing', listingControls],
  ['mishap kind', mishapKindSchema.options],
  ['event type', eventTypes],
  ['bad element', badElements],
])('the documentation names every %s', (_what, names) => {
  expect(names.filter((name) => !docs.includes(`\`${name}\``) && !docs.includes(` ${name}\``))).toEqual([]);
});

test.each(Object.entries(defaultClockSteps))(
  'the documentation gives the length of the clock step %s',
  (name, ms) => {
    expect(docs).toMatch(new RegExp(`\\| \`${name}\` +\\| ${ms} +\\|`, 'u'));
  },
);
