import type { Money } from './money';

/** A calendar date `YYYY-MM-DD` in the time zone of its stop; never an instant. */
export type IsoDate = string;

/** An instant, ISO 8601 in UTC. */
export type IsoInstant = string;

/** The kind of an order, which decides its workflow. */
export type ShipmentKind = 'furniture' | 'ltl';

/** A postal address. */
export interface Address {
  readonly street: string;
  /** Suite or apartment. Sent as the alternate street address, never merged into the street. */
  readonly unit: string | null;
  readonly city: string;
  readonly state: string;
  readonly postalCode: string;
  /** ISO 3166 code of two letters. */
  readonly country: string;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/** Whom the carrier calls. */
export interface Contact {
  readonly name: string;
  readonly companyName: string | null;
  readonly phone: string;
  readonly email: string | null;
}

/** Accessorials of one LTL stop. All false for furniture, where the marketplace has none. */
export interface StopServices {
  readonly inside: boolean;
  readonly liftgate: boolean;
  readonly callBeforeArrival: boolean;
  readonly appointment: boolean;
}

/** Where the goods are picked up or delivered. */
export interface Stop {
  readonly address: Address;
  /** An address type of the marketplace (an open list). Null counts as a residence there. */
  readonly addressType: string | null;
  /** IANA time zone of the stop's dates. */
  readonly timeZone: string;
  readonly contact: Contact;
  readonly services: StopServices;
}

/** How the days of a time frame are meant. */
export type TimeFrameType = 'on' | 'between' | 'before';

/** The days of a pickup or a delivery. */
export interface TimeFrame {
  readonly type: TimeFrameType;
  /** Null for `before`. Equal to `latest` for `on`. */
  readonly earliest: IsoDate | null;
  readonly latest: IsoDate;
}

/** A line of a furniture order. */
export interface FurnitureItem {
  readonly title: string;
  readonly description: string | null;
  readonly commodity: string;
  readonly quantity: number;
  readonly lengthInMeters: number;
  readonly widthInMeters: number;
  readonly heightInMeters: number;
  /** Of one unit, rounded up: a carrier that reweighs heavier than declared bills the difference. */
  readonly weightInGrams: number;
}

/** A line of an LTL order. */
export interface LtlItem {
  readonly title: string | null;
  readonly description: string | null;
  readonly commodity: string;
  readonly quantity: number;
  readonly handlingUnit: string;
  readonly packaging: string | null;
  readonly stackable: boolean;
  readonly hazardous: boolean;
  /** One of the 18 NMFC classes as text. Null requires size and weight. */
  readonly freightClass: string | null;
  readonly lengthInMeters: number | null;
  readonly widthInMeters: number | null;
  readonly heightInMeters: number | null;
  /** Of one unit. */
  readonly weightInGrams: number | null;
}

/** A reference number of the order. */
export interface OrderReference {
  /** One of the marketplace's reference types, such as `PurchaseOrder`. */
  readonly type: string;
  readonly number: string;
  /** Set only for type `Other`. */
  readonly label: string | null;
}

/** An image that the starter stored before the order started, because workers cannot read the starter's disk. */
export interface StoredImage {
  readonly fileName: string;
  readonly contentType: string;
  readonly sizeInBytes: number;
  /** SHA-256 of the content in hex: its address in the file store. */
  readonly sha256: string;
  /** Source address; kept only if the account sends addresses instead of images. */
  readonly url?: string;
}

/** What orders of both kinds have. */
export interface ShipmentBase {
  readonly account: string;
  readonly orderId: string;
  readonly title: string;
  readonly description: string | null;
  readonly references: readonly OrderReference[];
  /** Notes of the upstream system, copied to events and exports, never sent to the marketplace. */
  readonly labels: Readonly<Record<string, string>>;
  readonly origin: Stop;
  readonly destination: Stop;
  readonly pickup: TimeFrame;
  readonly coverage: Money | null;
  /** A person must approve a price above this. */
  readonly priceLimit: Money | null;
}

/** A furniture order. */
export interface FurnitureShipment extends ShipmentBase {
  readonly kind: 'furniture';
  readonly delivery: TimeFrame | null;
  readonly items: readonly FurnitureItem[];
  /** Only the driver sees them. */
  readonly driverNotes: string | null;
  readonly attributes: Readonly<Record<'crated' | 'stackable' | 'palletized', boolean>> | null;
  readonly serviceTypes: readonly string[];
  readonly gallery: readonly string[];
  readonly requestedRateTypes: string | null;
  readonly images: readonly StoredImage[];
}

/** An LTL freight order. */
export interface LtlShipment extends ShipmentBase {
  readonly kind: 'ltl';
  readonly items: readonly LtlItem[];
  /** Services for the whole shipment, such as `ProtectFromFreezing`. */
  readonly services: readonly string[];
}

/** A validated order document: metric, complete, with every default filled in. Plain JSON. */
export type Shipment = FurnitureShipment | LtlShipment;

/**
 * Possible total weights in a record, the intended one first. The contract does not say whether a line's weight is of
 * one unit or of all units, so the marketplace may read either. An item without a weight (LTL by freight class)
 * counts as 0; a load of only such items has no total.
 */
export function totalWeightsInGrams({ items }: Shipment): readonly number[] {
  const total = (readingOf: (weight: number, quantity: number) => number): number =>
    items.reduce<number>((sum, item) => sum + readingOf(item.weightInGrams ?? 0, item.quantity), 0);
  const meant = total((weight, quantity) => weight * quantity);
  const ofLinesAsSent = total((weight) => weight);
  const ofLinesMultiplied = total((weight, quantity) => weight * quantity * quantity);
  return [...new Set([meant, ofLinesAsSent, ofLinesMultiplied])].filter((weight) => weight > 0);
}
