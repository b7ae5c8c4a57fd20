import pc from 'picocolors';
import type { FixedPriceAnswer } from '../../domain/fixed-price';
import { formatMoney, isAbove } from '../../domain/money';
import type { LtlQuote } from '../../domain/quote';
import type { RateCause } from '../../domain/rate-cause';
import type { LtlRate } from '../../domain/rate';
import type { OrderKey } from '../../domain/workflow-id';
import type { Shipment, ShipmentBase } from '../../domain/shipment';
import type { Quote } from '../client/quote-order';
import { providerWords, serviceWords } from './show-rates';
import { table } from './table';
import { minuteText } from './time-text';

const PREMIUM_UNKNOWN =
  `  ${pc.yellow('!')} the answer contains no premium for the coverage: the order would ask a person (premiumUnknown). ` +
  "If another field contains it, set premiumPath in the account's settings.";

/** A fixed price for people: the price for the customer, and the price that the listing would name. */
export function renderFixedPrice(
  shipment: Pick<ShipmentBase, 'account' | 'orderId' | 'priceLimit'>,
  quote: FixedPriceAnswer,
): string {
  const { price, premium, listPrice } = quote;
  const total = quote.premium === 'unknown' ? null : quote.total;
  const limit = shipment.priceLimit;
  return [
    pc.bold(`${shipment.account}/${shipment.orderId}: fixed price, nothing booked`),
    `  Price       ${formatMoney(price)}`,
    ...(premium === null
      ? []
      : [`  Premium     ${premium === 'unknown' ? 'unknown' : formatMoney(premium)}`]),
    `  Total       ${total === null ? 'unknown' : formatMoney(total)}`,
    `  List price  ${formatMoney(listPrice)} ${pc.dim('(the price that the listing would name)')}`,
    ...(premium === 'unknown' ? [PREMIUM_UNKNOWN] : []),
    ...(limit !== null && isAbove(total ?? price, limit)
      ? [`  ${pc.yellow('!')} above the order's limit of ${formatMoney(limit)}: the order would ask a person`]
      : []),
  ].join('\n');
}

const days = ({ pickupDelayInDays, deliveryDelayInDays }: LtlRate): string =>
  deliveryDelayInDays === null
    ? '-'
    : `${deliveryDelayInDays}${pickupDelayInDays === null || pickupDelayInDays === 0 ? '' : ` (pickup +${pickupDelayInDays})`}`;

const stars = ({ carrier: { starRating, feedbackCount } }: LtlRate): string =>
  starRating === null ? '-' : `${starRating} (${feedbackCount ?? 0})`;

/** Why no rate arrived: the known causes that match, or that none does. */
export function renderCauses(causes: readonly RateCause[], waitedMs: number): string {
  if (causes.length === 0) {
    return (
      '  No known cause matches. Perhaps no carrier serves this route or day, or carriers need more than the ' +
      `${Math.round(waitedMs / 1_000)} s that Consign waited (policy rates.maximumWait).`
    );
  }
  const lines = causes.map(
    ({ path, problem, remedy }) =>
      `  ${pc.yellow('?')} ${pc.bold(path)}\n      ${problem}\n      ${pc.dim('→')} ${remedy}`,
  );
  return ['  The marketplace gives no reason. Possible causes:', ...lines].join('\n');
}

/** The rates of an LTL order for people: first the one that the policy would accept, then why each other one loses. */
export function renderRates(shipment: OrderKey, { rates, decision }: LtlQuote): string {
  const { chosen, losses, rule } = decision;
  const lossOf = new Map(losses.map(({ rateId, why }) => [rateId, why]));
  const order = [chosen?.rateId, ...losses.map(({ rateId }) => rateId)];
  const sorted = rates.toSorted((a, b) => order.indexOf(a.rateId) - order.indexOf(b.rateId));
  const rows = sorted.map((rate) => [
    rate.carrier.displayName,
    serviceWords(rate) || '-',
    formatMoney(rate.totalPrice),
    days(rate),
    minuteText(rate.expiresAt),
    stars(rate),
    [
      rate.rateId === chosen?.rateId
        ? pc.green(`<- would be accepted (${rule})`)
        : (lossOf.get(rate.rateId) ?? ''),
      pc.dim(providerWords(rate)),
    ]
      .join(' ')
      .trimEnd(),
  ]);
  const count = `${rates.length} ${rates.length === 1 ? 'rate' : 'rates'}`;
  return [
    pc.bold(`${shipment.account}/${shipment.orderId}: ${count}, nothing booked`),
    ...(rates.length === 0
      ? []
      : [table(['CARRIER', 'SERVICE', 'PRICE', 'DAYS', 'EXPIRES', 'STARS', 'WHY'], rows)]),
    ...(rates.length > 0 && chosen === null
      ? [`  ${pc.yellow('!')} no rate meets the policy: the order would ask a person to choose`]
      : []),
  ].join('\n');
}

/** Whether the marketplace named any price. */
export const hasPrice = (quote: Quote): boolean => quote.kind === 'furniture' || quote.rates.length > 0;

/** `consign quote` for people. @param waitedMs for rates */
export function renderQuote(shipment: Shipment, quote: Quote, waitedMs: number): string {
  if (quote.kind === 'furniture') return renderFixedPrice(shipment, quote.fixedPrice);
  const rates = renderRates(shipment, quote);
  return hasPrice(quote) ? rates : `${rates}\n${renderCauses(quote.possibleCauses, waitedMs)}`;
}
