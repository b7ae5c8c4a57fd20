import { describe, expect, test } from '@jest/globals';
import type { CallFailure } from '../../../src/domain/call-failure';
import { FailureType } from '../../../src/domain/failure-type';
import {
  acceptanceOfOutcome,
  listingIdOfOutcome,
  sortLateOutcome,
  sortWriteFailure,
  type LateOutcome,
} from '../../../src/domain/send-outcome';

const call: CallFailure = {
  ...{ operation: 'createListing', listingId: null, status: 503, codes: ['40001'], fields: ['title'] },
  ...{ retryAfterMs: 5_000, words: 'private' },
};
const failed = (type: string | null, over: Partial<CallFailure> | null = {}) =>
  sortWriteFailure(
    { kind: 'application', type, message: 'why', call: over === null ? null : { ...call, ...over } },
    'a-1',
  );

describe('a write that failed', () => {
  test('was not sent when its worker was lost before the mark, and is in doubt after it', () => {
    expect(sortWriteFailure({ kind: 'timeout', marked: false }, 'a-1').kind).toBe('notSent');
    expect(sortWriteFailure({ kind: 'timeout', marked: true }, 'a-1')).toMatchObject({
      kind: 'inDoubt',
      activityId: 'a-1',
    });
  });

  test.each([
    [FailureType.NotSent, 'notSent'],
    [FailureType.Rejected, 'rejected'],
    [FailureType.AccountTrouble, 'accountTrouble'],
    [FailureType.AccountMismatch, 'accountTrouble'],
  ])('that says %s is %s', (type, kind) => {
    expect(failed(type)).toMatchObject({ kind, reason: 'why' });
  });

  test('waits as long as the marketplace asks', () => {
    expect(failed(FailureType.NotSent)).toMatchObject({ kind: 'notSent', waitMs: 5_000 });
  });

  test("passes on the marketplace's answer as codes, without its words", () => {
    const refusal = { operation: 'createListing', status: 400, codes: ['40001'], fields: ['title'] };
    expect(failed(FailureType.Rejected, { status: 400 })).toEqual({
      ...{ kind: 'rejected', reason: 'why', refusal },
    });
    expect(failed(FailureType.AccountTrouble, { status: 403 })).toEqual({
      ...{ kind: 'accountTrouble', reason: 'why', status: 403 },
    });
    expect(failed(FailureType.AccountMismatch, null)).toMatchObject({ status: null });
    expect(failed(FailureType.Rejected, null)).toMatchObject({ refusal: null });
  });

  const settled: readonly string[] = [
    FailureType.NotSent,
    FailureType.Rejected,
    FailureType.AccountTrouble,
    FailureType.AccountMismatch,
  ];
  const others = Object.values(FailureType).filter((type) => !settled.includes(type));
  test.each([...others, 'SomethingNew', null])('for any other reason (%s) is in doubt', (type) => {
    expect(failed(type).kind).toBe('inDoubt');
  });

  test.each([
    [FailureType.InDoubt, {}, true, 'notSent'],
    [FailureType.InDoubt, {}, false, 'inDoubt'],
    [FailureType.InDoubt, { status: 500 }, true, 'inDoubt'],
    [FailureType.InDoubt, { retryAfterMs: null }, true, 'inDoubt'],
    [FailureType.Rejected, {}, true, 'rejected'],
  ])('as %s of a call with %j, where the policy trusts a 503: %s, is %s', (type, over, isTrusted, kind) => {
    const failure = { kind: 'application', type, message: 'why', call: { ...call, ...over } } as const;
    expect(sortWriteFailure(failure, 'a-1', isTrusted)).toMatchObject({ kind });
  });

  test("without an application's failure type is in doubt", () => {
    expect(sortWriteFailure({ kind: 'other', message: 'bug' }, null).kind).toBe('inDoubt');
  });
});

const late = (end: LateOutcome['end']): LateOutcome => ({ runId: 'r', activityId: '1', end });

describe('a late outcome', () => {
  test('is classified as if it had come in time', () => {
    expect(sortLateOutcome(late({ kind: 'done', value: { listingId: '7' } }))).toEqual({
      kind: 'done',
      value: { listingId: '7' },
    });
    const refused = late({ kind: 'failed', type: FailureType.Rejected, message: 'no', call });
    expect(sortLateOutcome(refused)).toMatchObject({
      kind: 'rejected',
      reason: 'no',
      refusal: { status: 503 },
    });
    const unknown = late({ kind: 'failed', type: null, message: 'bug', call: null });
    expect(sortLateOutcome(unknown)).toMatchObject({ kind: 'inDoubt', activityId: null });
  });

  test.each([
    [{ kind: 'done', value: { kind: 'booked', listingId: '7' } }, '7'],
    [{ kind: 'done', value: { kind: 'pending', executionId: 'e' } }, null],
    [{ kind: 'done', value: null }, null],
    [{ kind: 'failed', type: FailureType.InDoubt, message: 'lost', call: null }, null],
  ] as const)('names the listing that it made: %j', (end, listingId) => {
    expect(listingIdOfOutcome(late(end))).toBe(listingId);
  });
});

test.each([
  [
    { kind: 'done', value: { kind: 'pending', rateId: 'r', executionId: 'e' } },
    { rateId: 'r', executionId: 'e' },
  ],
  [{ kind: 'done', value: { kind: 'booked', rateId: 'r', listingId: '7' } }, null],
  [{ kind: 'done', value: { kind: 'pending', executionId: 'e' } }, null],
  [{ kind: 'done', value: { rateId: 1, executionId: 'e' } }, null],
  [{ kind: 'done', value: null }, null],
  [{ kind: 'failed', type: null, message: 'lost', call: null }, null],
] as const)('the acceptance that %j reports as running is %j', (end, acceptance) => {
  expect(acceptanceOfOutcome({ runId: 'run', activityId: '1', end })).toEqual(acceptance);
});
