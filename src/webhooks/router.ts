import {
  ServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type Client,
} from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import type { AccountPin } from '../domain/account-pin';
import type { EventClues, MarketplaceEvent } from '../domain/marketplace-event';
import { UNROUTED_EVENTS_QUEUE } from '../domain/task-queue';
import { shipmentWorkflowId, unroutedEventWorkflowId } from '../domain/workflow-id';
import { marketplaceEventReceivedSignal } from '../workflows/messages';
import type { UnroutedEventInput, UnroutedEventResult } from '../workflows/unrouted-event';

/** What became of an event. All but `unavailable` mean that it is safe, or that there is nobody to tell. */
export type Routed = 'signalled' | 'unrouted' | 'foreign' | 'completed' | 'withoutClue' | 'unavailable';

/** A signal without a deadline waits long for a Temporal that is away, while the marketplace waits for us. */
const SIGNAL_DEADLINE_MS = 2_000;

export interface EventRouter {
  route(accounts: readonly AccountPin[], event: MarketplaceEvent, clues: EventClues): Promise<Routed>;
}

/**
 * Finds the shipment of an event: by our own reference in it; else by a listing id met before; else by a workflow
 * that reads the listing. Never by visibility, which is slow, limited and late.
 */
export function createEventRouter(client: Client): EventRouter {
  const owners = new LRUCache<string, string>({ max: 20_000 });
  const foreign = new LRUCache<string, true>({ max: 50_000, ttl: 60 * 60 * 1_000 });

  async function withDeadline<T>(call: () => Promise<T>): Promise<T> {
    return await client.withDeadline(Date.now() + SIGNAL_DEADLINE_MS, call);
  }

  /** @returns null when no such shipment was ever started here */
  async function signal(workflowId: string, event: MarketplaceEvent): Promise<Routed | null> {
    const handle = client.workflow.getHandle(workflowId);
    try {
      await withDeadline(async () => await handle.signal(marketplaceEventReceivedSignal, event));
      for (const listingId of event.listingIds) owners.set(listingId, workflowId);
      return 'signalled';
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      return (await exists(workflowId)) ? 'completed' : null;
    }
  }

  async function exists(workflowId: string): Promise<boolean> {
    try {
      await withDeadline(async () => await client.workflow.getHandle(workflowId).describe());
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }

  /** One workflow for each listing; one that has ended already tells whose the listing is. */
  async function findOwner(account: AccountPin, listingId: string, event: MarketplaceEvent): Promise<Routed> {
    const workflowId = unroutedEventWorkflowId(account.name, listingId);
    const input: UnroutedEventInput = { account, listingId };
    try {
      await withDeadline(
        async () =>
          await client.workflow.signalWithStart('unroutedEvent', {
            workflowId,
            taskQueue: UNROUTED_EVENTS_QUEUE,
            args: [input],
            signal: marketplaceEventReceivedSignal,
            signalArgs: [event],
            // One that somebody cancelled or terminated found nothing out; to look again does no harm.
            workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
            workflowIdConflictPolicy: 'USE_EXISTING',
            staticSummary: `whose is listing ${listingId}?`,
          }),
      );
      return 'unrouted';
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
    const handle =
      client.workflow.getHandle<(input: UnroutedEventInput) => Promise<UnroutedEventResult>>(workflowId);
    const { workflowId: owner } = await withDeadline(async () => await handle.result());
    if (owner === null) {
      foreign.set(`${account.name}/${listingId}`, true);
      return 'foreign';
    }
    return (await signal(owner, event)) ?? 'foreign';
  }

  async function routeByListing(accounts: readonly AccountPin[], event: MarketplaceEvent, listingId: string) {
    const owner = owners.get(listingId);
    const known = owner === undefined ? null : await signal(owner, event);
    if (known !== null) return known;
    const outcomes: Routed[] = [];
    for (const account of accounts) {
      if (foreign.has(`${account.name}/${listingId}`)) outcomes.push('foreign');
      else outcomes.push(await findOwner(account, listingId, event));
    }
    return outcomes.find((outcome) => outcome !== 'foreign') ?? 'foreign';
  }

  async function route(
    accounts: readonly AccountPin[],
    event: MarketplaceEvent,
    clues: EventClues,
  ): Promise<Routed> {
    for (const { account, orderId } of clues.orders) {
      // A reference to an account that is not behind this URL proves nothing.
      if (!accounts.some(({ name }) => name === account)) continue;
      const outcome = await signal(shipmentWorkflowId(account, orderId), event);
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
