import {
  allHandlersFinished,
  ApplicationFailure,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertMemo,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import {
  accountPauseText,
  pausedText,
  refuseResume,
  withReason,
  type AccountPause,
  type AccountTrouble,
  type PauseFact,
} from '../domain/account-pause';
import { cutText, TEXT_BYTES } from '../domain/bounds';
import type { AccountPauseInput } from '../contract/workflow-input';
import { accountTests, pauseActivities } from './run/activity-groups';
import { accountPauseQuery, accountTroubleMetSignal, resumeAccountUpdate } from '../contract/messages';
import { accountPausePairs } from './run/presentation';
import { runUntil } from './run/run-until';

/** Temporal's visibility store lags behind. */
const VISIBLE_AFTER = '3 seconds';

/**
 * The one question about an account in trouble (key, address, suspension or payment), for all its shipments. While
 * this workflow runs, the account is paused. Its shipments poll that, and try again once the pause is over. The pause
 * ends when a person says that the account is fixed, when a refused test call succeeds, or when no shipment waits any
 * more.
 */
export async function accountPause(input: AccountPauseInput): Promise<void> {
  const pausing = new Pausing(input);
  setHandler(accountPauseQuery, () => pausing.pause);
  setHandler(accountTroubleMetSignal, (trouble) => pausing.add(trouble));
  setHandler(resumeAccountUpdate, () => pausing.resume(), {
    validator: (statement) => {
      const why = refuseResume(statement);
      if (why !== null) throw ApplicationFailure.nonRetryable(why, 'Refused');
    },
  });
  pausing.show();
  const isLong = (): boolean => workflowInfo().continueAsNewSuggested;
  await runUntil(
    async () => await Promise.race([pausing.untilWell(), pausing.untilNobodyWaits()]),
    () => pausing.isResumed || isLong(),
  );
  await condition(allHandlersFinished);
  if (!pausing.isOver()) await continueAsNew<typeof accountPause>({ ...input, carried: pausing.pause });
}

class Pausing {
  pause: AccountPause;
  isResumed = false;
  private hasEnded = false;

  constructor({ account, supportAddress, carried }: AccountPauseInput) {
    const since = new Date().toISOString();
    const fresh = { reasons: [], waiting: null, isRefused: false };
    this.pause = carried ?? { account, supportAddress, since, ...fresh };
  }

  isOver(): boolean {
    return this.isResumed || this.hasEnded;
  }

  add(trouble: AccountTrouble): void {
    this.take(withReason(this.pause, trouble));
  }

  resume(): void {
    this.isResumed = true;
  }

  show(): void {
    const { account, waiting, isRefused } = this.pause;
    const text = accountPauseText(this.pause);
    const pauseId = workflowInfo().firstExecutionRunId;
    const fact: PauseFact = { pauseId, waiting: waiting ?? 0, isRefused };
    upsertSearchAttributes(accountPausePairs(account.name));
    const waitsFor = cutText(pausedText(this.pause), TEXT_BYTES.wait);
    upsertMemo({ waitingFor: text, waitsFor, pause: fact });
    setCurrentDetails(text);
  }

  /**
   * Only a test call that was refused can later prove that the trouble is over. The test call does not notice other
   * trouble, such as a declined card: a person must end that pause.
   */
  async untilWell(): Promise<void> {
    const { account } = this.pause;
    const tests = accountTests(account.name);
    if (!this.pause.isRefused) {
      if ((await tests.tryAccount({ account })) === 'taken') return await never();
      this.take({ ...this.pause, isRefused: true });
    }
    await tests.pollAccount.executeWithOptions({ summary: 'a test call, until the key is taken' }, [
      { account },
    ]);
    this.hasEnded = true;
  }

  async untilNobodyWaits(): Promise<void> {
    const { account } = this.pause;
    await sleep(VISIBLE_AFTER, { summary: 'until the shipments that wait can be counted' });
    for (;;) {
      const waiting = await pauseActivities.countPaused({ account, known: this.pause.waiting });
      if (waiting === 0 && (await this.isCountedEmpty())) break;
      if (waiting > 0) this.take({ ...this.pause, waiting });
    }
    this.hasEnded = true;
  }

  /** A waiting shipment becomes visible to the count only after a delay. */
  private async isCountedEmpty(): Promise<boolean> {
    const { account } = this.pause;
    await sleep(VISIBLE_AFTER, { summary: 'until the shipments that wait are counted again' });
    return (await pauseActivities.countPaused({ account, known: null })) === 0;
  }

  private take(pause: AccountPause): void {
    const isShown = accountPauseText(pause) === accountPauseText(this.pause);
    this.pause = pause;
    if (!isShown) this.show();
  }
}

/** Never ends; the other side of the race decides. */
async function never(): Promise<void> {
  await condition(() => false);
}
