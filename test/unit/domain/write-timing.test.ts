import { expect, test } from '@jest/globals';
import { readConfig } from '../../../src/platform/config';
import { DEFAULT_POLICY } from '../../../src/domain/default-policy';
import {
  CALL_SHARE,
  LEAST_SHUTDOWN_GRACE_MS,
  SEND_SHARE,
  WRITE_TIMEOUT_BOUNDS_MS,
} from '../../../src/domain/write-timing';

const { least, greatest } = WRITE_TIMEOUT_BOUNDS_MS;

test('the longest write that a policy allows still ends, and reports its outcome, within every possible grace of a worker', () => {
  const telling = 2_000;
  expect(SEND_SHARE + CALL_SHARE).toBeCloseTo(5 / 6);
  expect(greatest * (SEND_SHARE + CALL_SHARE) + telling).toBeLessThan(LEAST_SHUTDOWN_GRACE_MS);
  expect(readConfig({}).shutdownGraceSeconds * 1_000).toBeGreaterThanOrEqual(LEAST_SHUTDOWN_GRACE_MS);
  expect(readConfig({ CONSIGN_SHUTDOWN_GRACE_SECONDS: '90' }).shutdownGraceSeconds).toBe(90);
});

test('the default is within the limits of a policy', () => {
  expect(DEFAULT_POLICY.writeTimeoutMs).toBeGreaterThanOrEqual(least);
  expect(DEFAULT_POLICY.writeTimeoutMs).toBeLessThanOrEqual(greatest);
});
