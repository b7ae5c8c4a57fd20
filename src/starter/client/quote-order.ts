import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { FurnitureQuoteInput, LtlQuoteInput } from '../../contract/workflow-input';
import { emptyRateCauses } from '../../domain/empty-rates';
import type { FixedPriceAnswer } from '../../domain/fixed-price';
import type { ShipmentPolicy } from '../../domain/policy';
import type { LtlQuote } from '../../domain/quote';
import type { RateCause } from '../../domain/rate-cause';
import { quoteWorkflowId } from '../../domain/workflow-id';
import { askWorkers, type AskOptions } from './ask-workers';
import type { StartableOrder } from './start-order';

/** What an order would cost now: the fixed price of furniture, or the rates of LTL. Nothing is booked. */
export type Quote =
  | { readonly kind: 'furniture'; readonly fixedPrice: FixedPriceAnswer }
  | ({
      readonly kind: 'ltl';
      /** Why no rate arrived: the known causes that match the order; empty when there are rates. */
      readonly possibleCauses: readonly RateCause[];
    } & LtlQuote);

/** How long a quote waits, and who hears that it does. */
export interface QuoteOptions extends AskOptions {
  /** The maximum time to wait for LTL rates; by default that of the order's policy. Milliseconds. */
  readonly maximumWaitMs?: number | undefined;
}

/** Longer than the workflow's own limits: those must end it first. Milliseconds. */
const FIXED_PRICE_MS = 5 * 60_000;

/** Asks a worker for the price or the rates of an order. @throws NoWorkerError, NoAnswerError */
export async function quoteOrder(
  client: Client,
  { shipment, account, policy: given, hasIntegrator }: StartableOrder,
  { maximumWaitMs = given.rates.maximumWaitMs, ...options }: QuoteOptions = {},
): Promise<Quote> {
  const common = {
    workflowId: quoteWorkflowId(shipment.account, shipment.orderId, randomUUID().slice(0, 8)),
    summary: `quote for ${shipment.account}/${shipment.orderId}; books nothing`,
    account: account.name,
  };
  if (shipment.kind === 'furniture') {
    const input: FurnitureQuoteInput = { account, shipment };
    const asked = { ...common, type: 'furnitureQuote', input, timeoutMs: FIXED_PRICE_MS };
    const fixedPrice = await askWorkers<FurnitureQuoteInput, FixedPriceAnswer>(client, asked, options);
    return { kind: 'furniture', fixedPrice };
  }
  const policy = withWait(given, maximumWaitMs);
  const timeoutMs = FIXED_PRICE_MS + maximumWaitMs + 2 * policy.rates.pace.maximumMs;
  const input: LtlQuoteInput = { account, shipment, policy };
  const asked = { ...common, type: 'ltlQuote', input, timeoutMs };
  const found = await askWorkers<LtlQuoteInput, LtlQuote>(client, asked, options);
  if (found.rates.length > 0) return { kind: 'ltl', possibleCauses: [], ...found };
  const context = { requestedAt: found.requestedAt, closedDays: policy.pickup.closedDays };
  const lack = hasIntegrator === true ? [] : [NO_INTEGRATOR];
  return { kind: 'ltl', possibleCauses: [...emptyRateCauses(shipment, context), ...lack], ...found };
}

function withWait(policy: ShipmentPolicy, maximumWaitMs: number): ShipmentPolicy {
  const { rates } = policy;
  const minimumWaitMs = Math.min(rates.minimumWaitMs, maximumWaitMs);
  return { ...policy, rates: { ...rates, minimumWaitMs, maximumWaitMs } };
}

const NO_INTEGRATOR: RateCause = {
  path: '$.account',
  problem: 'the account has no integratorId; without it the marketplace gives no custom rates',
  remedy: 'set it in the accounts file',
};
