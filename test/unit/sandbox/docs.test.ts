import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { badElements } from '../../../sandbox/model/bad-element';
import { defaultClockSteps } from '../../../sandbox/model/clock';
import { operations } from '../../../sandbox/model/operations';
import { acceptanceTroubles, rateTroubles } from '../../../sandbox/model/state';
import {
  deeds,
  eventTroubles,
  listingTroubles,
  requestTroubles,
  usualTroubles,
} from '../../../sandbox/troubles/trouble';
import { defaultSwitches } from '../../../sandbox/model/switches';
import { eventTypes } from '../../../sandbox/webhooks/events';

const docs = readFileSync(path.join(__dirname, '../../../docs/sandbox.md'), 'utf8');
const controlSource = readFileSync(path.join(__dirname, '../../../sandbox/routes/control.ts'), 'utf8');
const controlRoutes = [...controlSource.matchAll(/'(\/[a-z/]+)'/gu)].map((match) => `/_sandbox${match[1]}`);
const listingControls = [...controlSource.matchAll(/\(`\$\{listing\}\/(\w+)`/gu)].map(
  (match) => `/_sandbox/listings/{id}/${match[1]}`,
);

test.each([
  ['switch', Object.keys(defaultSwitches)],
  ['clock step', Object.keys(defaultClockSteps)],
  ['kind of trouble at a request', [...requestTroubles, ...rateTroubles, ...acceptanceTroubles]],
  ['kind of trouble elsewhere', [...eventTroubles, ...listingTroubles, ...deeds]],
  ['usual trouble', Object.keys(usualTroubles)],
  ['endpoint', operations],
  ['control route', controlRoutes],
  ['control of a listing', listingControls],
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
