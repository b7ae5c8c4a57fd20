import { expect, test } from '@jest/globals';
import { refusalsOf } from '../../../chaos/refusals';
import type { Operation } from '../../../sandbox';
import type { AnswerTrouble } from '../../../sandbox/troubles/trouble';

interface Over extends Partial<AnswerTrouble> {
  readonly order?: string;
  readonly request?: Operation;
  readonly hits?: number;
}
const of = ({ order = 'acme/C-1', request = 'createListing', hits = 1, ...what }: Over) =>
  refusalsOf('acme/C-1', [
    {
      ...{ when: { request, after: 0, seed: 1 }, whom: { order }, hits },
      what: {
        kind: 'status',
        ...(what.kind === undefined || what.kind === 'statusAfter' ? { status: 400 } : {}),
        ...what,
      },
    },
  ]);

test.each([
  [{}, { operation: 'createListing', status: 400, fields: [] }],
  [{ status: 422 }, { operation: 'createListing', status: 422, fields: [] }],
  [
    { kind: 'fieldError', request: 'createRateRequest', field: 'items' },
    { operation: 'createRateRequest', status: 400, fields: ['items'] },
  ],
  [
    { kind: 'duplicate', encoding: 'gzip' },
    { operation: 'createListing', status: 400, fields: ['listing'] },
  ],
] as const)('a refusal that hit is told as a failure tells it (%j)', (over, refusal) => {
  expect(of(over)).toEqual([refusal]);
});

test.each([
  ['of another order', { order: 'acme/C-2' }],
  ['that never hit', { hits: 0 }],
  ['of a request that is not the first', { request: 'acceptRate' }],
  ['that only asks to come back', { status: 429 }],
  ['that is about the account', { status: 401 }],
  ['that tells nothing of the order', { status: 503 }],
  ['that nobody can decode', { encoding: 'broken' }],
  ['that is a page', { contentType: 'text/html' }],
  ['after which the request took effect', { kind: 'statusAfter' }],
] as const)('a trouble %s refuses nothing', (_, over) => {
  expect(of(over)).toEqual([]);
});
