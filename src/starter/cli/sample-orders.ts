import { UserError } from '../../platform/user-error';
import type { Accounts } from '../../accounts';
import type { FurnitureShipment, LtlShipment, ShipmentKind } from '../../domain/shipment';
import { addDays } from '../../domain/calendar';
import { parseOrder, type Problem } from '../../orders/parse-order';

/** Orders for price requests only: they are never placed. */
export interface SampleOrders {
  readonly furniture: FurnitureShipment;
  readonly ltl: LtlShipment;
}

/** What differs between samples. */
interface Sample {
  readonly account: string;
  readonly orderId: string;
  readonly contact: Readonly<Record<string, string>>;
}

type Document = Readonly<Record<string, unknown>>;

const origin = {
  addressType: 'BusinessWithLoadingDockOrForklift',
  timeZone: 'America/Chicago',
  address: { street: '2200 Vantage St', city: 'Dallas', state: 'TX', postalCode: '75207', country: 'US' },
};
const destination = {
  addressType: 'BusinessWithLoadingDockOrForklift',
  timeZone: 'America/Chicago',
  address: { street: '4400 Lakeside Pkwy', city: 'Austin', state: 'TX', postalCode: '78730', country: 'US' },
};

interface Common extends Omit<Sample, 'contact'> {
  readonly origin: Document;
  readonly destination: Document;
  readonly coverage: Document;
}

function furnitureOn(day: string, common: Common): Document {
  const size = { length: 84, width: 38, height: 34, unit: 'in' };
  const weightEach = { value: 142, unit: 'lb' };
  return {
    ...{ ...common, kind: 'furniture', pickup: { between: [day, addDays(day, 3)] } },
    items: [{ title: 'Sofa', commodity: 'Furniture', quantity: 1, size, weightEach }],
  };
}

function ltlOn(day: string, common: Common): Document {
  const services = { liftgate: false };
  return {
    ...{ ...common, kind: 'ltl', pickup: { on: day } },
    ...{ origin: { ...common.origin, services }, destination: { ...common.destination, services } },
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
  const contact = { name: 'Conformance check', company: 'Conformance check', phone: '+1 214 555 0100' };
  const orderId = `conformance-${now.toISOString().slice(0, 10).replaceAll('-', '')}`;
  return findSamples(accounts, { account, orderId, contact }, now).orders;
}

/**
 * The document of an example order for the first account. Its price limit is so low that a person is asked before anything
 * is booked, in case somebody starts it as it is. @throws UserError
 */
export function exampleDocument(accounts: Accounts, kind: ShipmentKind, now: Date): Document {
  const [account] = accounts.names();
  if (account === undefined) throw new UserError('The accounts file has no account.');
  const contact = { name: 'Dock office', company: 'Example Company', phone: '+1 214 555 0100' };
  const { documents } = findSamples(accounts, { account, orderId: 'EXAMPLE-1', contact }, now);
  const priceLimit = { amount: '1.00', currency: currencyOf(accounts, account) };
  const notes = { references: { PurchaseOrder: 'PO-1' }, labels: { costCentre: '4410' } };
  return { ...documents[kind], ...notes, priceLimit };
}

const currencyOf = (accounts: Accounts, account: string): string | undefined =>
  accounts.marketplaceAccounts.find(({ name }) => name === account)?.settings.currency;

interface Samples {
  readonly orders: SampleOrders;
  readonly documents: Readonly<Record<ShipmentKind, Document>>;
}

function findSamples(accounts: Accounts, { account, orderId, contact }: Sample, now: Date): Samples {
  const today = now.toISOString().slice(0, 10);
  const coverage = { amount: '1000.00', currency: currencyOf(accounts, account) };
  const stops = { origin: { ...origin, contact }, destination: { ...destination, contact } };
  const common = { account, orderId, ...stops, coverage };
  let problems: readonly Problem[] = [];
  for (let ahead = DAYS_AHEAD; ahead < DAYS_AHEAD + MAX_DAYS; ahead += 1) {
    const day = addDays(today, ahead);
    const context = {
      accountOf: (name: string) => accounts.orderAccountOf(name),
      accountNames: accounts.names(),
      now,
    };
    const documents = { furniture: furnitureOn(day, common), ltl: ltlOn(day, common) };
    const furniture = parseOrder(documents.furniture, context);
    const ltl = parseOrder(documents.ltl, context);
    if (!furniture.ok) problems = furniture.problems;
    else if (!ltl.ok) problems = ltl.problems;
    else if (furniture.shipment.kind === 'furniture' && ltl.shipment.kind === 'ltl')
      return { documents, orders: { furniture: furniture.shipment, ltl: ltl.shipment } };
  }
  const why = problems.map(({ path, problem }) => `${path} ${problem}`).join('; ');
  throw new UserError(`The sample orders are invalid for account ${account}: ${why}.`);
}
