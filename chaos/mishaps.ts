import type { FaultInput, OrderLedger, OrderSwitches } from '../sandbox';
import type { Deed } from './deeds';

/** What an order goes through; each draws one mishap of each of its parts. */
export type MishapPart = 'listing' | 'rates' | 'acceptance' | 'shipment';

export const PARTS_OF = {
  furniture: ['listing', 'shipment'],
  ltl: ['rates', 'acceptance', 'shipment'],
} as const satisfies Readonly<Record<'furniture' | 'ltl', readonly MishapPart[]>>;

/** One thing that goes wrong with one order at the marketplace. */
export interface Mishap {
  readonly name: string;
  readonly parts: readonly MishapPart[];
  /** How many times it is in the deck of each part; once when left out. */
  readonly cards?: number;
  /** The order ends by it, and meets nothing after. */
  readonly ends?: true;
  /** Faults of the order's own requests. */
  readonly faults?: readonly Omit<FaultInput, 'order' | 'match'>[];
  /** What the marketplace does otherwise with this order. */
  readonly switches?: OrderSwitches;
  /** What somebody does about a listing of the order when it is as the deed wants it. */
  readonly deed?: Deed;
  /** Done too, when it comes to that. */
  readonly epilogue?: Deed;
  /** Whether the order met it, as its ledger tells; without it, when its faults hit or its deed was done. */
  readonly isMet?: (order: OrderLedger) => boolean;
}
