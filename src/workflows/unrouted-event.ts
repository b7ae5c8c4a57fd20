import {
  ActivityFailure,
  condition,
  getExternalWorkflowHandle,
  log,
  setHandler,
  TemporalFailure,
} from '@temporalio/workflow';
import type { AccountPin } from '../domain/account-pin';
import { ORDER_REFERENCE_TYPE } from '../domain/listing-proof';
import type { MarketplaceEvent } from '../domain/marketplace-event';
import { parseOrderReference, shipmentWorkflowId } from '../domain/workflow-id';
import { marketplaceActivities } from './activity-groups';
import { marketplaceEventReceivedSignal } from './messages';

export interface UnroutedEventInput {
  readonly account: AccountPin;
  readonly listingId: string;
}

/** Whose the listing is; null means that it is no order of ours, so that its events are counted and dropped. */
export interface UnroutedEventResult {
  readonly workflowId: string | null;
  readonly events: number;
}

const MAX_EVENTS = 20;

/**
 * Finds out whose an event is that names only a listing: reads the listing, whose references name the order, and
 * passes the event on. One run for each listing, however many events come.
 */
export async function unroutedEvent({
  account,
  listingId,
}: UnroutedEventInput): Promise<UnroutedEventResult> {
  const events: MarketplaceEvent[] = [];
  let taken = 0;
  setHandler(marketplaceEventReceivedSignal, (event) => {
    taken += 1;
    if (events.length < MAX_EVENTS && !events.some(({ id }) => id === event.id)) events.push(event);
  });
  await condition(() => events.length > 0, '1 minute');
  const workflowId = await ownerOf(account, listingId);
  if (workflowId === null) return { workflowId, events: taken };
  const handle = getExternalWorkflowHandle(workflowId);
  // No await between the last look at the list and the return, or an event would be lost.
  for (let event = events.shift(); event !== undefined; event = events.shift()) {
    try {
      await handle.signal(marketplaceEventReceivedSignal, event);
    } catch (error) {
      // The shipment is over, or was started at another Temporal: there is nobody to tell.
      if (!(error instanceof TemporalFailure)) throw error;
      log.info('the owner of an event takes none any more', { workflowId, reason: error.message });
      return { workflowId: null, events: taken };
    }
  }
  return { workflowId, events: taken };
}

async function ownerOf(account: AccountPin, listingId: string): Promise<string | null> {
  try {
    const record = await marketplaceActivities(account.name).reads.getListing({ account, listingId });
    const ours = record.referenceNumbers
      .filter(({ type }) => type === ORDER_REFERENCE_TYPE)
      .map(({ number }) => parseOrderReference(number))
      .find((order) => order?.account === account.name);
    return ours ? shipmentWorkflowId(ours.account, ours.orderId) : null;
  } catch (error) {
    // Not found, or not to be read with this account's key: foreign.
    if (error instanceof ActivityFailure) return null;
    throw error;
  }
}
