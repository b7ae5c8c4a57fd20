import { formatMoney, type Money } from '../src/domain/money';
import { carrierName } from '../src/domain/shipment-result';
import { isBooked, type ShipmentState } from '../src/domain/shipment-state';

/** One price of a shipment, and when it was known. */
export interface PriceStep {
  readonly what: string;
  readonly at: string | null;
  readonly price: string;
  /** Against the step before, such as `+12.5 %`; null for the first one. */
  readonly change: string | null;
}

/** The prices of a shipment in the order in which they became known. A step that changes nothing stays: it shows that. */
export function priceSteps(state: ShipmentState): readonly PriceStep[] {
  const { fixedPrice, rateDecision, listing, priceChange, bookedAt, agreedPrice } = state;
  const chosen = rateDecision?.chosen ?? null;
  const steps: readonly (readonly [string, string | null, Money | null | undefined])[] = [
    ['Fixed price, with coverage', null, fixedPrice?.total],
    ['Listed at', null, fixedPrice === null ? null : listing?.namedPrice],
    [
      `Chosen rate${chosen === null ? '' : ` of ${chosen.carrier.displayName}`}`,
      rateDecision?.decidedAt ?? null,
      chosen?.totalPrice,
    ],
    ['Agreed', null, chosen === null ? agreedPrice?.price : null],
    [
      `Booked${carrierName(state) === null ? '' : ` by ${carrierName(state)}`}`,
      bookedAt,
      isBooked(state) ? (state.acceptedPrice ?? listing?.acceptedPrice) : null,
    ],
    ['Now, by the marketplace', priceChange?.since ?? listing?.lastUpdatedOn ?? null, listing?.totalCost],
  ];
  const known = steps.flatMap(([what, at, price]) => (price == null ? [] : [{ what, at, price }]));
  return known.map(({ what, at, price }, index) => ({
    ...{ what, at, price: formatMoney(price) },
    change: changeText(known[index - 1]?.price ?? null, price),
  }));
}

function changeText(before: Money | null, now: Money): string | null {
  if (before === null || before.currency !== now.currency || before.minorUnits === 0) return null;
  const percent = (100 * (now.minorUnits - before.minorUnits)) / before.minorUnits;
  if (percent === 0) return 'unchanged';
  return `${percent > 0 ? '+' : '−'}${Math.abs(percent).toFixed(1)} %`;
}
