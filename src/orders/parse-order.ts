import type { ShipmentPolicy } from '../domain/policy';
import type { Shipment, Stop, TimeFrame } from '../domain/shipment';
import { cleanOrderId, isOrderId } from '../domain/workflow-id';
import { LTL_SERVICES } from './codes';
import { checkPlaceForms } from './coordinates';
import { readCanonical, readOrderShape } from './order-shape';
import { readFurnitureItem, readLtlItem } from './items';
import { checkCoverage, checkPolicy, warnLimitCurrencies, warnLtlLimits } from './limits';
import { correctionOf, nearest } from './spelling';
import { withoutOddities } from './odd-texts';
import type { OrderAccount } from './order-account';
import { applyPolicy, applyRateRule, oddPaymentMethodId } from './policy';
import { Problems, type Problem } from './problem';
import { readReferences } from './references';
import type { FurnitureShape, LtlShape, OrderShape } from './schema';
import { readStop } from './stops';
import { readTexts } from './texts';
import { checkFurnitureFrames, checkLtlPickup, readTimeFrame, type FrameReading } from './time-frames';

export type { Problem } from './problem';

export interface OrderContext {
  readonly accountOf: (name: string) => OrderAccount | null;
  readonly accountNames: readonly string[];
  readonly now: Date;
}

export type OrderReading =
  | {
      readonly ok: true;
      /** Complete except for its images, which are stored when the order starts. */
      readonly shipment: Shipment;
      readonly policy: ShipmentPolicy;
      readonly imageSources: readonly string[];
      readonly warnings: readonly Problem[];
      /** The document as JSON with sorted keys: the input of `documentHash`. */
      readonly canonical: string;
    }
  | { readonly ok: false; readonly problems: readonly Problem[]; readonly warnings: readonly Problem[] };

/** Reads an order document into a shipment, or reports all its problems at once. Never throws. */
export function parseOrder(document: unknown, context: OrderContext): OrderReading {
  const problems = new Problems();
  const canonical = readCanonical(document, problems);
  const wire = canonical === null ? null : readOrderShape(withoutOddities(document, problems), problems);
  const reading = wire === null ? null : readOrder(wire, context, problems);
  const { warnings } = problems;
  if (canonical === null || reading === null || problems.problems.length > 0) {
    return { ok: false, problems: problems.problems, warnings };
  }
  return { ok: true, ...reading, warnings, canonical };
}

function readAccount(wire: OrderShape, context: OrderContext, problems: Problems): OrderAccount | null {
  if (wire.account === undefined) return null;
  const account = context.accountOf(wire.account);
  if (account === null) {
    const guess = nearest(wire.account, context.accountNames);
    const remedy = `use one of: ${context.accountNames.join(', ')}`;
    problems.add(
      '$.account',
      `there is no account named ${wire.account}`,
      guess === null ? remedy : `did you mean ${guess}?`,
    );
  }
  return account;
}

function checkOrderId({ orderId }: OrderShape, problems: Problems): void {
  if (orderId === undefined || isOrderId(orderId)) return;
  problems.add(
    '$.orderId',
    `${orderId.slice(0, 80)} is not a valid order id`,
    `use at most 50 letters, digits, dots, dashes and underscores, such as "${cleanOrderId(orderId)}"`,
  );
}

/** The common parts of both kinds of order; a part is null where it is missing, which is then reported. */
interface Parts {
  readonly account: OrderAccount | null;
  /** Null without an account. */
  readonly policy: ShipmentPolicy | null;
  readonly now: Date;
  readonly problems: Problems;
  readonly timeZone: string | null;
  readonly origin: Stop | null;
  readonly destination: Stop | null;
  readonly pickup: TimeFrame | null;
}

