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
import type { LateEventInput, UnroutedEventInput, UnroutedEventResult } from '../contract/workflow-input';
import { startLateEvent } from '../temporal/late-event';
import { startLookUp } from '../temporal/start-event-lookup';
import { marketplaceEventReceivedSignal } from '../contract/messages';
import { readOrderEnd } from '../temporal/describe-last-run';
import { createBudget, type Budget, type BudgetSize } from './budget';
import type { Integration } from './integration';
import { createLimiter, type Limiter } from './limiter';

/**
 * The result of routing an event. After `unavailable` (Temporal accepts nothing now) and `overBudget` (too many unknown listings)
 * the sender must retry. All others mean that the event is safe, or that nobody needs it.
 */
export type Routed =
  'signalled' | 'unrouted' | 'foreign' | 'completed' | 'late' | 'withoutClue' | 'unavailable' | 'overBudget';

/** Without a deadline a signal waits long for an unreachable Temporal, while the marketplace waits for the answer. */
const SIGNAL_DEADLINE_MS = 2_000;
/** This event can change the order of a listing: earlier look-ups no longer count. */
const REFERENCE_EVENT = 'Listing.ReferenceNumberAdded/v1';

const MAX_LISTINGS = 5;
/** When several accounts look a listing up and none finds it: prefer a retry, because it loses nothing. */
const PREFERENCE: readonly Routed[] = ['unavailable', 'overBudget', 'unrouted'];
const FOUND: ReadonlySet<Routed> = new Set<Routed>(['signalled', 'late', 'completed']);
/** How many look-ups of an integration start at once, and how many events wait for one. More must be retried. */
const LOOK_UPS = { atOnce: 4, waiting: 200 };
/** Each unknown listing costs reads; no shop creates more new listings than this. */
const LOOK_UP_BUDGET: BudgetSize = { burst: 200, perSecond: 5 };

interface Owner {
  readonly account: AccountPin;
  readonly orderId: string;
}

/** Per integration: one that sends a flood delays only itself. */
interface LookUps {
  readonly limiter: Limiter;
  readonly budget: Budget;
}

type RoutingClues = Omit<EventClues, 'leftOut'>;

/** Who sent the event: it can reach only these accounts, whatever it says. */
type Sender = Pick<Integration, 'name' | 'accounts'>;

export interface EventRouter {
  route(sender: Sender, event: MarketplaceEvent, clues: RoutingClues): Promise<Routed>;
}

export interface RouterOptions {
  readonly policy?: EventPolicy;
  /** How many look-ups of unknown listings each integration may cause. */
  readonly lookUpBudget?: BudgetSize;
}

/**
 * Finds the shipment of an event: by Consign's reference in it; else by a listing id that a read has proved;
 * else by a workflow that reads the listing. Never by visibility, which is slow, limited and late.
 */
export function createEventRouter(
  client: Client,
  { policy = DEFAULT_EVENT_POLICY, lookUpBudget = LOOK_UP_BUDGET }: RouterOptions = {},
): EventRouter {
  /** Order ids by account and listing; only a read of the listing adds one. */
  const owners = new LRUCache<string, string>({ max: 20_000 });
  const foreign = new LRUCache<string, true>({ max: 50_000, ttl: 60 * 60 * 1_000 });
  /** Look-ups that started a moment ago: further events of the listing join them without a cost. */
  const underWay = new LRUCache<string, true>({ max: 50_000, ttl: 60 * 1_000 });
  const lookUpsOf = new Map<string, LookUps>();

  function lookUpsBy({ name }: Sender): LookUps {
    const known = lookUpsOf.get(name);
    if (known !== undefined) return known;
    // A flood of foreign events waits in this integration's queue, and never delays events of shipments.
    const lookUps = { limiter: createLimiter(LOOK_UPS), budget: createBudget(lookUpBudget) };
    lookUpsOf.set(name, lookUps);
    return lookUps;
  }

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
        return 'signalled';
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
      const end = await withDeadline(async () => await readOrderEnd(client, workflowId));
      if (end === null) return null;
      // The order was started again between the two calls.
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

  /** One workflow for each listing. The result of one that has ended already names the order of the listing. */
  async function findOwner(account: AccountPin, listingId: string, event: MarketplaceEvent): Promise<Routed> {
    const workflowId = unroutedEventWorkflowId(account.name, listingId);
    const input: UnroutedEventInput = { account, listingId, policy };
    try {
      await withDeadline(
        async () =>
          await startLookUp(client, input, {
            event,
            // A workflow that failed or was ended has no result; looking again does no harm.
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
      foreign.set(keptAs(account, listingId), true);
      return 'foreign';
    }
    owners.set(keptAs(account, listingId), owner.orderId);
    return (await signal({ account, orderId: owner.orderId }, event)) ?? 'foreign';
  }

  /** Within the sender's budget; joining a look-up, or reading the result of one, costs nothing. */
  async function lookUp(
    sender: Sender,
    account: AccountPin,
    { listingId, event }: { readonly listingId: string; readonly event: MarketplaceEvent },
  ): Promise<Routed> {
    const key = keptAs(account, listingId);
    const isNew = event.type === REFERENCE_EVENT;
    if (!isNew && foreign.has(key)) return 'foreign';
    const { limiter, budget } = lookUpsBy(sender);
    const isFree = !isNew && underWay.has(key);
    if (!isFree && !budget.take()) return 'overBudget';
    // Otherwise events that repeat a listing would stay free for ever.
    if (!isFree) underWay.set(key, true);
    let outcome: Routed = 'unavailable';
    try {
      const work = limiter.run(async () => await findOwner(account, listingId, event));
      if (work !== null) outcome = await work;
    } finally {
      if (outcome !== 'unrouted' && !isFree) {
        budget.giveBack();
        underWay.delete(key);
      }
    }
    return outcome;
  }

  async function routeByListing(sender: Sender, event: MarketplaceEvent, listingId: string): Promise<Routed> {
    for (const account of sender.accounts) {
      const orderId = owners.get(keptAs(account, listingId));
      const known = orderId === undefined ? null : await signal({ account, orderId }, event);
      if (known !== null) return known;
    }
    const outcomes: Routed[] = [];
    for (const account of sender.accounts) {
      const outcome = await lookUp(sender, account, { listingId, event });
      // One account owns the listing, so the others need not read it.
      if (FOUND.has(outcome)) return outcome;
      outcomes.push(outcome);
    }
    return PREFERENCE.find((outcome) => outcomes.includes(outcome)) ?? 'foreign';
  }

  async function route(sender: Sender, event: MarketplaceEvent, clues: RoutingClues): Promise<Routed> {
    for (const { account, orderId } of clues.orders) {
      // A reference to an account that is not behind this URL proves nothing.
      const pin = sender.accounts.find(({ name }) => name === account);
      if (pin === undefined) continue;
      const outcome = await signal({ account: pin, orderId }, event);
      if (outcome !== null) return outcome;
    }
    let last: Routed = clues.orders.length > 0 ? 'foreign' : 'withoutClue';
    for (const listingId of clues.listingIds) {
      last = await routeByListing(sender, event, listingId);
      if (last !== 'foreign') return last;
    }
    return last;
  }

  return {
    async route(sender, event, clues) {
      try {
        return await route(sender, event, clues);
      } catch (error) {
        // Ask the sender to retry whatever Temporal does not accept now: Consign must not lose an event.
        if (error instanceof ServiceError) return 'unavailable';
        throw error;
      }
    },
  };
}

const keptAs = ({ name }: AccountPin, listingId: string): string => `${name}/${listingId}`;
