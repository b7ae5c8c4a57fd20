import { expect, test } from '@jest/globals';
import { readingForMs } from '../../../src/domain/read-pace';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

test.each([
  [1, 0],
  [2, 2 * SECOND],
  [3, 6 * SECOND],
  [9, 8.5 * MINUTE],
  [10, 13.5 * MINUTE],
  [20, 63.5 * MINUTE],
])('attempt %i of a read begins after at least %i ms of waiting', (attempt, ms) => {
  expect(readingForMs(attempt)).toBe(ms);
});
