import { setCurrentDetails, upsertMemo, upsertSearchAttributes } from '@temporalio/workflow';
import type { ShipmentPolicy } from '../domain/policy';
import { knownListingIds } from '../domain/shipment-result';
import type { ShipmentState } from '../domain/shipment-state';
import { currentDetails, searchAttributePairs, waitingMemo } from './presentation';

/** A memo is part of every description; the newest ids matter most. */
const MAX_LISTINGS = 50;

/** Shows a state where people look: search attributes, memo and current details of Temporal's web UI. */
export class Publisher {
  private readonly attributes = new Map<string, unknown>();
  private memo = '';
  private listings = '';
  private unreadableSince: string | null = null;
  private details = '';

  /** Writes only what is another than what was shown last. */
  show(state: ShipmentState, policy: ShipmentPolicy): void {
    const pairs = searchAttributePairs(state).filter(
      ({ key, value }) => (this.attributes.get(key.name) ?? null) !== value,
    );
    for (const { key, value } of pairs) this.attributes.set(key.name, value);
    if (pairs.length > 0) upsertSearchAttributes(pairs);
    const memo = waitingMemo(state, policy);
    if (memo !== this.memo) upsertMemo({ waitingFor: memo });
    // For whoever starts the order again after Temporal ended this run: no worker may be there to ask.
    const listingIds = knownListingIds(state).slice(-MAX_LISTINGS);
    if (listingIds.join() !== this.listings) upsertMemo({ listingIds });
    this.listings = listingIds.join();
    const unreadableSince = state.unreadable?.since ?? null;
    if (unreadableSince !== this.unreadableSince) upsertMemo({ unreadableSince });
    this.unreadableSince = unreadableSince;
    const details = currentDetails(state, policy);
    if (details !== this.details) setCurrentDetails(details);
    this.memo = memo;
    this.details = details;
  }
}
