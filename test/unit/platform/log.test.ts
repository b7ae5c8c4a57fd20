import { expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { createLog } from '../../../src/platform/log';
import { ApiError } from '../../../src/marketplace/errors';

function logged(log: (to: ReturnType<typeof createLog>) => void): string {
  let written = '';
  log(createLog('test', 'info', { write: (line: string) => void (written += line) }));
  return written;
}

const request = { operation: 'createListing', method: 'POST', path: '/v2/listings' } as const;
const refusal = new ApiError({
  ...{ request, outcome: 'rejected', status: 400, reasons: ['40006 title'], words: 'for zebulon' },
});

test.each([
  ['an error of the marketplace', { err: refusal }],
  ['a failure with its details', { error: ApplicationFailure.create({ details: [{ words: 'zebulon' }] }) }],
  ['the bytes of an answer', { err: Object.assign(new Error('broken'), { data: 'zebulon' }) }],
  ['a field that is not on the list', { order: { name: 'zebulon' } }],
])("%s is logged without others' texts", (_, fields) => {
  const written = logged((log) => log.error(fields, 'it failed'));
  expect(written).toContain('it failed');
  expect(written).not.toContain('zebulon');
});

test('each line has the fields that its place gives, and only those of the list', () => {
  let written = '';
  let traceId: string | undefined = '0af7651916cd43dd8448eb211c80319c';
  const log = createLog('test', 'info', { write: (line: string) => void (written += line) }, () => ({
    traceId,
    name: 'zebulon',
  }));
  log.info({ count: 1 }, 'in a trace');
  log.child({}).info('as well');
  traceId = undefined;
  log.info('outside');
  const lines = written
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly traceId?: string });
  const id = '0af7651916cd43dd8448eb211c80319c';
  expect(lines.map((line) => line.traceId)).toEqual([id, id, undefined]);
  expect(written).not.toContain('zebulon');
});

test('an error is logged with its type, its message and where it was thrown', () => {
  const written = logged((log) => log.error({ err: refusal }, 'it failed'));
  expect(JSON.parse(written)).toMatchObject({
    err: { type: 'ApiError', message: refusal.message, stack: expect.stringContaining('log.test') },
  });
});
