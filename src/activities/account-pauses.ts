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
   * After this time the shipment may try by itself, unless the account's key is known to be refused; null for never.
   */
  readonly looksAfterMs: number | null;
}

export interface CountPausedInput extends AccountInput {
  /** Null returns the first count. */
  readonly known: number | null;
}

export type PauseEnd = 'over' | 'lookAnyway';

/** Whether the marketplace accepted the account's key. */
export type KeyVerdict = 'taken' | 'refused';

/** Any commodity works: only the answer to the key matters. */
const ANY_COMMODITY = 'Furniture';

/** Activities of the pause itself. They make no marketplace call, so an account's call limit does not delay them. */
export function createAccountPauseActivities({ client }: Pick<ActivityDependencies, 'client'>) {
  const accounts = new PausedAccounts(client);

  /**
   * Makes sure that the account's question is asked.
   * @returns the pause to wait for; null when it is already over
   */
  async function pauseForAccount(trouble: MetTrouble): Promise<string | null> {
    return (await accounts.pause(trouble))?.pauseId ?? null;
  }

  /** Completes once the pause is over, for any reason, or when the shipment may try by itself. */
  async function awaitAccount({ account, pauseId, looksAfterMs }: AwaitAccountInput): Promise<PauseEnd> {
    const { attempt, currentAttemptScheduledTimestampMs, scheduledTimestampMs } = Context.current().info;
    // The worker's knowledge may be older than the pause.
    const fact = attempt === 1 ? null : await accounts.factOf(account.name);
    if (attempt > 1 && fact?.pauseId !== pauseId) return 'over';
    const waitedMs = currentAttemptScheduledTimestampMs - scheduledTimestampMs;
    if (looksAfterMs !== null && waitedMs >= looksAfterMs && fact?.isRefused === false) return 'lookAnyway';
    throw notYet(
      `account ${account.name} is paused`,
      lookAgainAfter(attempt - 1, fact?.waiting ?? 0, Math.random()),
    );
  }

  /** Counts the account's waiting shipments, and completes once the count clearly differs from the known one. */
  async function countPaused({ account, known }: CountPausedInput): Promise<number> {
    const query = `Account = '${account.name}' AND WaitsForAccount = true AND ExecutionStatus = 'Running'`;
    const { count } = await client.workflow.count(query);
    if (isNewCount(known, count)) return count;
    throw notYet(`${count} wait`, delayAfter(COUNT_PACE, Context.current().info.attempt - 1));
  }

  return { pauseForAccount, awaitAccount, countPaused };
}

/** A harmless look-up that tests the account, made by the account's own worker with its own key. */
export function createAccountTestActivities({ marketplaceOf }: ActivityDependencies) {
  async function verdictOf(account: AccountPin, call: CallOptions): Promise<KeyVerdict | null> {
    try {
      await marketplaceOf(account).listAddressTypes(ANY_COMMODITY, call);
      return 'taken';
    } catch (error) {
      if (isMismatch(error)) return 'refused';
      if (!(error instanceof MarketplaceError)) throw error;
      if (error.outcome === 'accountTrouble') return 'refused';
      // The marketplace accepts the key before it refuses the content; a proxy's page says nothing.
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

  /** GET /v2/lookups/addressTypes, until the marketplace accepts or refuses the key. */
  async function tryAccount({ account }: AccountInput): Promise<KeyVerdict> {
    return await pollVerdict(account, () => true);
  }

  /** GET /v2/lookups/addressTypes, until the marketplace accepts the key. */
  async function pollAccount({ account }: AccountInput): Promise<void> {
    await pollVerdict(account, (verdict) => verdict === 'taken');
  }

  return { tryAccount, pollAccount };
}

const isMismatch = (error: unknown): boolean =>
  error instanceof ApplicationFailure && error.type === FailureType.AccountMismatch;
