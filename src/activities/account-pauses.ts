import { ApplicationFailure } from '@temporalio/common';
import { Context } from '@temporalio/activity';
import { COUNT_PACE, isNewCount, lookAgainAfter, TEST_CALL_PACE } from '../domain/account-pause';
import type { AccountPin } from '../domain/account-pin';
import { FailureType } from '../domain/failure-type';
import { delayAfter } from '../domain/policy';
import { MarketplaceError, UnexpectedResponseError } from '../marketplace/errors';
import type { CallOptions } from '../marketplace/marketplace';
import { poll, type Reading } from './reads-and-polls';
import type { AccountInput, ActivityDependencies } from './dependencies';
import { notYet } from './failures';
import { PausedAccounts, type MetTrouble } from './paused-accounts';

export interface AwaitAccountInput extends AccountInput {
  readonly pauseId: string;
  /**
   * After this long the shipment may look by itself, unless the account's key is known to be refused; null for never.
   */
  readonly looksAfterMs: number | null;
}

export interface CountPausedInput extends AccountInput {
  /** Null returns the first count. */
  readonly known: number | null;
}

export type PauseEnd = 'over' | 'lookAnyway';

/** What the marketplace made of the account's key. */
export type KeyVerdict = 'taken' | 'refused';

/** Any commodity will do: whether it is known does not matter, only whether the key is. */
const ANY_COMMODITY = 'Furniture';

/** Of the pause itself. They make no call of the marketplace, so no limit of an account's calls holds them up. */
export function createAccountPauseActivities({ client }: Pick<ActivityDependencies, 'client'>) {
  const accounts = new PausedAccounts(client);

  /**
   * Makes sure that the account's one question is asked.
   * @returns what to wait for; null when the pause is over already
   */
  async function pauseForAccount(trouble: MetTrouble): Promise<string | null> {
    return (await accounts.pause(trouble))?.pauseId ?? null;
  }

  /** Completes once the pause is over, however it ended, or when the shipment may look by itself. */
  async function awaitAccount({ account, pauseId, looksAfterMs }: AwaitAccountInput): Promise<PauseEnd> {
    const { attempt, currentAttemptScheduledTimestampMs, scheduledTimestampMs } = Context.current().info;
    // What the worker knows may be older than the pause.
    const fact = attempt === 1 ? null : await accounts.factOf(account.name);
    if (attempt > 1 && fact?.pauseId !== pauseId) return 'over';
    const waitedMs = currentAttemptScheduledTimestampMs - scheduledTimestampMs;
    if (looksAfterMs !== null && waitedMs >= looksAfterMs && fact?.isRefused === false) return 'lookAnyway';
    throw notYet(
      `account ${account.name} is paused`,
      lookAgainAfter(attempt - 1, fact?.waiting ?? 0, Math.random()),
    );
  }

  /** About how many shipments of the account wait, once that differs clearly from what is known. */
  async function countPaused({ account, known }: CountPausedInput): Promise<number> {
    const query = `Account = '${account.name}' AND WaitsForAccount = true AND ExecutionStatus = 'Running'`;
    const { count } = await client.workflow.count(query);
    if (isNewCount(known, count)) return count;
    throw notYet(`${count} wait`, delayAfter(COUNT_PACE, Context.current().info.attempt - 1));
  }

  return { pauseForAccount, awaitAccount, countPaused };
}

/** The harmless call that tries whether the account is well: a look-up, by its own worker with its own key. */
export function createAccountTestActivities({ marketplaceOf }: ActivityDependencies) {
  async function verdictOf(account: AccountPin, call: CallOptions): Promise<KeyVerdict | null> {
    try {
      await marketplaceOf(account).listAddressTypes(ANY_COMMODITY, call);
      return 'taken';
    } catch (error) {
      if (isMismatch(error)) return 'refused';
      if (!(error instanceof MarketplaceError)) throw error;
      if (error.outcome === 'accountTrouble') return 'refused';
      // A refusal of the content comes after the key was taken; a page of a proxy tells nothing.
      if (error.outcome === 'rejected') return 'taken';
      if (error instanceof UnexpectedResponseError) return null;
      throw error;
    }
  }

  async function pollVerdict(account: AccountPin, isReady: (verdict: KeyVerdict) => boolean) {
    return await poll<KeyVerdict>(TEST_CALL_PACE, async (call): Promise<Reading<KeyVerdict>> => {
      const verdict = await verdictOf(account, call);
      if (verdict !== null && isReady(verdict)) return { kind: 'ready', value: verdict };
      return { kind: 'pending', saw: verdict === null ? 'no clear answer' : `the key is ${verdict}` };
    });
  }

  /** GET /v2/lookups/addressTypes, until the marketplace says what it makes of the key. */
  async function tryAccount({ account }: AccountInput): Promise<KeyVerdict> {
    return await pollVerdict(account, () => true);
  }

  /** GET /v2/lookups/addressTypes, until the marketplace takes the key. */
  async function pollAccount({ account }: AccountInput): Promise<void> {
    await pollVerdict(account, (verdict) => verdict === 'taken');
  }

  return { tryAccount, pollAccount };
}

const isMismatch = (error: unknown): boolean =>
  error instanceof ApplicationFailure && error.type === FailureType.AccountMismatch;
