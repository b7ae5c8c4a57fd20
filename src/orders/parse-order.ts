import { z } from 'zod';
import type { ShipmentPolicy } from '../domain/policy';
import {
  totalWeightInGrams,
  type OrderReference,
  type Shipment,
  type TimeFrame,
  type Stop,
} from '../domain/shipment';
import { cleanOrderId, isOrderId } from '../domain/workflow-id';
import { LTL_SERVICES, nearest, REFERENCE_TYPES } from './codes';
import { readFurnitureItem, readLtlItem } from './items';
import type { OrderAccount } from './order-account';
import { applyChoice, applyPolicy } from './policy';
import { jsonPath, Problems, type Problem } from './problem';
import { furnitureOrderSchema, ltlOrderSchema, type OrderWire } from './schema';
import { readStop } from './stops';
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
    }
  | { readonly ok: false; readonly problems: readonly Problem[]; readonly warnings: readonly Problem[] };

/** Reads an order document into a shipment, or tells everything that is wrong with it at once. */
export function parseOrder(document: unknown, context: OrderContext): OrderReading {
  const problems = new Problems();
  const wire = readWire(document, problems);
  const account = wire === null ? null : readAccount(wire, context, problems);
  const reading = wire === null || account === null ? null : readOrder(wire, account, context.now, problems);
  if (reading === null || problems.problems.length > 0) {
    return { ok: false, problems: problems.problems, warnings: problems.warnings };
  }
  return { ok: true, ...reading, warnings: problems.warnings };
}

function readWire(document: unknown, problems: Problems): OrderWire | null {
  const kind = z.looseObject({ kind: z.enum(['furniture', 'ltl']) }).safeParse(document);
  if (!kind.success) {
    problems.add('$.kind', 'the document does not say what it is', 'set "kind" to "furniture" or "ltl"');
    return null;
  }
  const isLtl = kind.data.kind === 'ltl';
  const schema = isLtl ? ltlOrderSchema : furnitureOrderSchema;
  const parsed = schema.safeParse(document);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) addIssue(issue, isLtl, problems);
  return null;
}

function addIssue(issue: z.core.$ZodIssue, isLtl: boolean, problems: Problems): void {
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys) {
      const path = jsonPath([...issue.path, key]);
      if (isLtl && key === 'delivery')
        problems.add(path, 'LTL has no delivery time frame', 'leave it out; the rate says how long it takes');
      else if (!isLtl && key === 'services')
        problems.add(path, 'furniture listings have no services', 'put the wish into the description');
      else problems.add(path, 'is not known here', nearestKey(key));
    }
    return;
  }
  const isMissing = issue.code === 'invalid_type' && issue.input === undefined;
  problems.add(jsonPath(issue.path), isMissing ? 'is missing' : 'is not right', issue.message);
}

const KNOWN_KEYS = Object.keys({ ...furnitureOrderSchema.shape, ...ltlOrderSchema.shape });

function nearestKey(key: string): string {
  const guess = nearest(key, KNOWN_KEYS);
  return guess === null ? 'leave it out, or use labels for notes of your own' : `did you mean ${guess}?`;
}

function readAccount(wire: OrderWire, context: OrderContext, problems: Problems): OrderAccount | null {
  if (!isOrderId(wire.orderId)) {
    problems.add(
      '$.orderId',
      `${wire.orderId} has characters that an order id may not have, or more than 50`,
      `letters, digits, dot, dash and underscore; "${cleanOrderId(wire.orderId)}" would do`,
    );
  }
  const account = context.accountOf(wire.account);
  if (account === null) {
    problems.add(
      '$.account',
      `there is no account ${wire.account}`,
      `use one of: ${context.accountNames.join(', ')}`,
    );
  }
  return account;
}

function readOrder(wire: OrderWire, account: OrderAccount, now: Date, problems: Problems) {
  const origin = readStop(wire.origin, 'origin', wire.kind, account, problems);
  const destination = readStop(wire.destination, 'destination', wire.kind, account, problems);
  const pickup = readTimeFrame(wire.pickup, '$.pickup', problems);
  const references = readReferences(wire, problems);
  const shipment = readShipment(wire, { account, now, problems, origin, destination, pickup, references });
  if (shipment === null) return null;
  checkTexts(shipment, problems);
  checkLimits(shipment, account, problems);
  const policy = applyPolicy(account.policy, wire.policy ?? {});
  const choose = wire.kind === 'ltl' ? (wire.choose ?? {}) : {};
  return {
    shipment,
    policy: { ...policy, rateRule: applyChoice(policy.rateRule, choose) },
    imageSources: wire.kind === 'furniture' ? wire.images : [],
  };
}

interface Parts {
  readonly account: OrderAccount;
  readonly now: Date;
  readonly problems: Problems;
  readonly origin: Stop | null;
  readonly destination: Stop | null;
  readonly pickup: TimeFrame | null;
  readonly references: readonly OrderReference[];
}

