import { expect, test } from '@jest/globals';
import { refusalsOf } from '../../../chaos/refusals';

const fault = {
  reference: 'acme/C-1',
  endpoint: 'createListing',
  kind: 'status',
  status: 400,
  hits: 1,
} as const;
const of = (over: Partial<Parameters<typeof refusalsOf>[1][number]>) =>
  refusalsOf('acme/C-1', [{ ...fault, ...over }]);

test.each([
  [{}, { operation: 'createListing', status: 400, fields: [] }],
  [{ status: 422 }, { operation: 'createListing', status: 422, fields: [] }],
  [
    { kind: 'fieldError', endpoint: 'createRateRequest', field: 'items', status: undefined },
    { operation: 'createRateRequest', status: 400, fields: ['items'] },
  ],
  [
    { kind: 'duplicate', status: undefined, encoding: 'gzip' },
    { operation: 'createListing', status: 400, fields: ['listing'] },
  ],
] as const)('a refusal that hit is told as a failure tells it (%j)', (over, refusal) => {
  expect(of(over)).toEqual([refusal]);
});

test.each([
  ['of another order', { reference: 'acme/C-2' }],
  ['that never hit', { hits: 0 }],
  ['of a request that is not the first', { endpoint: 'acceptRate' }],
  ['that only asks to come back', { status: 429 }],
  ['that is about the account', { status: 401 }],
  ['that tells nothing of the order', { status: 503 }],
  ['that nobody can decode', { encoding: 'broken' }],
  ['that is a page', { contentType: 'text/html' }],
  ['after which the request took effect', { kind: 'statusAfter' }],
] as const)('a fault %s refuses nothing', (_, over) => {
  expect(of(over)).toEqual([]);
});
