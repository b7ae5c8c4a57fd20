import { formatMoney, isAbove, raisedBy, type Money } from './money';
import type { ShipmentPolicy } from './policy';
import { totalWeightsInGrams, type IsoInstant, type Shipment } from './shipment';
import { isBooked, addTimeline, type ShipmentState } from './shipment-state';

/** The marketplace's price is above the accepted one by more than the policy allows. */
export interface PriceChange {
  readonly accepted: Money;
  readonly price: Money;
  /** When a reading first showed the price. */
  readonly since: IsoInstant;
}

/** The order, the rules, and the time. */
export interface PriceMoment {
  readonly shipment: Shipment;
  readonly policy: Pick<ShipmentPolicy, 'priceTolerancePercent'>;
  readonly now: IsoInstant;
}

/**
 * The price that the booking was made for: the accepted rate, else the first total of the booked listing. A rate does
 * not contain the coverage, and furniture is listed without service charges, so there the first total decides.
 */
function acceptedAtFirst(state: ShipmentState, { kind, coverage }: Shipment, total: Money): Money {
  const rate = kind === 'ltl' && coverage === null ? state.rateDecision?.chosen : null;
  return rate?.totalPrice ?? total;
}

/** Compares the price of a booked listing with the accepted one. A person decides about a price beyond the tolerance. */
export function applyPriceWatch(state: ShipmentState, { shipment, policy, now }: PriceMoment): ShipmentState {
  const price = state.listing?.totalCost ?? null;
  if (price === null || !isBooked(state)) return state;
  const accepted = state.acceptedPrice ?? acceptedAtFirst(state, shipment, price);
  const known = { ...state, acceptedPrice: accepted };
  if (!isAbove(price, raisedBy(accepted, policy.priceTolerancePercent)))
    return { ...known, priceChange: null };
  const { priceChange } = state;
  if (priceChange !== null && formatMoney(priceChange.price) === formatMoney(price)) return known;
  const text = `the price of ${formatMoney(price)} is beyond the tolerance above the accepted ${formatMoney(accepted)}`;
  return { ...addTimeline(known, now, text), priceChange: { accepted, price, since: now } };
}

/** A person accepts the price, or has disputed it: from now on it is the measure. */
export function approvePrice(state: ShipmentState): ShipmentState {
  const { priceChange, acceptedPrice } = state;
  return { ...state, acceptedPrice: priceChange?.price ?? acceptedPrice, priceChange: null };
}

const KILOGRAM = 1_000;

/** What probably raised the price, as far as the record shows it. */
export function likelyCause({ listing }: ShipmentState, shipment: Shipment): string {
  const ordered = totalWeightsInGrams(shipment);
  const weighed = listing?.totalWeightInGrams ?? null;
  // A scale and a rounded document differ by some percent.
  const isHeavier = weighed !== null && ordered.length > 0 && weighed > 1.02 * Math.max(...ordered);
  return isHeavier
    ? `the record's weight is ${Math.round(weighed / KILOGRAM)} kg, the order's ` +
        `${Math.round((ordered[0] ?? 0) / KILOGRAM)} kg`
    : 'the record does not say; mostly another weight, freight class or added services';
}
