import { expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createPaperActivities, type PaperPolls } from '../../../src/activities/papers';
import { FailureType } from '../../../src/domain/failure-type';

const account = { name: 'acme', environment: 'sandbox' } as const;
const pace = { initialMs: 1_000, maximumMs: 1_000 };
const fails =
  (type: string, over: object = {}) =>
  async () =>
    await Promise.reject(ApplicationFailure.create({ message: 'why', type, nonRetryable: true, ...over }));

async function askWith(polls: Partial<PaperPolls>): Promise<unknown> {
  const notYet = fails(FailureType.NotYet, { nonRetryable: false });
  const { pollPapers } = createPaperActivities({
    ...{ pollBillOfLading: notYet, pollContacts: notYet, pollTrackingLink: notYet },
    ...polls,
  });
  const wanted = ['billOfLading', 'contacts', 'trackingLink'] as const;
  const ask = async () => await pollPapers({ account, listingId: '7', wanted, pace });
  return await new MockActivityEnvironment({ attempt: 1 }).run(ask).catch((error: unknown) => error);
}

test.each([
  ['an account that is configured otherwise', FailureType.AccountMismatch, 'pollTrackingLink'],
  ['an account that is configured otherwise', FailureType.AccountMismatch, 'pollContacts'],
  ['a refused key', FailureType.AccountTrouble, 'pollBillOfLading'],
] as const)('%s is account trouble (%s of %s), and gives no paper up', async (_, type, poll) => {
  expect(await askWith({ [poll]: fails(type) })).toMatchObject({ type, nonRetryable: true });
});

test('a refused web login gives up only the tracking link', async () => {
  expect(await askWith({ pollTrackingLink: fails(FailureType.AccountTrouble) })).toEqual({
    refused: [{ paper: 'trackingLink', reason: 'why', words: null }],
  });
});

test('a paper is not requested before the time that the marketplace names', async () => {
  const busy = { nonRetryable: false, nextRetryDelay: '90 seconds' };
  const outcome = await askWith({ pollContacts: fails(FailureType.Unavailable, busy) });
  expect(outcome).toMatchObject({ type: FailureType.NotYet, nextRetryDelay: 90_000 });
});
