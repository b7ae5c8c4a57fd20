import { expect, test } from '@jest/globals';
import { countScripted } from '../../../chaos/scripted-faults';

test('the faults that hit are counted by what they do, and those that did not are left out', () => {
  const counts = countScripted([
    { kind: 'falseAbsence', hits: 2 },
    { kind: 'falseAbsence', hits: 1 },
    { kind: 'status', status: 400, encoding: 'gzip', hits: 1 },
    { kind: 'statusAfter', status: 400, encoding: 'broken', hits: 1 },
    { kind: 'status', status: 400, contentType: 'text/html', hits: 1 },
    { kind: 'duplicate', encoding: 'br', hits: 0 },
  ]);
  expect(counts).toEqual({
    falseAbsence: 3,
    'status 400 in gzip': 1,
    'statusAfter 400 in broken gzip': 1,
    'status 400 as a page': 1,
  });
});
