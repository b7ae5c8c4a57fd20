import type { SearchAttributeUpdatePair } from '@temporalio/common';
import {
  setCurrentDetails,
  upsertMemo,
  upsertSearchAttributes,
  type WorkflowInfo,
} from '@temporalio/workflow';
import type { Asks } from '../../domain/asked-kind';
import { knownListingIds, standingListings } from '../../domain/candidates';
import type { ShipmentPolicy } from '../../domain/policy';
import type { Shipment } from '../../domain/shipment';
import { isSame } from '../../domain/same';
import { isPassing, type ShipmentState } from '../../domain/shipment-state';
import { describeWaiting, waitColumn } from '../../domain/waiting';
import {
  NEEDS_ATTENTION,
  REFERENCES,
  referencesPair,
  SHIPMENT_PHASE,
  WAITS_FOR_ACCOUNT,
} from '../../contract/search-attributes';
import { currentDetails, searchAttributePairs, waitingMemo } from './presentation';
import { QuestionTimer } from './question-timer';

/** Every workflow description contains the memo; the newest ids matter most. */
const MAX_LISTINGS = 50;
/** With the keys that read them; the followed listing first. */
const MAX_STANDING = 20;

/** What a new run shows without writing it. */
const NOTHING = {
  waitingFor: '',
  waitsFor: '',
  listingIds: [],
  standingListings: [],
  unreadableSince: null,
  asks: null,
};

/** What is shown besides the state. */
interface ShownOrder {
  readonly shipment: Shipment;
  readonly policy: ShipmentPolicy;
}

/** Publishes the state: search attributes, memo, current details, and a timer in Temporal's web UI. */
export class Publisher {
  /** What Temporal shows now, from the order's start or the previous run. */
  private readonly attributes: Map<string, unknown>;
  /** As JSON. */
  private readonly memo: Map<string, string>;
  /** Whether Temporal still shows what the order's start wrote. */
  private showsStart: boolean;
  private details = '';
  private readonly questionTimer = new QuestionTimer();

  constructor({ memo, typedSearchAttributes }: Pick<WorkflowInfo, 'memo' | 'typedSearchAttributes'>) {
    this.attributes = new Map(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]));
    const of = (key: { readonly name: string }): unknown => this.attributes.get(key.name);
    this.showsStart =
      of(SHIPMENT_PHASE) === 'validating' && of(NEEDS_ATTENTION) === false && of(WAITS_FOR_ACCOUNT) !== true;
    this.memo = new Map(
      Object.entries({ ...NOTHING, ...memo }).map(([name, value]) => [name, JSON.stringify(value)]),
    );
  }

  /** Writes only what has changed. */
  show(state: ShipmentState, { shipment, policy }: ShownOrder): void {
    const waiting = describeWaiting(state, { shipment, policy });
    this.showDetails(currentDetails(state, waiting));
    this.questionTimer.show(state, state.question);
    // Each write is a line of the history, and the texts from the start cover phases that pass at once.
    if (isPassing(state) && this.showsStart) return;
    this.showsStart = false;
    const pairs = searchAttributePairs(state).filter(
      ({ key, value }) => (this.attributes.get(key.name) ?? null) !== value,
    );
    for (const { key, value } of pairs) this.attributes.set(key.name, value);
    // New numbers wait for the next write of another attribute: nobody looks for them within the same minute, and each
    // write is a line of the history.
    if (pairs.length > 0) upsertSearchAttributes([...pairs, ...this.newReferences(shipment, state)]);
    this.remember({
      waitingFor: waitingMemo(waiting),
      waitsFor: waitColumn(waiting),
      // For a person who starts the order again after Temporal ended this run: no worker may be running then.
      listingIds: knownListingIds(state).slice(-MAX_LISTINGS),
      // For an event that arrives after the end.
      standingListings: standingListings(state).slice(0, MAX_STANDING),
      unreadableSince: state.unreadable?.since ?? null,
      asks: asksOf(state),
    });
  }

  private newReferences(shipment: Shipment, state: ShipmentState): SearchAttributeUpdatePair[] {
    const pair = referencesPair(shipment, state);
    if (isSame(this.attributes.get(REFERENCES.name) ?? [], pair.value)) return [];
    this.attributes.set(REFERENCES.name, pair.value);
    return [pair];
  }

  private showDetails(details: string): void {
    if (details !== this.details) setCurrentDetails(details);
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

const asksOf = ({ question }: ShipmentState): Asks | null =>
  question === null ? null : { kind: question.kind, since: question.since };
