import { Context } from '@temporalio/activity';
import {
  acceptanceStatusText,
  mayStillBook,
  type AcceptanceReceipt,
  type AcceptanceStatus,
} from '../domain/acceptance';
import { isBookedOrDelivered } from '../domain/listing-progress';
import type { PollPace, ShipmentPolicy } from '../domain/policy';
import { judgeReading, type CollectedRates, type RatesSeen } from '../domain/rate-settling';
import type { IsoInstant, LtlShipment } from '../domain/shipment';
import { ApiError } from '../marketplace/errors';
import type { CallOptions, Marketplace, RateAcceptance } from '../marketplace/marketplace';
import type { CheckAddressTypes } from './address-types';
import { poll, read } from './reads-and-polls';
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
  /** Rates of the same request from an earlier collection; empty for a new one. */
  readonly knownRateIds: readonly string[];
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
  /**
   * What ends the poll. `booked`: only a booking, for an acceptance that seems over. `answer`: only what the carrier
   * answered. By default an unclear end too.
   */
  readonly until?: 'booked' | 'answer';
}

/** The outcomes that end the polling of an acceptance. */
export type AcceptanceOutcome = Exclude<AcceptanceStatus, { kind: 'pending' } | { kind: 'notVisible' }>;

export function createRateActivities(
  { marketplaceOf, client }: ActivityDependencies,
  checkAddressTypes: CheckAddressTypes,
) {
  /**
   * POST /v2/raterequests, and the look-up of address types. Books nothing, and only the latest request counts, so it
   * repeats like a read.
   */
  async function createRateRequest({ account, ...input }: CreateRateRequestInput) {
    return await read(async (call) => {
      const { rateRequestId } = await marketplaceOf(account).createRateRequest(input, call);
      const addressTypes = await checkAddressTypes({ account, shipment: input.shipment }, call);
      return { rateRequestId, addressTypes };
    });
  }

  /** GET /v2/raterequests/{id}/rates, once. */
  async function listRates({ account, rateRequestId }: AccountInput & { readonly rateRequestId: string }) {
    const aheadMs = clockOfAttempt();
    return await read(async (call) =>
      onTemporalClock(await marketplaceOf(account).listRates(rateRequestId, call), aheadMs),
    );
  }

  /** GET /v2/raterequests/{id}/rates, until the rates have settled by the policy. */
  async function collectRates({ account, rateRequestId, policy, ...input }: CollectRatesInput) {
    const aheadMs = clockOfAttempt();
    return await poll<CollectedRates>(policy.pace, async (call) => {
      const list = onTemporalClock(await marketplaceOf(account).listRates(rateRequestId, call), aheadMs);
      const reading = { ...list, before: seenBefore(input), requestedAt: input.requestedAt };
      const verdict = judgeReading({ ...reading, now: new Date(Date.now() - aheadMs).toISOString() }, policy);
      if (verdict.kind === 'settled') return { kind: 'ready', value: { ...list, most: verdict.most } };
      Context.current().heartbeat(verdict.seen);
      return verdict;
    });
  }

  /**
   * POST /v2/rates/{id}/acceptance. The receipt names its rate, because it may arrive late in a run that accepted
   * another rate.
   */
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

  /** An unclear status may name a listing: that listing's record says whether it is booked. */
  async function readStatus({ account, ...input }: AcceptanceInput, call: CallOptions) {
    const marketplace = marketplaceOf(account);
    const status = await marketplace.getAcceptanceStatus(input, call);
    if (status.kind !== 'pending' || status.listingId === null) return status;
    const { listingId } = status;
    return (await isBookedListing(marketplace, listingId, call))
      ? ({ kind: 'booked', listingId } as const)
      : status;
  }

  /** GET /v2/rates/{id}/acceptance/status/{executionId}, once, and GET of a listing that it only hints at. */
  async function getAcceptanceStatus(input: AcceptanceInput): Promise<AcceptanceStatus> {
    return await read((call) => readStatus(input, call));
  }

  /** GET /v2/rates/{id}/acceptance/status/{executionId}, until the carrier has answered. */
  async function pollAcceptance({ pace, until, ...input }: PollAcceptanceInput): Promise<AcceptanceOutcome> {
    return await poll<AcceptanceOutcome>(pace, async (call) => {
      const status = await readStatus(input, call);
      if (status.kind === 'notVisible' || status.kind === 'pending')
        return { kind: 'pending', saw: acceptanceStatusText(status) };
      const isUnclear =
        (until === 'booked' && status.kind !== 'booked') || (until === 'answer' && mayStillBook(status));
      return isUnclear
        ? { kind: 'pending', saw: `not booked: ${acceptanceStatusText(status)}` }
        : { kind: 'ready', value: status };
    });
  }

  return { createRateRequest, listRates, collectRates, acceptRate, getAcceptanceStatus, pollAcceptance };
}

/** How many milliseconds the worker's clock is ahead, measured when the attempt begins. */
const clockOfAttempt = (): number =>
  aheadOfTemporalMs(Context.current().info.currentAttemptScheduledTimestampMs, Date.now());

/** A missing listing, or one on the market, leaves the acceptance pending. */
async function isBookedListing(
  marketplace: Marketplace,
  listingId: string,
  call: CallOptions,
): Promise<boolean> {
  try {
    return isBookedOrDelivered(await marketplace.getListing(listingId, call));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
}

/** The last heartbeat of the previous attempt; the first attempt starts from what the workflow knows. */
function seenBefore({ knownRateIds }: Pick<CollectRatesInput, 'knownRateIds'>): RatesSeen {
  const left: unknown = Context.current().info.heartbeatDetails;
  if (isRatesSeen(left)) return left;
  return { rateIds: knownRateIds, looksAgain: 0, most: knownRateIds.length };
}

function isRatesSeen(left: unknown): left is RatesSeen {
  return typeof left === 'object' && left !== null && 'rateIds' in left && 'most' in left;
}
