import { setTimeout as delay } from 'node:timers/promises';
import { assertNever } from '../src/domain/assert-never';
import { orderReference } from '../src/domain/workflow-id';
import type { LedgerListing, TroubleInput } from '../sandbox';
import type { ListingTrouble } from '../sandbox/troubles/trouble';
import { ignoreAbort } from './kills';
import { CHAOS_ACCOUNT } from './orders';
import type { SandboxControl } from './sandbox-control';

/** What somebody does once about an order, after one of its listings has had the status for a while. */
export interface ScriptedAction {
  readonly when: {
    readonly status: 'Active' | 'Booked' | 'OnHold' | 'Expired' | 'Completed';
    /** Only a listing that was booked before, or only one that was not. */
    readonly wasBooked?: boolean;
  };
  /** How long it must have had the status. */
  readonly afterMs?: number;
  readonly does:
    | { readonly kind: 'mishap'; readonly mishap: ListingTrouble['kind'] }
    /** Somebody posts the order again by hand, where no carrier sees it. */
    | { readonly kind: 'secondListing' }
    | { readonly kind: 'correctPrice'; readonly amount: number }
    /** A person withdraws the order. */
    | { readonly kind: 'withdraw' };
}

/** One action of one order. */
export interface PlannedAction {
  readonly orderId: string;
  readonly mishap: string;
  readonly action: ScriptedAction;
}

interface Doer {
  readonly sandbox: SandboxControl;
  /** @returns false when it was refused, or no workflow is there: it is tried again */
  readonly withdraw: (orderId: string) => Promise<boolean>;
}

/** Short enough to act on a listing before it is booked, and on a booking before its goods are delivered. */
const LOOK_MS = 250;

/** Does every planned action once, when its time has come. */
export class ScriptedActions {
  /** The completed actions, as `order mishap`. */
  readonly #done = new Set<string>();
  readonly #since = new Map<string, number>();

  constructor(private readonly doer: Doer) {}

  readonly isDone = (orderId: string, mishap: string): boolean => this.#done.has(`${orderId} ${mishap}`);

  async run(planned: readonly PlannedAction[], signal: AbortSignal): Promise<void> {
    const left = new Set(planned);
    while (left.size > 0 && !signal.aborted) {
      const { orders } = await this.doer.sandbox.ledger();
      for (const one of left) {
        const listings = orders[orderReference(CHAOS_ACCOUNT, one.orderId)]?.listings ?? [];
        const listing = this.#ripe(one, listings);
        if (listing === undefined || !(await this.#do(one, listing))) continue;
        this.#done.add(`${one.orderId} ${one.mishap}`);
        left.delete(one);
      }
      await delay(LOOK_MS, undefined, { signal }).catch(ignoreAbort);
    }
  }

  #ripe({ action }: PlannedAction, listings: readonly LedgerListing[]): LedgerListing | undefined {
    const { status, wasBooked } = action.when;
    return listings.find((listing) => {
      const key = `${listing.listingId} ${status}`;
      const isMeant = wasBooked === undefined || listing.wasBooked === wasBooked;
      if (listing.status !== status || listing.isDeleted || !isMeant) {
        this.#since.delete(key);
        return false;
      }
      const since = this.#since.get(key) ?? Date.now();
      this.#since.set(key, since);
      return Date.now() - since >= (action.afterMs ?? 0);
    });
  }

  async #do({ orderId, action: { does } }: PlannedAction, listing: LedgerListing): Promise<boolean> {
    const { sandbox, withdraw } = this.doer;
    const { listingId } = listing;
    switch (does.kind) {
      case 'mishap':
        await sandbox.trouble({
          whom: { listing: listingId },
          what: { kind: does.mishap, leaves: 'Rebooked' },
        });
        return true;
      case 'secondListing':
        await sandbox.trouble({ what: postedByHand(orderReference(CHAOS_ACCOUNT, orderId), listingId) });
        return true;
      case 'correctPrice':
        await sandbox.correctPrice(listingId, does.amount);
        return true;
      case 'withdraw':
        return await withdraw(orderId);
      default:
        return assertNever(does);
    }
  }
}

/** The same goods again under the same reference; no carrier will book them. */
export const postedByHand = (number: string, like: number): TroubleInput['what'] => ({
  ...{ kind: 'foreignListings', like },
  referenceNumbers: [{ number, type: 'ThirdPartyOrderNumber' }],
});
