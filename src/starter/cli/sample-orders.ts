import { UserError } from '../../platform/user-error';
import type { Accounts } from '../../accounts';
import type { FurnitureShipment, LtlShipment } from '../../domain/shipment';
import { addDays } from '../../domain/calendar';
import { parseOrder, type Problem } from '../../orders/parse-order';

/** Orders for price requests only: they are never placed. */
export interface SampleOrders {
  readonly furniture: FurnitureShipment;
  readonly ltl: LtlShipment;
}

const contact = { name: 'Conformance check', company: 'Conformance check', phone: '+1 214 555 0100' };
const origin = {
  addressType: 'BusinessWithLoadingDockOrForklift',
  timeZone: 'America/Chicago',
  contact,
  address: { street: '2200 Vantage St', city: 'Dallas', state: 'TX', postalCode: '75207', country: 'US' },
};
const destination = {
  addressType: 'BusinessWithLoadingDockOrForklift',
  timeZone: 'America/Chicago',
  contact,
  address: { street: '4400 Lakeside Pkwy', city: 'Austin', state: 'TX', postalCode: '78730', country: 'US' },
};

function furnitureOn(day: string, common: Readonly<Record<string, unknown>>): unknown {
  const size = { length: 84, width: 38, height: 34, unit: 'in' };
  const weightEach = { value: 142, unit: 'lb' };
  return {
    ...{ ...common, kind: 'furniture', pickup: { between: [day, addDays(day, 3)] } },
    items: [{ title: 'Sofa', commodity: 'Furniture', quantity: 1, size, weightEach }],
  };
}

function ltlOn(day: string, common: Readonly<Record<string, unknown>>): unknown {
  const stop = { services: { liftgate: false } };
  return {
    ...{ ...common, kind: 'ltl', pickup: { on: day } },
    ...{ origin: { ...origin, ...stop }, destination: { ...destination, ...stop } },
    items: [
      {
        ...{ title: 'Tiles', commodity: 'NewCommercialGoods', quantity: 2, stackable: false },
        handlingUnit: 'Pallets48X40Inches',
        size: { length: 48, width: 40, height: 36, unit: 'in' },
        weightEach: { value: 900, unit: 'lb' },
      },
    ],
  };
}

const DAYS_AHEAD = 7;
/** Skips weekends and the days on which the account is closed. */
const MAX_DAYS = 14;

/** One common order of each kind, with a pickup about a week ahead. @throws UserError */
export function sampleOrders(accounts: Accounts, account: string, now: Date): SampleOrders {
  const currency = accounts.marketplaceAccounts.find(({ name }) => name === account)?.settings.currency;
  const today = now.toISOString().slice(0, 10);
  const orderId = `conformance-${today.replaceAll('-', '')}`;
  const common = { account, orderId, origin, destination, coverage: { amount: '1000.00', currency } };
  let problems: readonly Problem[] = [];
  for (let ahead = DAYS_AHEAD; ahead < DAYS_AHEAD + MAX_DAYS; ahead += 1) {
    const day = addDays(today, ahead);
    const context = {
      accountOf: (name: string) => accounts.orderAccountOf(name),
      accountNames: accounts.names(),
      now,
    };
    const furniture = parseOrder(furnitureOn(day, common), context);
    const ltl = parseOrder(ltlOn(day, common), context);
    if (!furniture.ok) problems = furniture.problems;
    else if (!ltl.ok) problems = ltl.problems;
    else if (furniture.shipment.kind === 'furniture' && ltl.shipment.kind === 'ltl') {
      return { furniture: furniture.shipment, ltl: ltl.shipment };
    }
  }
  const why = problems.map(({ path, problem }) => `${path} ${problem}`).join('; ');
  throw new UserError(`The sample orders are invalid for account ${account}: ${why}.`);
}
