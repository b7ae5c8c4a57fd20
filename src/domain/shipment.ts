import type { Money } from './money';

/** A calendar date `YYYY-MM-DD` in the zone of the stop that it belongs to; never an instant. */
export type IsoDate = string;

/** An instant, ISO 8601 in UTC. */
export type IsoInstant = string;

/** The kind of an order, which decides its workflow. */
export type ShipmentKind = 'furniture' | 'ltl';

/** A postal address. */
export interface Address {
  readonly street: string;
  /** Suite or apartment; sent as the alternate street address, never merged into the street. */
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

/** Accessorials of one LTL stop. All false on furniture, for which the marketplace has none. */
export interface StopServices {
  readonly inside: boolean;
  readonly liftgate: boolean;
  readonly callBeforeArrival: boolean;
  readonly appointment: boolean;
}

/** Where the goods are picked up or delivered. */
export interface Stop {
  readonly address: Address;
  /** One of the marketplace's address types (an open list), or null: it then counts as a residence there. */
  readonly addressType: string | null;
  /** IANA zone in which the stop's dates are meant. */
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
  /** One of the 18 NMFC classes as text, or null: then size and weight are all there. */
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
  /** Only with type `Other`. */
  readonly label: string | null;
}

/** An image that the starter stored before the order started; workers cannot read the starter's disk. */
export interface StoredImage {
  readonly fileName: string;
  readonly contentType: string;
  readonly sizeInBytes: number;
  /** SHA-256 of the content in hex: its address in the file store. */
  readonly sha256: string;
  /** Where it was fetched. Only kept where the account sends addresses in place of images. */
  readonly url?: string;
}

/** What orders of both kinds have. */
export interface ShipmentBase {
  readonly account: string;
  readonly orderId: string;
  readonly title: string;
  readonly description: string | null;
  readonly references: readonly OrderReference[];
  /** The upstream system's own notes, carried along to events and exports, never sent to the marketplace. */
  readonly labels: Readonly<Record<string, string>>;
  readonly origin: Stop;
  readonly destination: Stop;
  readonly pickup: TimeFrame;
  readonly coverage: Money | null;
  /** Above this a person must approve the price. */
  readonly priceLimit: Money | null;
}

/** A furniture order. */
export interface FurnitureShipment extends ShipmentBase {
  readonly kind: 'furniture';
  readonly delivery: TimeFrame | null;
  readonly items: readonly FurnitureItem[];
  /** Seen by the driver only. */
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
  /** Additional services of the whole shipment, such as `ProtectFromFreezing`. */
  readonly services: readonly string[];
}

/** An order document after validation: metric, complete, every default written out. Plain JSON. */
export type Shipment = FurnitureShipment | LtlShipment;

/**
 * What a record may show as the weight of everything. The contract does not say whether the weight of a line is of one
 * unit or of all: the marketplace may read either, whichever the account sends. The weight that is meant comes first; items
 * without a weight (LTL by freight class) count as 0, and a load of only those has none.
 */
export function totalWeightsInGrams({ items }: Shipment): readonly number[] {
  const total = (readingOf: (weight: number, quantity: number) => number): number =>
    items.reduce<number>((sum, item) => sum + readingOf(item.weightInGrams ?? 0, item.quantity), 0);
  const meant = total((weight, quantity) => weight * quantity);
  const ofLinesAsSent = total((weight) => weight);
  const ofLinesMultiplied = total((weight, quantity) => weight * quantity * quantity);
  return [...new Set([meant, ofLinesAsSent, ofLinesMultiplied])].filter((weight) => weight > 0);
}
