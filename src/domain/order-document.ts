import { decimalOf, type Money } from './money';
import type { FurnitureItem, LtlItem, OrderReference, Shipment, Stop, TimeFrame } from './shipment';

/**
 * An order as a document that reads as the same order, for a person who changes it. It is metric. It has no images and no
 * policy: the order does not say which of its policy its own document named.
 */
export function orderDocument(shipment: Shipment): Readonly<Record<string, unknown>> {
  const { kind, account, orderId, title, references, labels } = shipment;
  const { origin, destination, pickup, coverage, priceLimit } = shipment;
  return {
    ...{ kind, account, orderId, title },
    ...filled({ references: referencesOf(references), labels }),
    origin: stopDocument(origin, kind),
    destination: stopDocument(destination, kind),
    pickup: frameDocument(pickup),
    ...(shipment.kind === 'furniture' && shipment.delivery !== null
      ? { delivery: frameDocument(shipment.delivery) }
      : {}),
    items: shipment.items.map(itemDocument),
    ...filled({ coverage: moneyDocument(coverage), priceLimit: moneyDocument(priceLimit) }),
    ...ownParts(shipment),
  };
}

function ownParts(shipment: Shipment): Readonly<Record<string, unknown>> {
  if (shipment.kind === 'ltl') return filled({ services: shipment.services });
  const { description, driverNotes, attributes, serviceTypes, gallery, requestedRateTypes } = shipment;
  return filled({ description, driverNotes, attributes, serviceTypes, gallery, requestedRateTypes });
}

/** What is null or empty is left out of a document. */
function filled(parts: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const isEmpty = (value: unknown): boolean =>
    value === null || (typeof value === 'object' && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => !isEmpty(value)));
}

const moneyDocument = (money: Money | null) =>
  money === null ? null : { amount: decimalOf(money), currency: money.currency };

function frameDocument({ type, earliest, latest }: TimeFrame): Readonly<Record<string, unknown>> {
  if (type === 'on') return { on: latest };
  return type === 'before' ? { before: latest } : { between: [earliest, latest] };
}

function referencesOf(references: readonly OrderReference[]): Readonly<Record<string, unknown>> {
  const types = [...new Set(references.map(({ type }) => type))];
  return Object.fromEntries(
    types.map((type) => [
      type,
      references
        .filter((one) => one.type === type)
        .map(({ label, number }) => (label === null ? number : { label, number })),
    ]),
  );
}

function stopDocument(
  { address, addressType, timeZone, contact, services }: Stop,
  kind: Shipment['kind'],
): Readonly<Record<string, unknown>> {
  const { companyName: company, ...person } = contact;
  const { postalCode, ...place } = address;
  return {
    // Coordinates stand in place of a postal code.
    address: filled({ ...place, postalCode: postalCode === '' ? null : postalCode }),
    ...filled({ addressType }),
    timeZone,
    contact: filled({ ...person, company }),
    ...(kind === 'ltl' ? { services } : {}),
  };
}

function itemDocument(item: FurnitureItem | LtlItem): Readonly<Record<string, unknown>> {
  const { lengthInMeters, widthInMeters, heightInMeters, weightInGrams, ...rest } = item;
  return {
    ...filled(rest),
    ...(lengthInMeters === null
      ? {}
      : { size: { length: lengthInMeters, width: widthInMeters, height: heightInMeters, unit: 'm' } }),
    ...(weightInGrams === null ? {} : { weightEach: { value: weightInGrams, unit: 'g' } }),
  };
}
