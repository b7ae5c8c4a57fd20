import { formatMoney } from '../domain/money';
import type { RatePreference } from '../domain/policy';
import type { LtlRate } from '../domain/rate';
import { chooseRate } from '../domain/rate-choice';
import type { LtlShipment } from '../domain/shipment';
import type { RateRequest } from '../domain/shipment-state';
import type { ShipmentRun } from './shipment-run';

const RULE: Record<RatePreference, string> = {
  cheapest: 'the cheapest that fits',
  fastest: 'the fastest that fits',
  bestRated: 'the best rated that fits',
};

/** Asks for rates, waits until they are there, and chooses one by the policy, or by a person. */
export async function collectRates(run: ShipmentRun, shipment: LtlShipment): Promise<void> {
  if (run.state.phase !== 'collectingRates') return;
  const request = run.state.request ?? (await requestRates(run, shipment));
  const { account, policy } = run.input;
  const { rateRequestId, requestedAt } = request;
  const input = { account, rateRequestId, requestedAt, policy: policy.rates };
  const rates = await run.unlessWithdrawn(
    async () =>
      await run.activities.polls.collectRates.executeWithOptions(
        { summary: 'collects rates until they settle' },
        [input],
      ),
  );
  const decision = chooseRate({
    rates,
    rule: policy.rateRule,
    excludedRateIds: run.state.excludedRateIds,
    expiryMarginMs: policy.rates.expiryMarginMs,
    now: run.now(),
  });
  run.state = { ...run.state, rates, rateDecision: decision };
  if (decision.chosen !== null) take(run, request, decision.chosen, RULE[decision.rule]);
  else if (rates.length === 0) await askWithoutRates(run);
  else await askForChoice(run, request, rates);
}

async function requestRates(run: ShipmentRun, shipment: LtlShipment): Promise<RateRequest> {
  const attempt = run.state.sends + 1;
  run.state = { ...run.state, sends: attempt };
  const { account } = run.input;
  const { rateRequestId } = await run.unlessWithdrawn(
    async () => await run.activities.reads.createRateRequest({ account, shipment, attempt }),
  );
  const request = { rateRequestId, attempt, requestedAt: run.now() };
  run.enter({ phase: 'collectingRates', request }, 'rates requested');
  return request;
}

function take(run: ShipmentRun, request: RateRequest, rate: LtlRate, why: string): void {
  const others = run.state.rates.length - 1;
  const price = formatMoney(rate.totalPrice);
  const text = `${rate.carrier.displayName} chosen at ${price} (${why}; ${others} other rates)`;
  run.enter({ phase: 'accepting', request, rate, pending: null }, text);
}

/** The marketplace says nothing when it has no rates; the known causes are named. */
async function askWithoutRates(run: ShipmentRun): Promise<void> {
  const text =
    'No carrier offered a rate. Known causes: dimensions, weight or count over the LTL limits, or a pickup day that ' +
    'no carrier serves. Ask again with retry, or cancel and start with another document.';
  await run.ask('noRates', text, ['retry', 'cancel']);
  run.enter({ phase: 'collectingRates', request: null }, 'asks for rates again');
}

async function askForChoice(
  run: ShipmentRun,
  request: RateRequest,
  rates: readonly LtlRate[],
): Promise<void> {
  const list = run.state.rateDecision?.losses
    .slice(0, 10)
    .map(({ rateId, carrier, price, why }) => `${rateId}: ${carrier}, ${price}, ${why}`)
    .join('; ');
  const text = `No rate fits the policy. Select one, or ask for new ones with retry. ${list ?? ''}`;
  const answer = await run.ask('rateChoice', text, ['selectRate', 'retry', 'cancel']);
  if (answer.kind !== 'selectRate') {
    run.enter({ phase: 'collectingRates', request: null }, 'asks for rates again');
    return;
  }
  const rate = rates.find(({ rateId }) => rateId === answer.rateId);
  if (rate !== undefined) take(run, request, rate, 'selected by a person');
  else run.note(`rate ${answer.rateId} is not among the rates at hand`);
}
