import type { Client } from '@temporalio/client';
import type { AccountsReport } from '../../accounts/report';
import { ACCOUNT_HINT } from '../../domain/account-pause';
import { DEFAULT_POLICY } from '../../domain/default-policy';
import { askConformance } from '../client/ask-conformance';
import type { AskOptions } from '../client/ask-workers';
import { NoAnswerError, NoWorkerError } from '../client/errors';

export interface OnlineCheck {
  readonly account: string;
  /** Whether the marketplace accepted the key; null when it could not be asked. */
  readonly isTaken: boolean | null;
  readonly status: number | null;
  readonly text: string;
}

/** One harmless call for each account, made by its worker: the payment methods, and the token before them. */
export async function checkOnline(
  client: Client,
  { accounts }: Pick<AccountsReport, 'accounts'>,
  options: AskOptions = {},
): Promise<OnlineCheck[]> {
  const checks = accounts.map(async ({ name, environment }): Promise<OnlineCheck> => {
    const account = { name, environment };
    const { rates } = DEFAULT_POLICY;
    const nothing = { furniture: null, ltl: null, listingId: null };
    try {
      const [report] = await askConformance(client, { account, rates, ...nothing }, options);
      return verdict(name, report?.status ?? null, report?.trouble ?? null);
    } catch (error) {
      if (!(error instanceof NoWorkerError || error instanceof NoAnswerError)) throw error;
      return { account: name, isTaken: null, status: null, text: error.explain() };
    }
  });
  return await Promise.all(checks);
}

function verdict(account: string, status: number | null, trouble: string | null): OnlineCheck {
  const detail = trouble === null ? '' : ` (${trouble})`;
  if (status === null) {
    const text = `the marketplace did not answer${detail}`;
    return { account, isTaken: null, status, text };
  }
  if (status === 401 || status === 403) {
    const text = `the marketplace refused the key: ${status}${detail}. ${ACCOUNT_HINT}`;
    return { account, isTaken: false, status, text };
  }
  // The sign-in failed with another status, such as 400: OAuth's answer to a wrong secret.
  if (trouble !== null) {
    return { account, isTaken: false, status, text: `${trouble}: ${status}. ${ACCOUNT_HINT}` };
  }
  if (status === 501) {
    return {
      account,
      isTaken: true,
      status,
      text: 'the marketplace accepted the key; it offers no LTL payment methods (501)',
    };
  }
  const isTaken = status < 300 ? true : null;
  const text = `the marketplace ${isTaken === true ? `accepted the key (${status})` : `answered ${status}`}`;
  return { account, isTaken, status, text };
}
