import {
  ServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type Client,
} from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import type { AccountPin } from '../domain/account-pin';
import { DEFAULT_EVENT_POLICY, type EventPolicy } from '../domain/event-policy';
import { isLateMatter } from '../domain/late-event';
import type { EventClues, MarketplaceEvent } from '../domain/marketplace-event';
import { parseShipmentWorkflowId, shipmentWorkflowId, unroutedEventWorkflowId } from '../domain/workflow-id';
import type { LateEventInput, UnroutedEventInput, UnroutedEventResult } from '../domain/workflow-input';
import { startLateEvent } from '../late-event';
import { startLookUp } from '../look-up';
import { marketplaceEventReceivedSignal } from '../workflows/messages';
import { createLimiter } from './limiter';
import { readOrderEnd } from '../order-end';

/** What became of an event. All but `unavailable` mean that it is safe, or that there is nobody to tell. */
export type Routed =
  'signalled' | 'unrouted' | 'foreign' | 'completed' | 'late' | 'withoutClue' | 'unavailable';

/** A signal without a deadline waits long for a Temporal that is away, while the marketplace waits for us. */
const SIGNAL_DEADLINE_MS = 2_000;
/** Changes whose a listing is, so that what was found out before no longer counts. */
const REFERENCE_EVENT = 'Listing.ReferenceNumberAdded/v1';

const MAX_LISTINGS = 5;
/** Where several accounts look a listing up: one that found it, else one that must be asked again. */
const PREFERENCE: readonly Routed[] = ['signalled', 'late', 'completed', 'unavailable', 'unrouted'];
/** So many look-ups begin at once, and so many events wait for that; any more are told to come again. */
const LOOK_UPS = { atOnce: 4, waiting: 200 };

interface Owner {
  readonly account: AccountPin;
  readonly orderId: string;
}

type RoutingClues = Omit<EventClues, 'leftOut'>;

export interface EventRouter {
  route(accounts: readonly AccountPin[], event: MarketplaceEvent, clues: RoutingClues): Promise<Routed>;
}

/**
 * Finds the shipment of an event: by our own reference in it; else by a listing id met before; else by a workflow
 * that reads the listing. Never by visibility, which is slow, limited and late.
 */
export function createEventRouter(client: Client, policy: EventPolicy = DEFAULT_EVENT_POLICY): EventRouter {
  const owners = new LRUCache<string, Owner>({ max: 20_000 });
  const foreign = new LRUCache<string, true>({ max: 50_000, ttl: 60 * 60 * 1_000 });

  // A flood of events that are not ours waits for itself, and not in front of those of shipments.
  const lookUps = createLimiter(LOOK_UPS);

  async function withDeadline<T>(call: () => Promise<T>): Promise<T> {
    return await client.withDeadline(Date.now() + SIGNAL_DEADLINE_MS, call);
  }

  /** @returns null when no such shipment was ever started here */
  async function signal({ account, orderId }: Owner, event: MarketplaceEvent): Promise<Routed | null> {
    const workflowId = shipmentWorkflowId(account.name, orderId);
    const handle = client.workflow.getHandle(workflowId);
    for (let round = 0; ; round += 1) {
      try {
        await withDeadline(async () => await handle.signal(marketplaceEventReceivedSignal, event));
        for (const listingId of event.listingIds) owners.set(listingId, { account, orderId });
        return 'signalled';
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
      const end = await withDeadline(async () => await readOrderEnd(client, workflowId));
      if (end === null) return null;
      // Started anew between the two calls.
      if (end.status === 'running' && round < 3) continue;
      if (!isLateMatter(end, event)) return 'completed';
      await startLateEvents({ account, orderId }, event, end.listingId);
      return 'late';
    }
  }

  /** One workflow for each listing that the event names; it reads the listing, and ends when nothing is wrong. */
  async function startLateEvents(
    { account, orderId }: Owner,
    event: MarketplaceEvent,
    knownListingId: string | null,
  ): Promise<void> {
    const named = event.listingIds.length > 0 ? event.listingIds.slice(0, MAX_LISTINGS) : [knownListingId];
    for (const listingId of named) {
      const input: LateEventInput = { account, orderId, listingId, policy };
      await withDeadline(async () => await startLateEvent(client, input, event));
    }
  }

  /** One workflow for each listing; one that has ended already tells whose the listing is. */
  async function findOwner(account: AccountPin, listingId: string, event: MarketplaceEvent): Promise<Routed> {
    const workflowId = unroutedEventWorkflowId(account.name, listingId);
    const input: UnroutedEventInput = { account, listingId, policy };
    try {
      await withDeadline(
        async () =>
          await startLookUp(client, input, {
            event,
            // One that failed or that somebody ended found nothing out; to look again does no harm.
            reuse: event.type === REFERENCE_EVENT ? 'ALLOW_DUPLICATE' : 'ALLOW_DUPLICATE_FAILED_ONLY',
          }),
      );
      return 'unrouted';
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
    const handle =
      client.workflow.getHandle<(input: UnroutedEventInput) => Promise<UnroutedEventResult>>(workflowId);
    const { workflowId: ownerId } = await withDeadline(async () => await handle.result());
    const owner = ownerId === null ? null : parseShipmentWorkflowId(ownerId);
    if (owner === null) {
      foreign.set(`${account.name}/${listingId}`, true);
      return 'foreign';
    }
    return (await signal({ account, orderId: owner.orderId }, event)) ?? 'foreign';
  }

  async function routeByListing(accounts: readonly AccountPin[], event: MarketplaceEvent, listingId: string) {
    const owner = owners.get(listingId);
    const known = owner === undefined ? null : await signal(owner, event);
    if (known !== null) return known;
    const outcomes: Routed[] = [];
    for (const account of accounts) {
      if (event.type !== REFERENCE_EVENT && foreign.has(`${account.name}/${listingId}`))
        outcomes.push('foreign');
      else
        outcomes.push(
          (await lookUps.run(async () => await findOwner(account, listingId, event))) ?? 'unavailable',
        );
    }
    return PREFERENCE.find((outcome) => outcomes.includes(outcome)) ?? 'foreign';
  }

  async function route(
    accounts: readonly AccountPin[],
    event: MarketplaceEvent,
    clues: RoutingClues,
  ): Promise<Routed> {
    for (const { account, orderId } of clues.orders) {
      // A reference to an account that is not behind this URL proves nothing.
      const pin = accounts.find(({ name }) => name === account);
      if (pin === undefined) continue;
      const outcome = await signal({ account: pin, orderId }, event);
      if (outcome !== null) return outcome;
    }
    let last: Routed = clues.orders.length > 0 ? 'foreign' : 'withoutClue';
    for (const listingId of clues.listingIds) {
      last = await routeByListing(accounts, event, listingId);
      if (last !== 'foreign') return last;
    }
    return last;
  }

  return {
    async route(accounts, event, clues) {
      try {
        return await route(accounts, event, clues);
      } catch (error) {
        // Whatever Temporal cannot take now is asked for again, so that no event is lost by us.
        if (error instanceof ServiceError) return 'unavailable';
        throw error;
      }
    },
  };
}