function readOrder(wire: OrderShape, context: OrderContext, problems: Problems) {
  checkOrderId(wire, problems);
  const account = readAccount(wire, context, problems);
  const { kind } = wire;
  // Without an account it is unknown where its LTL goes. It is checked once the account is named.
  const reading = { kind, account, ltlCountries: account?.ltlCountries ?? 'any', problems };
  const { stop: origin, timeZone } = readStop(wire.origin, { ...reading, path: '$.origin' });
  const destination = readStop(wire.destination, { ...reading, path: '$.destination' }).stop;
  const pickup = wire.pickup === undefined ? null : readTimeFrame(wire.pickup, '$.pickup', problems);
  const policy = account === null ? null : readPolicy(wire, account, problems);
  const parts: Parts = { account, policy, now: context.now, problems, timeZone, origin, destination, pickup };
  const common = readCommon(wire, parts);
  const own = kind === 'ltl' ? readLtl(wire, parts) : readFurniture(wire, parts);
  checkCoverage(wire, { account, stops: [origin, destination] }, problems);
  warnLimitCurrencies(wire, account, problems);
  if (policy === null || common === null || own === null) return null;
  const imageSources = kind === 'furniture' ? (wire.images ?? []) : [];
  const shipment: Shipment = { ...common, ...own };
  return { shipment, policy, imageSources };
}

/** The defaults, then the account, then the order. */
function readPolicy(wire: OrderShape, account: OrderAccount, problems: Problems): ShipmentPolicy {
  const merged = applyPolicy(account.policy, wire.policy ?? {});
  const rule = wire.kind === 'ltl' ? (wire.rateRule ?? {}) : {};
  const policy = { ...merged, rateRule: applyRateRule(merged.rateRule, rule) };
  checkPolicy(policy, problems);
  const odd = oddPaymentMethodId(wire.policy?.paymentMethodId);
  if (odd !== null) problems.warn('$.policy.paymentMethodId', odd, 'check that you copied all of it');
  return policy;
}

function readCommon(wire: OrderShape, { account, origin, destination, pickup, problems }: Parts) {
  const references = readReferences(wire, problems);
  const texts = readTexts(wire, problems);
  const { orderId, labels = {}, coverage = null, priceLimit = null } = wire;
  if (account === null || orderId === undefined) return null;
  if (origin === null || destination === null || pickup === null) return null;
  return {
    ...{ account: account.name, orderId, ...texts, references, labels },
    ...{ origin, destination, pickup, coverage, priceLimit },
  };
}

const isThere = <T>(value: T | null): value is T => value !== null;

function readLtl(wire: LtlShape, parts: Parts) {
  const { account, problems, origin, destination, pickup } = parts;
  const items = (wire.items ?? []).map((item, index) =>
    item === null ? null : readLtlItem(item, index, account, problems),
  );
  const { services = [] } = wire;
  for (const [index, service] of services.entries()) checkService(service, index, problems);
  if (pickup !== null) checkLtlPickup(pickup, frameReading(parts), account?.ltlWeekends ?? 'refused');
  checkPlaceForms(origin, destination, problems);
  warnLtlLimits(items, account, problems);
  return items.every(isThere) ? { kind: 'ltl' as const, items, services } : null;
}

/** What the days of the pickup are checked with. */
const frameReading = ({ policy, now, problems, timeZone, origin }: Parts): FrameReading => ({
  ...{ timeZone, now, problems, rules: policy?.pickup ?? null },
  country: origin?.address.country ?? null,
});

function readFurniture(wire: FurnitureShape, parts: Parts) {
  const { problems, pickup } = parts;
  const items = (wire.items ?? []).map((item, index) =>
    item === null ? null : readFurnitureItem(item, index, problems),
  );
  const delivery = wire.delivery === undefined ? null : readTimeFrame(wire.delivery, '$.delivery', problems);
  if (pickup !== null) checkFurnitureFrames(pickup, delivery, frameReading(parts));
  if (!items.every(isThere)) return null;
  const { serviceTypes = [], gallery = [], driverNotes = null, attributes = null } = wire;
  return {
    kind: 'furniture' as const,
    ...{ items, delivery, driverNotes, attributes, serviceTypes, gallery, images: [] },
    requestedRateTypes: wire.requestedRateTypes ?? null,
  };
}

function checkService(service: string, index: number, problems: Problems): void {
  if (LTL_SERVICES.includes(service)) return;
  const path = `$.services[${index}]`;
  const otherwise = `use one of: ${LTL_SERVICES.join(', ')}`;
  const { remedy, fix } = correctionOf(service, LTL_SERVICES, { path, otherwise });
  problems.add(path, `${service} is not a service`, remedy, fix);
}
