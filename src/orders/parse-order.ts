import { z } from 'zod';
import type { ShipmentPolicy } from '../domain/policy';
import type { Shipment, Stop, TimeFrame } from '../domain/shipment';
import { cleanOrderId, isOrderId } from '../domain/workflow-id';
import { LTL_SERVICES, nearest } from './codes';
import { canonicalJson } from './document-hash';
import { readFurnitureItem, readLtlItem } from './items';
import { checkCoverage, checkPolicy, warnLtlLimits } from './limits';
import type { OrderAccount } from './order-account';
import { applyChoice, applyPolicy } from './policy';
import { Problems, type Problem } from './problem';
import { MAX_DOCUMENT_BYTES } from './read-document';
import { readReferences } from './references';
import { salvage } from './salvage';
import {
  furnitureDraftSchema,
  furnitureOrderSchema,
  ltlDraftSchema,
  ltlOrderSchema,
  type FurnitureDraft,
  type LtlDraft,
  type OrderDraft,
} from './schema';
import { schemaProblems } from './schema-problems';
import { readStop } from './stops';
import { readTexts } from './texts';
import { checkFurnitureFrames, checkLtlPickup, readTimeFrame } from './time-frames';

export type { Problem } from './problem';

export interface OrderContext {
  readonly accountOf: (name: string) => OrderAccount | null;
  readonly accountNames: readonly string[];
  readonly now: Date;
}

export type OrderReading =
  | {
      readonly ok: true;
      /** Complete but for its images, which are stored when the order starts. */
      readonly shipment: Shipment;
      readonly policy: ShipmentPolicy;
      readonly imageSources: readonly string[];
      readonly warnings: readonly Problem[];
      /** The document as given, as JSON with sorted keys: what `documentHash` is of. */
      readonly canonical: string;
    }
  | { readonly ok: false; readonly problems: readonly Problem[]; readonly warnings: readonly Problem[] };

/** Reads an order document into a shipment, or tells everything that is wrong with it at once. Never throws. */
export function parseOrder(document: unknown, context: OrderContext): OrderReading {
  const problems = new Problems();
  const canonical = readCanonical(document, problems);
  const wire = canonical === null ? null : readDraft(document, canonical, problems);
  const reading = wire === null ? null : readOrder(wire, context, problems);
  const { warnings } = problems;
  if (canonical === null || reading === null || problems.problems.length > 0) {
    return { ok: false, problems: problems.problems, warnings };
  }
  return { ok: true, ...reading, warnings, canonical };
}

/** What cannot be written as JSON of a bounded size cannot be carried by a workflow either. */
function readCanonical(document: unknown, problems: Problems): string | null {
  try {
    const canonical = canonicalJson(document);
    const bytes = Buffer.byteLength(canonical);
    if (bytes <= MAX_DOCUMENT_BYTES) return canonical;
    problems.add('$', `the document has ${bytes} bytes`, `at most ${MAX_DOCUMENT_BYTES} are read`);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    problems.add(
      '$',
      'the document is not plain JSON',
      'give objects, lists, texts, numbers and booleans only',
    );
  }
  return null;
}

function readDraft(document: unknown, canonical: string, problems: Problems): OrderDraft | null {
  const kind = z.looseObject({ kind: z.enum(['furniture', 'ltl']) }).safeParse(document);
  if (!kind.success) {
    problems.add('$.kind', 'the document does not say what it is', 'set "kind" to "furniture" or "ltl"');
    return null;
  }
  const isLtl = kind.data.kind === 'ltl';
  const schema = isLtl ? ltlOrderSchema : furnitureOrderSchema;
  const parsed = schema.safeParse(document);
  if (parsed.success) return parsed.data;
  for (const { path, problem, remedy } of schemaProblems(schema, parsed.error, document)) {
    const [said, advice] = KNOWN_MISTAKES[`${kind.data.kind} ${path}`] ?? [problem, remedy];
    problems.addMalformed(path, said, advice);
  }
  const copy: unknown = JSON.parse(canonical);
  return isLtl ? salvage(ltlDraftSchema, copy) : salvage(furnitureDraftSchema, copy);
}