function readShipment(wire: OrderWire, parts: Parts): Shipment | null {
  const { account, now, problems, origin, destination, pickup, references } = parts;
  const furnitureItems =
    wire.kind === 'furniture'
      ? wire.items.map((item, index) => readFurnitureItem(item, index, problems))
      : [];
  const ltlItems =
    wire.kind === 'ltl' ? wire.items.map((item, index) => readLtlItem(item, index, account, problems)) : [];
  const delivery =
    wire.kind === 'furniture' && wire.delivery !== undefined
      ? readTimeFrame(wire.delivery, '$.delivery', problems)
      : null;
  if (origin === null || destination === null || pickup === null) return null;
  if (wire.kind === 'ltl') checkLtlPickup(pickup, origin.timeZone, now, problems);
  else checkFurnitureFrames(pickup, delivery, origin.timeZone, now, problems);
  const { orderId, labels } = wire;
  const common = {
    account: account.name,
    ...{ orderId, references, labels, origin, destination, pickup },
    title: wire.title ?? defaultTitle(wire),
    description: wire.description ?? null,
    coverage: wire.coverage ?? null,
    priceLimit: wire.priceLimit ?? null,
  };
  if (wire.kind === 'ltl') {
    for (const [index, service] of wire.services.entries()) checkService(service, index, problems);
    return { kind: 'ltl', ...common, items: ltlItems, services: wire.services };
  }
  const { serviceTypes, gallery } = wire;
  return {
    kind: 'furniture',
    ...common,
    ...{ delivery, serviceTypes, gallery },
    items: furnitureItems,
    driverNotes: wire.driverNotes ?? null,
    attributes: wire.attributes ?? null,
    requestedRateTypes: wire.requestedRateTypes ?? null,
    images: [],
  };
}

function checkService(service: string, index: number, problems: Problems): void {
  if (LTL_SERVICES.includes(service)) return;
  const guess = nearest(service, LTL_SERVICES);
  problems.add(
    `$.services[${index}]`,
    `${service} is no service`,
    guess === null ? `use one of: ${LTL_SERVICES.join(', ')}` : `did you mean ${guess}?`,
  );
}

function defaultTitle(wire: OrderWire): string {
  const [first] = wire.items;
  const name = first?.title ?? first?.commodity ?? wire.orderId;
  const more = wire.items.length > 1 ? ` and ${wire.items.length - 1} more` : '';
  return `${name.slice(0, 50 - more.length)}${more}`;
}

function readReferences(wire: OrderWire, problems: Problems): OrderReference[] {
  return Object.entries(wire.references).flatMap(([type, given]) => {
    const path = `$.references.${type}`;
    if (!REFERENCE_TYPES.includes(type)) {
      const guess = nearest(type, REFERENCE_TYPES);
      problems.add(
        path,
        `${type} is no type of reference`,
        guess === null ? `use one of: ${REFERENCE_TYPES.join(', ')}` : `did you mean ${guess}?`,
      );
    }
    return (Array.isArray(given) ? given : [given]).map((entry) => {
      const reference = typeof entry === 'string' ? { type, number: entry, label: null } : { type, ...entry };
      checkReference(reference, path, problems);
      return reference;
    });
  });
}

/** Contract, listing create rules: for type Other label and number together have at most 60 characters. */
function checkReference({ type, number, label }: OrderReference, path: string, problems: Problems): void {
  if (type === 'Other' && label === null) {
    problems.add(path, 'a reference of type Other needs a label', 'write [{"label": "…", "number": "…"}]');
  }
  const length = label === null ? number.length : `${label} - ${number}`.length;
  if (length > 60)
    problems.add(path, `has ${length} characters`, 'label, " - " and number have at most 60 together');
}

const isAscii = (text: string): boolean => /^[\u0020-\u007E\t\r\n]*$/.test(text);

/** Contract, Limits: title 50 and description 5000 characters, both ASCII. */
function checkTexts({ title, description }: Shipment, problems: Problems): void {
  for (const [path, text, limit] of [
    ['$.title', title, 50],
    ['$.description', description ?? '', 5_000],
  ] as const) {
    if (text.length > limit)
      problems.add(
        path,
        `has ${text.length} characters`,
        `at most ${limit}: "${text.slice(0, Math.min(limit, 50))}"`,
      );
    if (!isAscii(text)) {
      const plain = text
        .normalize('NFKD')
        .replaceAll(/[^\u0020-\u007E]/g, '')
        .slice(0, 50);
      problems.add(
        path,
        'has characters outside ASCII, which the marketplace refuses',
        `write for instance "${plain}"`,
      );
    }
  }
}

/** Seen in the marketplace's texts only, so that they warn and do not stop. */
const LTL_MIN_GRAMS = 68_039;
const LTL_MAX_GRAMS = 6_803_886;

function checkLimits(shipment: Shipment, account: OrderAccount, problems: Problems): void {
  const { coverage, origin, destination } = shipment;
  if (coverage !== null && (origin.address.country !== 'US' || destination.address.country !== 'US')) {
    problems.warn('$.coverage', 'protection is for moves within the US', 'expect it to be refused');
  }
  if (shipment.kind !== 'ltl') return;
  if (!account.hasIntegrator) {
    problems.warn(
      '$.account',
      'the account has no integratorId: no webhooks and no custom rates',
      'set it in the accounts file',
    );
  }
  const grams = totalWeightInGrams(shipment);
  if (grams > 0 && (grams < LTL_MIN_GRAMS || grams > LTL_MAX_GRAMS)) {
    problems.warn(
      '$.items',
      `${Math.round(grams / 1_000)} kg are outside what LTL usually takes (68 to 6804 kg)`,
      'expect no rates',
    );
  }
}
