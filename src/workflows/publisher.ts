import { setCurrentDetails, upsertMemo, upsertSearchAttributes } from '@temporalio/workflow';
import { standingListings } from '../domain/order-listings';
import type { ShipmentPolicy } from '../domain/policy';
import { knownListingIds } from '../domain/shipment-result';
import type { ShipmentState } from '../domain/shipment-state';
import { describeWaiting, waitColumn } from '../domain/waiting';
import { currentDetails, searchAttributePairs, waitingMemo } from './presentation';
import { QuestionTimer } from './question-timer';

/** A memo is part of every description; the newest ids matter most. */
const MAX_LISTINGS = 50;
/** With the keys that read them; the followed one first. */
const MAX_STANDING = 20;

/** Shows a state where people look: search attributes, memo, current details and a timer of Temporal's web UI. */
export class Publisher {
  private readonly attributes = new Map<string, unknown>();
  /** As JSON. What a run that has nothing to say of it shows is not written. */
  private readonly memo = new Map<string, string>([
    ['waitingFor', '""'],
    ['waitsFor', '""'],
    ['listingIds', '[]'],
    ['standingListings', '[]'],
    ['unreadableSince', 'null'],
  ]);
  private details = '';
  private readonly questionTimer = new QuestionTimer();

  /** Writes only what is another than what was shown last. */
  show(state: ShipmentState, policy: ShipmentPolicy): void {
    const pairs = searchAttributePairs(state).filter(
      ({ key, value }) => (this.attributes.get(key.name) ?? null) !== value,
    );
    for (const { key, value } of pairs) this.attributes.set(key.name, value);
    if (pairs.length > 0) upsertSearchAttributes(pairs);
    this.remember({
      waitingFor: waitingMemo(state, policy),
      waitsFor: waitColumn(describeWaiting(state, policy)),
      // For whoever starts the order again after Temporal ended this run: no worker may be there to ask.
      listingIds: knownListingIds(state).slice(-MAX_LISTINGS),
      // For an event that comes after the end.
      standingListings: standingListings(state).slice(0, MAX_STANDING),
      unreadableSince: state.unreadable?.since ?? null,
    });
    const details = currentDetails(state, policy);
    if (details !== this.details) setCurrentDetails(details);
    this.questionTimer.show(state, state.question);
    this.details = details;
  }

  private remember(memo: Readonly<Record<string, unknown>>): void {
    const changed = Object.entries(memo).filter(
      ([name, value]) => this.memo.get(name) !== JSON.stringify(value),
    );
    for (const [name, value] of changed) this.memo.set(name, JSON.stringify(value));
    if (changed.length > 0) upsertMemo(Object.fromEntries(changed));
  }
}
