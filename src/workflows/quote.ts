import { ActivityCancellationType, proxyActivities, type ActivityOptions } from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { FixedPriceAnswer } from '../domain/fixed-price';
import { asQuote, type LtlQuote } from '../domain/quote';
import { chooseRate } from '../domain/rate-choice';
import { MOST_LOOKS_AGAIN } from '../domain/rate-settling';
import { marketplaceQueue } from '../contract/task-queue';
import type { FurnitureQuoteInput, LtlQuoteInput } from '../contract/workflow-input';

/** A person waits for the answer, so these calls stop after two minutes, unlike a shipment's reads. */
const CALL: ActivityOptions = {
  startToCloseTimeout: '30 seconds',
  scheduleToCloseTimeout: '2 minutes',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '15 seconds' },
  cancellationType: ActivityCancellationType.TRY_CANCEL,
};

const MINUTE_MS = 60_000;

/** The current price of a furniture order. Books nothing. */
export async function furnitureQuote({ account, shipment }: FurnitureQuoteInput): Promise<FixedPriceAnswer> {
  const { getFixedPrice } = proxyActivities<Pick<Activities, 'getFixedPrice'>>({
    ...CALL,
    taskQueue: marketplaceQueue(account.name),
  });
  return (await getFixedPrice({ account, shipment, priceCorrelationId: null })).answer;
}

/** The current rates for an LTL order, and the one that its policy would accept. Accepts none. */
export async function ltlQuote({ account, shipment, policy }: LtlQuoteInput): Promise<LtlQuote> {
  const taskQueue = marketplaceQueue(account.name);
  const { createRateRequest } = proxyActivities<Pick<Activities, 'createRateRequest'>>({
    ...CALL,
    taskQueue,
  });
  const { collectRates } = proxyActivities<Pick<Activities, 'collectRates'>>({
    ...CALL,
    taskQueue,
    // Longer than the policy's wait, which then ends with an empty list and not with a failure.
    scheduleToCloseTimeout:
      policy.rates.maximumWaitMs + (2 + MOST_LOOKS_AGAIN) * policy.rates.pace.maximumMs + MINUTE_MS,
  });
  const { rateRequestId } = await createRateRequest({ account, shipment: asQuote(shipment), attempt: 1 });
  const requestedAt = new Date().toISOString();
  const { rates, leftOut } = await collectRates({
    account,
    rateRequestId,
    requestedAt,
    policy: policy.rates,
    knownRateIds: [],
  });
  const decision = chooseRate({
    ...{ rates, rule: policy.rateRule, excludedRateIds: [] },
    expiryMarginMs: policy.rates.expiryMarginMs,
    now: new Date().toISOString(),
  });
  return { requestedAt, rates, leftOut, decision };
}