/** Keys of the other kind, with the reason why they are none of this one. */
const KNOWN_MISTAKES: Readonly<Record<string, readonly [string, string]>> = {
  'ltl $.delivery': ['LTL has no delivery time frame', 'leave it out; the rate says how long it takes'],
  'ltl $.images': ['LTL listings take no images', 'leave them out'],
  'ltl $.driverNotes': ['LTL has no notes for the driver', 'put the wish into the description of an item'],
  'furniture $.services': ['furniture listings have no services', 'put the wish into the description'],
  'furniture $.choose': [
    'furniture has one fixed price and no rates to choose from',
    'set priceLimit instead',
  ],
};

function readAccount(wire: OrderDraft, context: OrderContext, problems: Problems): OrderAccount | null {
  if (wire.account === undefined) return null;
  const account = context.accountOf(wire.account);
  if (account === null) {
    const guess = nearest(wire.account, context.accountNames);
    const remedy = `use one of: ${context.accountNames.join(', ')}`;
    problems.add(
      '$.account',
      `there is no account ${wire.account}`,
      guess === null ? remedy : `did you mean ${guess}?`,
    );
  }
  return account;
}

function checkOrderId({ orderId }: OrderDraft, problems: Problems): void {
  if (orderId === undefined || isOrderId(orderId)) return;
  problems.add(
    '$.orderId',
    `${orderId.slice(0, 80)} has characters that an order id may not have, or more than 50`,
    `letters, digits, dot, dash and underscore; "${cleanOrderId(orderId)}" would do`,
  );
}

/** What both kinds of order have in common, read; null where it lacks something, which is then told. */
interface Parts {
  readonly account: OrderAccount | null;
  readonly now: Date;
  readonly problems: Problems;
  readonly timeZone: string | null;
  readonly origin: Stop | null;
  readonly destination: Stop | null;
  readonly pickup: TimeFrame | null;
}

function readOrder(wire: OrderDraft, context: OrderContext, problems: Problems) {
  checkOrderId(wire, problems);
  const account = readAccount(wire, context, problems);
  const { kind } = wire;
  const { stop: origin, timeZone } = readStop(wire.origin, { path: '$.origin', kind, account, problems });
  const destination = readStop(wire.destination, { path: '$.destination', kind, account, problems }).stop;
  const pickup = wire.pickup === undefined ? null : readTimeFrame(wire.pickup, '$.pickup', problems);
  const parts: Parts = { account, now: context.now, problems, timeZone, origin, destination, pickup };
  const common = readCommon(wire, parts);
  const own = kind === 'ltl' ? readLtl(wire, parts) : readFurniture(wire, parts);
  checkCoverage(wire, [origin, destination], problems);
  if (account === null) return null;
  const merged = applyPolicy(account.policy, wire.policy ?? {});
  const choose = kind === 'ltl' ? (wire.choose ?? {}) : {};
  const policy = { ...merged, rateRule: applyChoice(merged.rateRule, choose) };
  checkPolicy(policy, problems);
  if (common === null || own === null) return null;
  const imageSources = kind === 'furniture' ? (wire.images ?? []) : [];
  const shipment: Shipment = { ...common, ...own };
  return { shipment, policy, imageSources };
}

function readCommon(wire: OrderDraft, { account, origin, destination, pickup, problems }: Parts) {
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

function readLtl(wire: LtlDraft, { account, now, problems, timeZone, pickup }: Parts) {
  const items = (wire.items ?? []).map((item, index) =>
    item === null ? null : readLtlItem(item, index, account, problems),
  );
  const { services = [] } = wire;
  for (const [index, service] of services.entries()) checkService(service, index, problems);
  if (pickup !== null) checkLtlPickup(pickup, timeZone, now, problems);
  warnLtlLimits(items, account, problems);
  return items.every(isThere) ? { kind: 'ltl' as const, items, services } : null;
}

function readFurniture(wire: FurnitureDraft, { now, problems, timeZone, pickup }: Parts) {
  const items = (wire.items ?? []).map((item, index) =>
    item === null ? null : readFurnitureItem(item, index, problems),
  );
  const delivery = wire.delivery === undefined ? null : readTimeFrame(wire.delivery, '$.delivery', problems);
  if (pickup !== null) checkFurnitureFrames(pickup, delivery, { timeZone, now, problems });
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
  const guess = nearest(service, LTL_SERVICES);
  const remedy = guess === null ? `use one of: ${LTL_SERVICES.join(', ')}` : `did you mean ${guess}?`;
  problems.add(`$.services[${index}]`, `${service} is no service`, remedy);
}
