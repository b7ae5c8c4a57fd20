import type { IsoInstant } from './shipment';

/** A shipment that met trouble of its account, and waits until it is mended. */
export interface PausedShipment {
  readonly workflowId: string;
  readonly reason: string;
  readonly since: IsoInstant;
}

/** The one question about an account, for all shipments that wait for its answer. */
export interface AccountPause {
  readonly account: string;
  readonly supportAddress: string | null;
  readonly waiting: readonly PausedShipment[];
  readonly resumes: number;
}

/** What a 401 or a 403 may mean. */
export const ACCOUNT_HINT =
  'The key may be wrong, expired or of the other environment, and for LTL the static IP addresses of the workers ' +
  "must be on the marketplace's list of allowed ones.";

/** Whether an answer of the marketplace, as failures quote it, was one of these two. */
const isRefusedKey = (reason: string): boolean => /\banswered (401|403)\b/.test(reason);

/** What a person reads: how many wait, since when, why, what it may be, and what to do. */
export function accountPauseText({ account, supportAddress, waiting }: AccountPause): string {
  const since = waiting.map((paused) => paused.since).toSorted()[0] ?? '';
  const reasons = [...new Set(waiting.map(({ reason }) => reason))].slice(0, 3);
  const hint = waiting.some(({ reason }) => isRefusedKey(reason)) ? ` ${ACCOUNT_HINT}` : '';
  const support = supportAddress === null ? '' : ` Support: ${supportAddress}.`;
  return (
    `a person: ${waiting.length} shipments of account ${account} wait since ${since}: ${reasons.join('; ')}.${hint} ` +
    `Mend the account, then \`consign accounts retry ${account}\`.${support}`
  );
}

/** Why the shipments cannot be resumed, or null when they can. */
export function refuseResume(
  { waiting }: AccountPause,
  { by, reason }: { readonly by: string; readonly reason: string },
): string | null {
  if (by.trim() === '') return 'say who mended it: `by` must not be empty';
  if (reason.trim() === '') return 'say what was done: `reason` must not be empty';
  return waiting.length === 0 ? 'no shipment waits for this account' : null;
}
