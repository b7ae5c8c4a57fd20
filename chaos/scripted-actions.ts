import { pause } from '../src/platform/pause';
import type { LedgerListing, Sandbox, TroubleInput } from '../sandbox';
import type { ListingTrouble } from '../sandbox/troubles/trouble';
import { referenceOf } from './orders';

interface Scene {
  readonly sandbox: Sandbox;
  readonly orderId: string;
  readonly listingId: number;
  /** @returns false when it was refused, or no workflow is there */
  readonly withdraw: (orderId: string) => Promise<boolean>;
}

/** @returns false when it must be tried again */
type Deed = (scene: Scene) => unknown;

/** What somebody does once about an order, after one of its listings has had the status for a while. */
export interface ScriptedAction {
  readonly status: 'Active' | 'Booked' | 'OnHold' | 'Expired' | 'Completed';
  /** Only a listing that was booked before. */
  readonly wasBooked?: true;
  /** How long it must have had the status. */
  readonly afterMs?: number;
  readonly does: Deed;
}

/** The same goods again under the same reference; no carrier will book them. */
export const postedByHand = (number: string, like: number): TroubleInput['what'] => ({
  ...{ kind: 'foreignListings', like },
  referenceNumbers: [{ number, type: 'ThirdPartyOrderNumber' }],
});

/** Somebody posts the order again by hand, where no carrier sees it. */
export const secondListing: Deed = ({ sandbox, orderId, listingId }) =>
  sandbox.trouble({ what: postedByHand(referenceOf(orderId), listingId) });
export const withdraw: Deed = async (scene) => await scene.withdraw(scene.orderId);
export const correctPrice =
  (amount: number): Deed =>
  ({ sandbox, listingId }) =>
    sandbox.controls.adjustPrice(listingId, { amount });
export const befalls =
  (kind: ListingTrouble['kind']): Deed =>
  ({ sandbox, listingId }) =>
    sandbox.trouble({ whom: { listing: listingId }, what: { kind, leaves: 'Rebooked' } });

export interface PlannedAction {
  readonly orderId: string;
  readonly mishap: string;
  readonly action: ScriptedAction;
}

/** Short enough to act on a listing before it is booked, and on a booking before its goods are delivered. */
const LOOK_MS = 250;

export const deedOf = ({ orderId, mishap }: Pick<PlannedAction, 'orderId' | 'mishap'>): string =>
  `${orderId} ${mishap}`;

/** Does every planned action once, when its time has come. @returns the names of those that were done */
export async function doActions(
  planned: readonly PlannedAction[],
  doer: Pick<Scene, 'sandbox' | 'withdraw'>,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const done = new Set<string>();
  /** Since when a listing has had the status of an action. */
  const seenAt = new Map<string, number>();
  const isRipe = (one: PlannedAction, listing: LedgerListing): boolean => {
    const { status, wasBooked, afterMs = 0 } = one.action;
    const key = `${deedOf(one)} ${listing.listingId}`;
    const isMeant = listing.status === status && !listing.isDeleted && (!wasBooked || listing.wasBooked);
    const since = seenAt.get(key) ?? Date.now();
    if (isMeant) seenAt.set(key, since);
    else seenAt.delete(key);
    return isMeant && Date.now() - since >= afterMs;
  };
  const isLeft = (one: PlannedAction): boolean => !done.has(deedOf(one));
  while (planned.some(isLeft) && (await pause(LOOK_MS, signal))) {
    const { orders } = doer.sandbox.ledger();
    // All begin at once: a look would be out of date while another order's withdrawal waits for Temporal.
    const deeds = planned.filter(isLeft).map(async (one) => {
      const { orderId, action } = one;
      const ripe = orders[referenceOf(orderId)]?.listings.find((listing) => isRipe(one, listing));
      if (ripe === undefined) return;
      if ((await action.does({ ...doer, orderId, listingId: ripe.listingId })) === false) return;
      done.add(deedOf(one));
    });
    await Promise.all(deeds);
  }
  return done;
}
