import type { OrderLedger, OrderSwitches, Trouble } from '../sandbox';
import type { ScriptedAction } from './scripted-actions';

/** The parts of an order's life; each order draws one mishap for each of its parts. */
export type MishapPart = 'listing' | 'rates' | 'acceptance' | 'shipment';

export const PARTS_OF = {
  furniture: ['listing', 'shipment'],
  ltl: ['rates', 'acceptance', 'shipment'],
} as const satisfies Readonly<Record<'furniture' | 'ltl', readonly MishapPart[]>>;

/** One thing that goes wrong with one order at the marketplace. */
export interface Mishap {
  readonly name: string;
  readonly parts: readonly MishapPart[];
  /** How many times it is in the deck of each part; default: once. */
  readonly cards?: number;
  /** It ends the order, which meets no later mishap. */
  readonly ends?: true;
  readonly troubles?: readonly Trouble[];
  /** How the marketplace is for this order. */
  readonly switches?: OrderSwitches;
  /** What somebody does about a listing of the order when the condition is met. */
  readonly action?: ScriptedAction;
  /** A second action, done if its condition is met. */
  readonly epilogue?: ScriptedAction;
  /** Whether the order met it, by its ledger. It must also have met the troubles and the action, where there are any. */
  readonly isMet?: (order: OrderLedger) => boolean;
}

/** The mishaps of each order, by its id. */
export type DrawnMishaps = ReadonlyMap<string, readonly Mishap[]>;
