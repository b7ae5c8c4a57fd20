import path from 'node:path';
import { SeededRandom } from '../sandbox/model/random';
import { addDays } from '../src/domain/calendar';
import { orderReference } from '../src/domain/workflow-id';
import { PACKAGE_ROOT } from '../src/platform/package-root';
import { pick } from './draw';

/** An order document as an upstream system would send it. */
export type OrderDocument = Readonly<Record<string, unknown>> & {
  readonly orderId: string;
  readonly kind: 'furniture' | 'ltl';
};

export const CHAOS_ACCOUNT = 'acme';
/** The name of an order at the marketplace. */
export const referenceOf = (orderId: string): string => orderReference(CHAOS_ACCOUNT, orderId);

const IMAGE_FILE = path.join(PACKAGE_ROOT, 'examples', 'images', 'sofa.png');

const PLACES = [
  { city: 'Austin', state: 'TX', postalCode: '78703', timeZone: 'America/Chicago' },
  { city: 'Denver', state: 'CO', postalCode: '80211', timeZone: 'America/Denver' },
  { city: 'Seattle', state: 'WA', postalCode: '98134', timeZone: 'America/Los_Angeles' },
  { city: 'Columbus', state: 'OH', postalCode: '43215', timeZone: 'America/New_York' },
] as const;

/**
 * Varied orders of both kinds. The same seed gives the same orders, apart from their days, which are counted from
 * `now` because an order for a past day is refused.
 */
export function generateOrders(count: number, seed: string, now: Date): readonly OrderDocument[] {
  return Array.from({ length: count }, (_, index) => {
    // Each order has a separate random sequence: a longer run begins with the orders of a shorter one.
    const random = new SeededRandom(`${seed}/order/${index}`);
    const orderId = `C-${String(index + 1).padStart(5, '0')}`;
    return random.next() < 0.5 ? furniture(orderId, random, now) : ltl(orderId, random, now);
  });
}

/** A weekday some weeks ahead: carriers do not load at weekends. */
function dayAhead(random: SeededRandom, now: Date): string {
  const day = addDays(now.toISOString().slice(0, 10), random.integer(14, 40));
  return addDays(day, { 0: 1, 6: 2 }[new Date(day).getUTCDay()] ?? 0);
}

function stop(random: SeededRandom, number: number) {
  const { timeZone, ...place } = pick(random, PLACES);
  return {
    addressType: pick(random, ['Residence', 'BusinessWithoutLoadingDockOrForklift']),
    timeZone,
    contact: { name: 'Receiving', company: 'Lakeside Builders', phone: `+1 512 555 ${1_000 + number}` },
    address: { street: `${random.integer(1, 9_999)} Main St`, ...place, country: 'US' },
    services: { liftgate: true, callBeforeArrival: random.next() < 0.3 },
  };
}

function common(orderId: string, random: SeededRandom) {
  return {
    ...{ account: CHAOS_ACCOUNT, orderId },
    references: { PurchaseOrder: `PO-${random.integer(1, 99_999)}` },
    origin: { location: pick(random, ['dallas-dc', 'reno-warehouse']) },
    ...(random.next() < 0.3
      ? { coverage: { amount: String(random.integer(5, 40) * 100), currency: 'USD' } }
      : {}),
  };
}

function furniture(orderId: string, random: SeededRandom, now: Date): OrderDocument {
  const pickup = dayAhead(random, now);
  const { services: _none, ...destination } = stop(random, random.integer(0, 8_999));
  const items = Array.from({ length: random.integer(1, 3) }, () => ({
    title: pick(random, ['Sofa', 'Armchair', 'Sideboard', 'Bed frame']),
    commodity: 'Furniture',
    quantity: random.integer(1, 3),
    size: { length: random.integer(60, 210), width: random.integer(50, 100), height: 85, unit: 'cm' },
    weightEach: { value: random.integer(15, 70), unit: 'kg' },
  }));
  return {
    ...common(orderId, random),
    ...{ kind: 'furniture', items, destination },
    pickup: { between: [pickup, addDays(pickup, 3)] },
    delivery: { before: addDays(pickup, 21) },
    // A limit so low that a person must approve the price.
    ...(random.next() < 0.1 ? { priceLimit: { amount: '20.00', currency: 'USD' } } : {}),
    ...(random.next() < 0.2 ? { images: [IMAGE_FILE] } : {}),
  };
}

function ltl(orderId: string, random: SeededRandom, now: Date): OrderDocument {
  const items = Array.from({ length: random.integer(1, 3) }, () => ({
    title: pick(random, ['Tiles', 'Machine parts', 'Lamps']),
    commodity: pick(random, ['NewCommercialGoods', 'StoneMetalsMinerals', 'PlasticsRubber']),
    quantity: random.integer(1, 4),
    handlingUnit: pick(random, ['Pallets48X40Inches', 'Crates']),
    size: { length: 48, width: 40, height: random.integer(30, 60), unit: 'in' },
    weightEach: { value: random.integer(200, 900), unit: 'lb' },
    stackable: random.next() < 0.5,
  }));
  return {
    ...common(orderId, random),
    ...{ kind: 'ltl', items, destination: stop(random, random.integer(0, 8_999)) },
    pickup: { on: dayAhead(random, now) },
    rateRule: {
      prefer: pick(random, ['cheapest', 'fastest', 'bestRated']),
      // A cap so low that a person must choose a rate.
      ...(random.next() < 0.08 ? { priceCap: { amount: '20.00', currency: 'USD' } } : {}),
    },
  };
}
