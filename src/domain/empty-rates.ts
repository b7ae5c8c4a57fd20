import { addDays, clockIn, isWeekend, weekdayOf } from './calendar';
import { commandLines } from './command-lines';
import { holidayOn } from './holidays';
import { FREIGHT_CLASSES, WITHOUT_DOCK } from './ltl-codes';
import { beyondLtlLimits } from './ltl-limits';
import { nextOpenDay } from './open-day';
import type { RateCause } from './rate-cause';
import type { IsoInstant, LtlItem, LtlShipment, Stop } from './shipment';

/** The contract's commodities of LTL freight; the others are for full truckloads. */
const LTL_FREIGHT = [
  'NewCommercialGoods',
  'UsedCommercialGoods',
  'WineLiquorBeerSpirits',
  'NonPerishableFoodsBeverages',
  'OtherLessthanTruckloadGoods',
];

export interface EmptyRatesContext {
  /** When rates were asked for. */
  readonly requestedAt: IsoInstant;
  /** From the order's policy; no closed day is proposed. */
  readonly closedDays: readonly string[];
}

/**
 * The known causes of an empty rate list that match this request. The marketplace gives no reason, so these are
 * candidates and no proof. A request that matches none proves nothing either.
 */
export function emptyRateCauses(shipment: LtlShipment, context: EmptyRatesContext): RateCause[] {
  return [
    ...pickupCauses(shipment, context),
    ...beyondLtlLimits(shipment.items),
    ...shipment.items.flatMap(itemCauses),
    ...stopCauses(shipment.origin, '$.origin'),
    ...stopCauses(shipment.destination, '$.destination'),
  ];
}

function pickupCauses({ pickup, origin }: LtlShipment, context: EmptyRatesContext): RateCause[] {
  const day = pickup.latest;
  const { day: today } = clockIn(origin.timeZone, context.requestedAt);
  const { country } = origin.address;
  const { closedDays } = context;
  const earliest = day > today ? day : addDays(today, 1);
  const possible = nextOpenDay(earliest, { closedDays, country });
  const remedy = `write {"on": "${possible}"}`;
  const causes: string[] = [];
  if (pickup.type !== 'on' || pickup.earliest !== pickup.latest) {
    causes.push('the pickup is not on one single day');
  }
  if (day < today) causes.push(`the pickup day, ${day}, is past at the place of pickup`);
  if (day === today) causes.push(`the pickup is today, ${day}, at the place of pickup; carriers need a day`);
  if (isWeekend(day)) causes.push(`the pickup day, ${day}, is a ${weekdayOf(day)}`);
  const holiday = holidayOn(day, country);
  if (holiday !== null) causes.push(`the pickup day, ${day}, is a public holiday: ${holiday}`);
  return causes.map((problem) => ({ path: '$.pickup', problem, remedy }));
}

function itemCauses(item: LtlItem, index: number): RateCause[] {
  const path = `$.items[${index}]`;
  const causes: RateCause[] = [];
  if (item.freightClass !== null && !FREIGHT_CLASSES.includes(item.freightClass)) {
    const problem = `there is no freight class ${item.freightClass}`;
    causes.push({ path: `${path}.freightClass`, problem, remedy: 'give size and weight instead' });
  }
  if (item.freightClass === null && (item.weightInGrams === null || item.lengthInMeters === null)) {
    const problem = 'neither a freight class nor both size and weight are given';
    causes.push({ path, problem, remedy: 'give one of them' });
  }
  if (!LTL_FREIGHT.includes(item.commodity)) {
    const problem = `${item.commodity} is none of the commodities of LTL freight`;
    causes.push({ path: `${path}.commodity`, problem, remedy: `try one of: ${LTL_FREIGHT.join(', ')}` });
  }
  if (item.hazardous) {
    const problem = 'hazardous goods are taken by few carriers';
    causes.push({ path: `${path}.hazardous`, problem, remedy: 'ask the marketplace' });
  }
  return causes;
}

function stopCauses({ addressType, services }: Stop, path: string): RateCause[] {
  if (services.liftgate || (addressType !== null && !WITHOUT_DOCK.includes(addressType))) return [];
  const what = addressType ?? 'a place without an address type, which counts as Residence,';
  return [
    {
      path: `${path}.services.liftgate`,
      problem: `${what} has no dock, and no liftgate is asked for`,
      remedy: 'set it to true, or give the address type of a place with a dock',
    },
  ];
}

/** A question names only a few causes; `consign quote` shows the rest. */
const MOST_NAMED = 5;

/** Why no rate came, as far as the order itself shows. */
export function causesText(causes: readonly RateCause[], waitedMs: number): string {
  if (causes.length === 0)
    return (
      'None of the known causes matches the order: no carrier may serve this route or day, or carriers answer later ' +
      `than the ${Math.round(waitedMs / 1_000)} s of ratesMaximumWait.`
    );
  const named = causes
    .slice(0, MOST_NAMED)
    .map(({ path, problem, remedy }) => `${path}: ${problem} (${remedy})`)
    .join('; ');
  const left = causes.length - MOST_NAMED;
  return `Possible causes: ${named}${left > 0 ? `; and ${left} more, which \`${commandLines.quote()}\` shows` : ''}.`;
}
