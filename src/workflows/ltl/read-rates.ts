import { FailureType } from '../../domain/failure-type';
import type { CollectedRates } from '../../domain/rate-settling';
import type { RateRequest } from '../../domain/shipment-state';
import { failureTypeOf, isAccountTrouble } from '../run/failure-cause';
import type { ShipmentRun } from '../run/shipment-run';

/** The rates of a request; or why the request is no longer usable, with the account's trouble if that is the cause. */
export type RatesRead =
  | ({ readonly kind: 'read' } & CollectedRates)
  | { readonly kind: 'unreadable'; readonly why: string; readonly trouble: Error | null };

/**
 * Reads the rates of a request until they settle. If the account may not read the request, or the marketplace does
 * not know it, reading it again will not help.
 * @throws LeavePhase when the order was withdrawn
 */
export async function readRates(run: ShipmentRun, request: RateRequest): Promise<RatesRead> {
  const { account, policy } = run.input;
  const { rateRequestId, requestedAt } = request;
  const { rates: known, excludedRateIds } = run.state;
  const knownRateIds = known.map(({ rateId }) => rateId).filter((id) => !excludedRateIds.includes(id));
  const input = { account, rateRequestId, requestedAt, policy: policy.rates, knownRateIds };
  const summary = 'collects rates until they settle';
  const { collectRates: collect } = run.activities.polls;
  try {
    const collected = await run.unlessWithdrawn(
      async () => await collect.executeWithOptions({ summary }, [input]),
    );
    return { kind: 'read', ...collected };
  } catch (error) {
    const isUnknown = failureTypeOf(error) === FailureType.NotFound;
    const isTrouble = isAccountTrouble(error);
    if (!(error instanceof Error) || (!isUnknown && !isTrouble)) throw error;
    return isUnknown
      ? { kind: 'unreadable', why: 'the marketplace does not know the request', trouble: null }
      : { kind: 'unreadable', why: 'the request could not be read', trouble: error };
  }
}
