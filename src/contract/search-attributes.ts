import type { IsoInstant, Shipment } from '../domain/shipment';

/**
 * The search attributes of shipments and their types, created at every start. They are never encrypted, so that
 * no name, phone, street or e-mail address may become one. (A server on SQLite has room for 10 keywords and 3
 * of each other type.)
 */
export const SEARCH_ATTRIBUTES = {
  OrderId: 'KEYWORD',
  Account: 'KEYWORD',
  ShipmentKind: 'KEYWORD',
  ShipmentPhase: 'KEYWORD',
  ListingId: 'KEYWORD',
  TransitStatus: 'KEYWORD',
  PickupOn: 'DATETIME',
  NeedsAttention: 'BOOL',
  WaitsForAccount: 'BOOL',
} as const;

/** `PickupOn`: the last pickup day. */
export const pickupAttribute = ({ pickup }: Shipment): IsoInstant => `${pickup.latest}T00:00:00Z`;
