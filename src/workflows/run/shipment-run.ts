import { type TemporalFailure, upsertMemo, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { blockedBecause, type Blocking, type FinalStep } from '../../domain/blocked';
import { addWarning, keepSaid, keepUnread } from '../../domain/bounded-state';
import type { AccountPin } from '../../domain/account-pin';
import type { PendingAmendment } from '../../domain/amendment';
import { updateCandidate } from '../../domain/candidates';
import { cutText, LIST_LIMITS, TEXT_BYTES, leaveOut, type LeftOut } from '../../domain/bounds';
import { believeGone } from '../../domain/believe-gone';
import { imagesOf } from '../../domain/documents';
import type { FailingReading } from '../../domain/failing-reading';
import { loadOf } from '../../domain/listing-proof';
import { hintOf, type MarketplaceEvent } from '../../domain/marketplace-event';
import type {
  Answer,
  AnswerGiven,
  AnswerKind,
  NewQuestion,
  OrderRevision,
  Question,
  QuestionKind,
} from '../../domain/question';
import { NOTHING_NOTIFIED } from '../../domain/notifications';
import { refuseAnswer } from '../../domain/refuse-answer';
import { isSame } from '../../domain/same';
import type { FurnitureShipment, IsoDate, LtlShipment } from '../../domain/shipment';
import {
  datePhase,
  enterPhase,
  initialState,
  keepLoad,
  addTimeline,
  restart,
  type PhaseState,
  type ShipmentFacts,
  type ShipmentState,
} from '../../domain/shipment-state';
import { marketplaceActivities, type MarketplaceActivities } from './activity-groups';
import { callOf, isAccountTrouble, reasonOf } from './failure-cause';
import type { CarriedNotifications, CarriedState, Order, ShipmentInput } from './input';
import { LateOutcomes } from './late-outcomes';
import { HistoryTooLong, Withdrawn } from './leave-phase';
import type * as messages from '../../contract/messages';
import { pickupPair } from '../../contract/search-attributes';
import { Notifier } from './notifier';
import { Publisher } from './publisher';
import { runUntil, type Raced } from './run-until';
import { Withdrawal } from './withdrawal';

/**
 * One run of a shipment workflow: its state, what arrives from outside, and how it is published. Handlers record
 * facts in any phase; the phases use them when ready.
 */
export class ShipmentRun {
  state: ShipmentState;
  readonly activities: MarketplaceActivities;
  /** Events that no phase has handled yet. */
  inbox: MarketplaceEvent[];
  private eventCount = 0;
  readonly withdrawal: Withdrawal;
  readonly lateOutcomes: LateOutcomes;
  /** A change of the open listing that is still to do. */
  amendment: PendingAmendment | null;
  /** How often a pause of the account ended while this shipment waited for it. */
  resumes = 0;
  /** When the listing's record and tracking were last read. Null after continue-as-new, so a new run reads at once. */
  listingReadAt: number | null = null;
  /** Null after a successful reading of the followed listing. */
  failingReading: FailingReading | null = null;
  trackingReadAt: number | null = null;
  /** An event or some time is a reason to look again, and then closes the open question without an answer. */
  looksAgain: boolean;
  /** The run for which a person confirmed that nothing is booked; writes after a reset need it. */
  private acknowledgedRunId: string | null = null;
  /** The run before a reset. A run that continued as new after a reset does not know it from Temporal. */
  private readonly resetFrom: string | null;
  private pendingAnswer: AnswerGiven | null;
  /** Who answered last, and why: if an answer ends the order, that was this person's decision. */
  private answered: messages.Statement | null;
  /** Hash of the revised document; null while the order is not revised. */
  private documentHash: string | null;
  private readonly publisher = new Publisher(workflowInfo());
  /** Null when the account has no endpoints to notify. */
  readonly notifier: Notifier | null;

  /** The current order: it can be revised until it is booked. */
  private order: Order;

  constructor(input: ShipmentInput) {
    const { account, carried, supportAddress } = input;
    const { shipment, policy } = carried?.order ?? input;
    this.order = { shipment, policy, account, supportAddress };
    this.state = carried?.state ?? {
      ...initialState(shipment, input.earlierListings),
    };
    this.inbox = [...(carried?.inbox ?? [])];
    this.withdrawal = new Withdrawal(this, carried);
    this.amendment = carried?.amendment ?? null;
    this.pendingAnswer = carried?.pendingAnswer ?? null;
    this.answered = carried?.answered ?? null;
    this.looksAgain = carried?.looksAgain ?? false;
    this.lateOutcomes = new LateOutcomes(carried?.lateOutcomes ?? []);
    this.notifier = input.notifies === true ? new Notifier(carried?.notifications ?? NO_NOTIFICATIONS) : null;
    this.activities = marketplaceActivities(account.name, this.order.policy.writeTimeoutMs);
    // Temporal carries over the memo of the start, and the order may have been revised since.
    this.documentHash = carried?.documentHash ?? null;
    const { originalExecutionRunId, runId } = workflowInfo();
    this.resetFrom = carried?.resetFrom ?? (originalExecutionRunId === runId ? null : originalExecutionRunId);
    if (this.documentHash !== null) upsertMemo({ documentHash: this.documentHash });
  }

  get input(): Order {
    return this.order;
  }

  /** Input of every write: the account, and the run that the write belongs to, also after a reset. */
  get writeContext(): { account: AccountPin; originalExecutionRunId: string } {
    return {
      account: this.input.account,
      originalExecutionRunId: this.acknowledgedRunId ?? this.resetFrom ?? workflowInfo().runId,
    };
  }

  /** Everything that a handler may have written: continue-as-new loses nothing that arrived. */
  carry(): CarriedState {
    const { state, inbox, amendment, pendingAnswer, answered, looksAgain } = this;
    const { documentHash, order } = this;
    const { shipment, policy } = order;
    const lateOutcomes = this.lateOutcomes.kept;
    const resetFrom = this.acknowledgedRunId === workflowInfo().runId ? null : this.resetFrom;
    return {
      ...{
        state,
        inbox,
        ...this.withdrawal.carried,
        amendment,
        pendingAnswer,
        answered,
        looksAgain,
        lateOutcomes,
      },
      documentHash,
      resetFrom,
      order: { shipment, policy },
      ...(this.notifier !== null && { notifications: this.notifier.carried }),
    };
  }

  now(): string {
    return new Date().toISOString();
  }

  addTimeline(what: string): void {
    this.state = addTimeline(this.state, this.now(), what);
  }

  addWarning(what: string): void {
    this.addTimeline(what);
    this.state = addWarning(this.state, what);
  }

  /** Why a call failed, in Consign's words. The marketplace's words are kept separately, for `consign show`. */
  why(error: TemporalFailure): string {
    const reason = reasonOf(error);
    this.keepSaid(reason, callOf(error)?.words ?? null);
    return reason;
  }

  /** @param words null when the marketplace said nothing that may be shown */
  keepSaid(about: string, words: string | null): void {
    if (words !== null) this.state = keepSaid(this.state, this.now(), { about, words });
  }

  leaveOut(more: Partial<LeftOut>): void {
    this.update({ leftOut: leaveOut(this.state.leftOut, more) });
  }

  /** The only way to change facts. */
  update(facts: Partial<ShipmentFacts>): void {
    this.state = { ...this.state, ...facts };
  }

  /** Changes what is known within the current phase. */
  keepPhase(at: PhaseState): void {
    this.state = { ...this.state, at };
  }

  enter(next: PhaseState, what?: string): void {
    this.dropPhaseQuestion();
    this.state = enterPhase(this.state, next);
    if (what !== undefined) this.addTimeline(what);
    this.publish();
  }

  /** Looks at a listing as if an event had named it. */
  hint(listingId: string): void {
    this.receive(hintOf({ about: listingId, listingId }, this.now()));
  }

  /** Hints at a listing that the answer to the order's own write names: it needs no reference. */
  hintOwn(listingId: string): void {
    this.state = updateCandidate(this.state, listingId, { isOwn: true });
    this.hint(listingId);
  }

  /**
   * Adds an event to the inbox. When the inbox is full, only the listings that the event names are kept, because an
   * event is a hint.
   */
  receive(event: MarketplaceEvent): void {
    this.eventCount += 1;
    if (this.inbox.length < LIST_LIMITS.inbox.count) this.inbox.push({ ...event, attachmentIds: [] });
    else this.state = keepUnread(this.state, event.listingIds);
  }

  /**
   * Detects events after this call. Events that already wait do not count: a phase that cannot handle them would be
   * woken by them again and again.
   */
  newsFromNow(): () => boolean {
    const known = this.eventCount;
    return () => this.eventCount > known;
  }

  /** Takes all waiting events. */
  consumeEvents(): readonly MarketplaceEvent[] {
    const events = this.inbox;
    this.inbox = [];
    return events;
  }

  /** Whether the history is long, and the run should continue as new once nothing is under way. */
  isLong(): boolean {
    return workflowInfo().continueAsNewSuggested;
  }

  /** Marks a point at which nothing is under way. */
  yieldIfLong(): void {
    if (this.isLong()) throw new HistoryTooLong();
  }

  /** Runs cancellable work that a withdrawal ends. */
  async unlessWithdrawn<T>(work: () => Promise<T>): Promise<T> {
    const raced = await runUntil(work, () => this.withdrawal.canBeDone() || this.isLong());
    if (raced.kind === 'done') return raced.value;
    if (this.withdrawal.canBeDone()) throw new Withdrawn();
    throw new HistoryTooLong();
  }

  /** Runs cancellable work, such as hours of repeated reads, that ends when events fill the history. */
  async unlessLong<T>(work: () => Promise<T>): Promise<T> {
    const raced = await runUntil(work, () => this.isLong());
    if (raced.kind === 'done') return raced.value;
    throw new HistoryTooLong();
  }

  /** Runs cancellable work that an event or a withdrawal ends. */
  async untilEvent<T>(work: () => Promise<T>): Promise<Raced<T>> {
    return await runUntil(work, () => this.inbox.length > 0 || this.withdrawal.canBeDone() || this.isLong());
  }

  /** Opens a question, which stays open until an answer or something else settles it. */
  open({ listingIds = [], offer, ...asked }: NewQuestion): void {
    const { supportAddress = null } = this.input;
    const text = cutText(asked.text, TEXT_BYTES.question);
    const number = this.state.questionsAsked + 1;
    const question: Question = {
      ...{ ...asked, text, id: `q${number}-${asked.kind}`, since: this.now() },
      ...{ listingIds, offer: offer ?? null, supportAddress },
    };
    this.pendingAnswer = null;
    this.state = addTimeline(
      { ...this.state, question, questionsAsked: number },
      this.now(),
      `asks: ${text}`,
    );
    this.publish();
  }

  /** Takes the answer to the open question; null when there is none. */
  consumeAnswer(): Answer | null {
    return this.consumeAnswerAndAuthor()?.answer ?? null;
  }

  /** As `consumeAnswer`, with the person who answered and what they checked. */
  consumeAnswerAndAuthor(): AnswerGiven | null {
    const { pendingAnswer } = this;
    if (pendingAnswer !== null) this.close();
    return pendingAnswer;
  }

  /**
   * Acts on the answer to the open question, if there is one. After account trouble, or with a long history, the
   * answer is kept for later: nobody is asked twice.
   */
  async actUponAnswer<T>(act: (given: AnswerGiven) => Promise<T>): Promise<T | null> {
    const given = this.consumeAnswerAndAuthor();
    if (given === null) return null;
    try {
      return await act(given);
    } catch (error) {
      if (isAccountTrouble(error) || error instanceof HistoryTooLong) this.pendingAnswer = given;
      throw error;
    }
  }

  /**
   * Records the answer to the open question, for the phase to act on.
   * @param runId the run that the person looked at, after a reset: from then on its writes are allowed again
   */
  recordAnswer(given: AnswerGiven, runId: string | null): void {
    this.pendingAnswer = given;
    this.answered = { by: given.by, reason: given.reason };
    const { kind } = given.answer;
    if (kind === 'resend' || kind === 'rebook') this.acknowledgedRunId = runId;
    this.state = believeGone(this.state, given);
    const checked = given.checked === null ? '' : ` (checked: ${given.checked})`;
    this.addTimeline(`${given.by} answers ${kind}: ${given.reason}${checked}`);
  }

  /** Who ends the order, and why: by a withdrawal or an answer. */
  decision(): messages.Statement {
    const statement = this.withdrawal.statement ?? this.answered;
    if (statement === null) throw new TypeError('nobody decided that this order ends');
    return { by: statement.by, reason: statement.reason };
  }

  /** Why the answer cannot be accepted now; null when it can. */
  refuseAnswer(given: AnswerGiven): string | null {
    if (this.pendingAnswer !== null) return 'the question was just answered; read the shipment again';
    const { policy } = this.input;
    return refuseAnswer(this.state, given, { now: this.now(), policy });
  }

  hasAnswer(): boolean {
    return this.pendingAnswer !== null;
  }

  /** Kind of an answer that was given and not acted on yet. */
  answerKind(): AnswerKind | null {
    return this.pendingAnswer?.answer.kind ?? null;
  }

  /** Drops a question that the phase asked, because the phase is over. */
  dropPhaseQuestion(): void {
    const { question } = this.state;
    if (question === null || !ASKED_BY_PHASE.has(question.kind)) return;
    this.pendingAnswer = null;
    this.update({ question: null });
  }

  /** Closes a question that is answered or no longer matters. */
  close(): void {
    this.pendingAnswer = null;
    this.update({ question: null });
    this.publish();
  }

  movePickup(day: IsoDate): void {
    const { shipment } = this.order;
    const pickup = { type: 'on', earliest: day, latest: day } as const;
    this.order = { ...this.order, shipment: { ...shipment, pickup } };
    upsertSearchAttributes([pickupPair(this.order.shipment)]);
    this.addTimeline(`the pickup is on ${day} now`);
  }

  /** Replaces the order's document and starts again with it. */
  revise(revision: OrderRevision): void {
    // The change was of the previous document.
    this.amendment = null;
    this.replaceOrder(revision);
    const images = imagesOf(revision.shipment);
    // The previous document may have named another payment method.
    this.state = restart({ ...this.state, images, paymentMethodId: null });
    this.addTimeline('the order was revised and begins anew');
    this.publish();
  }

  /** Replaces the order's document. What was sent before remains the order's own. */
  replaceOrder({ shipment, policy, documentHash }: OrderRevision): void {
    const before = loadOf(this.order.shipment);
    this.order = { ...this.order, shipment, policy };
    this.documentHash = documentHash;
    upsertMemo({ documentHash });
    upsertSearchAttributes([pickupPair(shipment)]);
    if (!isSame(before, loadOf(shipment))) this.state = keepLoad(this.state, before);
  }

  /** Publishes the state in search attributes, memo and web UI, and notifies the endpoints of the account. */
  publish(): void {
    this.state = datePhase(this.state, this.now());
    this.publisher.show(this.state, this.input);
    this.notifier?.notify(this.state, this.input);
  }

  /** Why the order may not take a step after which a booking could be made twice or lost; null when it may. */
  blockedBecause(step: FinalStep): Blocking | null {
    return blockedBecause(this.state, step, { now: this.now(), policy: this.input.policy });
  }
}

const NO_NOTIFICATIONS: CarriedNotifications = {
  ...{ notified: NOTHING_NOTIFIED, raised: 0, outbox: [], hasDelivery: false },
};

const ASKED_BY_PHASE: ReadonlySet<QuestionKind> = new Set<QuestionKind>([
  ...(['priceApproval', 'premiumUnknown', 'rateChoice', 'noRates', 'paymentMethod', 'pickupPassed'] as const),
]);

/** The current shipment; a workflow of one kind only ever holds that kind. */
export function furnitureOf({ input: { shipment } }: ShipmentRun): FurnitureShipment {
  if (shipment.kind !== 'furniture') throw new TypeError('this is no furniture order');
  return shipment;
}

export function ltlOf({ input: { shipment } }: ShipmentRun): LtlShipment {
  if (shipment.kind !== 'ltl') throw new TypeError('this is no LTL order');
  return shipment;
}
