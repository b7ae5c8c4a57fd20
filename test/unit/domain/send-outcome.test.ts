import { describe, expect, test } from '@jest/globals';
import { FailureType } from '../../../src/domain/failure-type';
import {
  acceptanceOfOutcome,
  listingIdOfOutcome,
  sortLateOutcome,
  sortWriteFailure,
  type LateOutcome,
} from '../../../src/domain/send-outcome';

const failed = (type: string | null) =>
  sortWriteFailure({ kind: 'application', type, message: 'why', waitMs: 5_000, isBusy: false }, 'a-1');

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

  test('waits for as long as the marketplace asked', () => {
    expect(failed(FailureType.NotSent)).toMatchObject({ kind: 'notSent', waitMs: 5_000 });
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
    [FailureType.InDoubt, true, true, 'notSent'],
    [FailureType.InDoubt, true, false, 'inDoubt'],
    [FailureType.InDoubt, false, true, 'inDoubt'],
    [FailureType.Rejected, true, true, 'rejected'],
  ])('as %s, busy: %s, where the policy trusts that: %s, is %s', (type, isBusy, isTrusted, kind) => {
    const failure = { kind: 'application', type, message: 'why', waitMs: 5_000, isBusy } as const;
    expect(sortWriteFailure(failure, 'a-1', isTrusted)).toMatchObject({ kind });
  });

  test('in a way that no application names is in doubt', () => {
    expect(sortWriteFailure({ kind: 'other', message: 'bug' }, null).kind).toBe('inDoubt');
  });
});

const late = (end: LateOutcome['end']): LateOutcome => ({ runId: 'r', activityId: '1', end });

describe('an outcome that is told late', () => {
  test('is sorted as it would have been in time', () => {
    expect(sortLateOutcome(late({ kind: 'done', value: { listingId: '7' } }))).toEqual({
      kind: 'done',
      value: { listingId: '7' },
    });
    const refused = late({ kind: 'failed', type: FailureType.Rejected, message: 'no' });
    expect(sortLateOutcome(refused)).toEqual({ kind: 'rejected', reason: 'no' });
    const unknown = late({ kind: 'failed', type: null, message: 'bug' });
    expect(sortLateOutcome(unknown)).toMatchObject({ kind: 'inDoubt', activityId: null });
  });

  test.each([
    [{ kind: 'done', value: { kind: 'booked', listingId: '7' } }, '7'],
    [{ kind: 'done', value: { kind: 'pending', executionId: 'e' } }, null],
    [{ kind: 'done', value: null }, null],
    [{ kind: 'failed', type: FailureType.InDoubt, message: 'lost' }, null],
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
  [{ kind: 'failed', type: null, message: 'lost' }, null],
] as const)('the acceptance that %j says to be under way is %j', (end, acceptance) => {
  expect(acceptanceOfOutcome({ runId: 'run', activityId: '1', end })).toEqual(acceptance);
});
