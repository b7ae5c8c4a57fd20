import { Context } from '@temporalio/activity';
import type { AcceptanceReceipt, AcceptanceStatus } from '../domain/acceptance';
import type { PollPace, ShipmentPolicy } from '../domain/policy';
import type { LtlRate } from '../domain/rate';
import { judgeReading, type RatesSeen } from '../domain/rate-settling';
import type { IsoInstant, LtlShipment } from '../domain/shipment';
import type { RateAcceptance } from '../marketplace/marketplace';
import { poll, read } from './call';
import type { AccountInput, ActivityDependencies } from './dependencies';
import { aheadOfTemporalMs, onTemporalClock } from './temporal-clock';
import { writeOnce, type WriteGuard } from './write-once';

export interface CreateRateRequestInput extends AccountInput {
  readonly shipment: LtlShipment;
  readonly attempt: number;
}

export interface CollectRatesInput extends AccountInput {
  readonly rateRequestId: string;
  readonly requestedAt: IsoInstant;
  readonly policy: ShipmentPolicy['rates'];
  /** Of the same request, as they were collected before. Earlier workflows do not say it. */
  readonly knownRateIds?: readonly string[];
}

export interface AcceptRateInput extends AccountInput, WriteGuard {
  readonly acceptance: RateAcceptance;
}

export interface AcceptanceInput extends AccountInput {
  readonly rateId: string;
  readonly executionId: string;
}

export interface PollAcceptanceInput extends AcceptanceInput {
  readonly pace: PollPace;
  /** Of one that is over as far as is known: only that it booked all the same ends the polling. */
  readonly untilBooked?: boolean;
}

/** The acceptance outcomes that end its polling. */
export type AcceptanceOutcome = Exclude<AcceptanceStatus, { kind: 'pending' } | { kind: 'notVisible' }>;

export function createRateActivities({ marketplaceOf, client }: ActivityDependencies) {
  /** POST /v2/raterequests. Books nothing and only the latest counts, so that it repeats like a read. */
  async function createRateRequest({ account, ...input }: CreateRateRequestInput) {
    return await read((call) => marketplaceOf(account).createRateRequest(input, call));
  }

  /** GET /v2/raterequests/{id}/rates, once. */
  async function listRates({ account, rateRequestId }: AccountInput & { readonly rateRequestId: string }) {
    return await read((call) => marketplaceOf(account).listRates(rateRequestId, call));
  }

  /** GET /v2/raterequests/{id}/rates, until the carriers have answered as far as the policy waits for them. */
  async function collectRates({ account, rateRequestId, policy, ...input }: CollectRatesInput) {
    const { currentAttemptScheduledTimestampMs } = Context.current().info;
    const aheadMs = aheadOfTemporalMs(currentAttemptScheduledTimestampMs, Date.now());
    return await poll<readonly LtlRate[]>(policy.pace, async (call) => {
      const read = await marketplaceOf(account).listRates(rateRequestId, call);
      const rates = read.map((rate) => onTemporalClock(rate, aheadMs));
      const reading = { rates, before: seenBefore(input), requestedAt: input.requestedAt };
      const verdict = judgeReading({ ...reading, now: new Date(Date.now() - aheadMs).toISOString() }, policy);
      if (verdict.kind === 'settled') return { kind: 'ready', value: rates };
      Context.current().heartbeat(verdict.seen);
      return verdict;
    });
  }

  /** POST /v2/rates/{id}/acceptance. The receipt names its rate, for when it is told to a run that took another one. */
  async function acceptRate({
    account,
    acceptance,
    ...guard
  }: AcceptRateInput): Promise<AcceptanceReceipt & { readonly rateId: string }> {
    const { rateId } = acceptance;
    return await writeOnce({ client, account, guard }, async (call) => ({
      ...(await marketplaceOf(account).acceptRate(acceptance, call)),
      rateId,
    }));
  }

  /** GET /v2/rates/{id}/acceptance/status/{executionId}, once. */
  async function getAcceptanceStatus({ account, ...input }: AcceptanceInput): Promise<AcceptanceStatus> {
    return await read((call) => marketplaceOf(account).getAcceptanceStatus(input, call));
  }

  /** GET /v2/rates/{id}/acceptance/status/{executionId}, until the carrier has answered. */
  async function pollAcceptance({
    account,
    pace,
    untilBooked = false,
    ...input
  }: PollAcceptanceInput): Promise<AcceptanceOutcome> {
    return await poll<AcceptanceOutcome>(pace, async (call) => {
      const status = await marketplaceOf(account).getAcceptanceStatus(input, call);
      if (status.kind === 'notVisible') return { kind: 'pending', saw: 'not visible yet (404)' };
      if (status.kind === 'pending')
        return { kind: 'pending', saw: `pending (${status.statusCode ?? 'no status'})` };
      return untilBooked && status.kind !== 'booked'
        ? { kind: 'pending', saw: `not booked (${status.kind})` }
        : { kind: 'ready', value: status };
    });
  }

  return { createRateRequest, listRates, collectRates, acceptRate, getAcceptanceStatus, pollAcceptance };
}

/** What the attempt before left as its sign of life; the first one goes by what the workflow knows. */
function seenBefore({ knownRateIds }: Pick<CollectRatesInput, 'knownRateIds'>): RatesSeen | null {
  const left: unknown = Context.current().info.heartbeatDetails;
  if (isRatesSeen(left)) return left;
  return knownRateIds === undefined ? null : { rateIds: knownRateIds, looksAgain: 0 };
}

function isRatesSeen(left: unknown): left is RatesSeen {
  return typeof left === 'object' && left !== null && 'rateIds' in left && 'looksAgain' in left;
}
