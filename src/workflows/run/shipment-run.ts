import {
  CancellationScope,
  type TemporalFailure,
  upsertMemo,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { blockedBecause, type Blocking, type FinalStep } from '../../domain/blocked';
import { addWarning, keepSaid, keepUnread } from '../../domain/bounded-state';
import type { AccountPin } from '../../domain/account-pin';
import type { PendingAmendment } from '../../domain/amendment';
import { know } from '../../domain/candidates';
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
import { refuseAnswer } from '../../domain/refuse-answer';
import { refuseWithdrawal } from '../../domain/refuse-withdrawal';
import { isSame } from '../../domain/same';
import type { FurnitureShipment, IsoDate, LtlShipment } from '../../domain/shipment';
import {
  datePhase,
  doubtOf,
  enterPhase,
  initialState,
  isBooked,
  keepLoad,
  addTimeline,
  restart,
  type PhaseState,
  type ShipmentFacts,
  type ShipmentState,
} from '../../domain/shipment-state';
import { marketplaceActivities, type MarketplaceActivities } from './activity-groups';
import { callOf, isAccountTrouble, reasonOf } from './failure-cause';
import type { CarriedState, Order, ShipmentInput } from './input';
import { LateOutcomes } from './late-outcomes';
import { HistoryTooLong, LeavePhase, Withdrawn } from './leave-phase';
import type * as messages from '../../contract/messages';
import { pickupPair } from '../../contract/search-attributes';
import { Publisher } from './publisher';
import { runUntil, type Raced } from './run-until';

/**
 * One run of a shipment workflow: its state, what arrives from outside, and how it is shown. Handlers record
 * facts whatever the phase; the phases take them when they are ready.
 */
export class ShipmentRun {
  state: ShipmentState;
  readonly activities: MarketplaceActivities;
  /** Events not yet acted upon. */
  inbox: MarketplaceEvent[];
  /** How many events came in this run. */
  private heard = 0;
  withdrawal: messages.Statement | null;
  readonly lateOutcomes: LateOutcomes;
  /** A change of the open listing that is still to be made. */
  amendment: PendingAmendment | null;
  /** Temporal's cancel is heard once: it is kept until it can be done. */
  private cancelAsked: boolean;
  /** How often a pause of the account ended while this shipment waited for it. */
  resumes = 0;
  /** When the record of the listing and its tracking were read last; whoever continues as new looks at once. */
  listingReadAt: number | null = null;
  /** Null once the followed listing was read. */
  failingReading: FailingReading | null = null;
  trackingReadAt: number | null = null;
  /** The open question is asked beside what goes on: some time, or an event, is reason enough to look again. */
  looksAgain: boolean;
  private isRetiring = false;
  /** The withdrawal that could not be done when it was tried last. */
  private stuck: messages.Statement | null = null;
  /** The run of which a person said that nothing is booked; after a reset it must be this one. */
  private acknowledgedRunId: string | null = null;
  private pendingAnswer: AnswerGiven | null;
  /** Who answered last, and why: what an answer ends was that person's decision. */
  private answered: messages.Statement | null;
  /** Of the document that the order was revised with. */
  private documentHash: string | null;
  private readonly publisher = new Publisher(workflowInfo());

  /** The order as it is now: it can be revised until it is booked. */
  private order: Order;

  constructor(input: ShipmentInput) {
    const { account, carried, supportAddress } = input;
    const { shipment, policy } = carried?.order ?? input;
    this.order = { shipment, policy, account, supportAddress };
    this.state = carried?.state ?? {
      ...initialState(shipment, input.earlierListings),
    };
    this.inbox = [...(carried?.inbox ?? [])];
    this.withdrawal = carried?.withdrawal ?? null;
    this.amendment = carried?.amendment ?? null;
    this.cancelAsked = carried?.cancelAsked ?? false;
    this.pendingAnswer = carried?.pendingAnswer ?? null;
    this.answered = carried?.answered ?? null;
    this.looksAgain = carried?.looksAgain ?? false;
    this.lateOutcomes = new LateOutcomes(carried?.lateOutcomes ?? []);
    this.activities = marketplaceActivities(account.name, this.order.policy.writeTimeoutMs);
    this.onTemporalCancel();
    // Temporal carries the memo of the start; the order may have been revised since.
    this.documentHash = carried?.documentHash ?? null;
    if (this.documentHash !== null) upsertMemo({ documentHash: this.documentHash });
  }

  get input(): Order {
    return this.order;
  }

  /** What every write is given: the run that it belongs to, also after a reset. */
  get writeContext(): { account: AccountPin; originalExecutionRunId: string } {
    const { originalExecutionRunId } = workflowInfo();
    return {
      account: this.input.account,
      originalExecutionRunId: this.acknowledgedRunId ?? originalExecutionRunId,
    };
  }

  /** All that a handler may have written: nothing that arrived is lost over continue-as-new. */
  carry(): CarriedState {
    const { state, inbox, withdrawal, amendment, cancelAsked, pendingAnswer, answered, looksAgain } = this;
    const { documentHash, order } = this;
    const { shipment, policy } = order;
    const lateOutcomes = this.lateOutcomes.kept;
    return {
      ...{
        state,
        inbox,
        withdrawal,
        amendment,
        cancelAsked,
        pendingAnswer,
        answered,
        looksAgain,
        lateOutcomes,
      },
      documentHash,
      order: { shipment, policy },
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

  /** Why a call failed, in words of our own. What the marketplace said is kept beside that, for `consign show`. */
  why(error: TemporalFailure): string {
    const reason = reasonOf(error);
    this.keepSaid(reason, callOf(error)?.words ?? null);
    return reason;
  }

  /** @param words null where the marketplace said nothing that may be shown */
  keepSaid(about: string, words: string | null): void {
    if (words !== null) this.state = keepSaid(this.state, this.now(), { about, words });
  }

  /** Counts what there was no room for. */
  leaveOut(more: Partial<LeftOut>): void {
    this.update({ leftOut: leaveOut(this.state.leftOut, more) });
  }

  /** The one way in which facts change. */
  update(facts: Partial<ShipmentFacts>): void {
    this.state = { ...this.state, ...facts };
  }

  /** The phase goes on, and something else is known in it. */
  keepPhase(at: PhaseState): void {
    this.state = { ...this.state, at };
  }

  enter(next: PhaseState, what?: string): void {
    this.dropPhaseQuestion();
    this.state = enterPhase(this.state, next);
    if (what !== undefined) this.addTimeline(what);
    this.publish();
  }

  /** A listing that something else than an event named; it is looked at as if one had. */
  hint(listingId: string): void {
    this.receive(hintOf({ about: listingId, listingId }, this.now()));
  }

  /** One that the answer to a write of ours names: it needs no reference to be the order's. */
  hintOwn(listingId: string): void {
    this.state = know(this.state, listingId, { isOwn: true });
    this.hint(listingId);
  }

  /** An event is a hint: of those for which there is no room only the listings that they name are kept. */
  receive(event: MarketplaceEvent): void {
    this.heard += 1;
    if (this.inbox.length < LIST_LIMITS.inbox.count) this.inbox.push({ ...event, attachmentIds: [] });
    else this.state = keepUnread(this.state, event.listingIds);
  }

  /**
   * Tells whether an event came since this call. Those that wait already to be acted upon are no news: whoever cannot act
   * upon them would be woken by them again and again.
   */
  newsFromNow(): () => boolean {
    const known = this.heard;
    return () => this.heard > known;
  }

  /** The events that came since the last call. */
  consumeEvents(): readonly MarketplaceEvent[] {
    const events = this.inbox;
    this.inbox = [];
    return events;
  }

  /** Whether the order is withdrawn and can be now: a booked shipment only goes on, and a doubt is settled first. */
  isWithdrawn(): boolean {
    const { withdrawal, isRetiring, state } = this;
    return withdrawal !== null && !isRetiring && !isBooked(state) && doubtOf(state) === null;
  }

  /**
   * Whether a withdrawal waits to be done. One that could not be done does not: what keeps it from that is asked about,
   * and the asking must not be ended by what it is about.
   */
  isToBeRetired(): boolean {
    return this.isWithdrawn() && this.withdrawal !== this.stuck;
  }

  /**
   * Retires the order, as its withdrawal wants. It stays withdrawn until that is done: what goes wrong meanwhile is
   * asked like anything else, and then it is retired again.
   */
  async whileRetiring(retire: () => Promise<void>): Promise<void> {
    this.isRetiring = true;
    try {
      await retire();
      this.withdrawal = null;
    } catch (error) {
      if (!(error instanceof LeavePhase)) this.stuck = this.withdrawal;
      throw error;
    } finally {
      this.isRetiring = false;
    }
  }

  /** Whether the history has grown long, so that it is left behind where nothing is under way. */
  isLong(): boolean {
    return workflowInfo().continueAsNewSuggested;
  }

  /** A point at which nothing is under way. */
  yieldIfLong(): void {
    if (this.isLong()) throw new HistoryTooLong();
  }

  /** Cancellable work that the withdrawal of the order ends. */
  async unlessWithdrawn<T>(work: () => Promise<T>): Promise<T> {
    const raced = await runUntil(work, () => this.isWithdrawn() || this.isLong());
    if (raced.kind === 'done') return raced.value;
    if (this.isWithdrawn()) throw new Withdrawn();
    throw new HistoryTooLong();
  }

  /** Cancellable work, such as a reading that is tried for hours, while a flood of events may fill the history. */
  async unlessLong<T>(work: () => Promise<T>): Promise<T> {
    const raced = await runUntil(work, () => this.isLong());
    if (raced.kind === 'done') return raced.value;
    throw new HistoryTooLong();
  }

  /** Cancellable work that an event, or the withdrawal of the order, ends. */
  async untilEvent<T>(work: () => Promise<T>): Promise<Raced<T>> {
    return await runUntil(work, () => this.inbox.length > 0 || this.isWithdrawn() || this.isLong());
  }

  /** Opens a question. It stays open until it is answered, or settled by something else. */
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

  /** The answer to the open question, once: null while there is none. */
  consumeAnswer(): Answer | null {
    return this.consumeGiven()?.answer ?? null;
  }

  /** As `consumeAnswer`, with who gave it and what they checked. */
  consumeGiven(): AnswerGiven | null {
    const { pendingAnswer } = this;
    if (pendingAnswer !== null) this.close();
    return pendingAnswer;
  }

  /**
   * Acts upon the answer to the open question, if there is one. Trouble of the account, and a history that has grown
   * long, keep it for later: nobody is asked again what they have answered.
   */
  async actUponAnswer<T>(act: (given: AnswerGiven) => Promise<T>): Promise<T | null> {
    const given = this.consumeGiven();
    if (given === null) return null;
    try {
      return await act(given);
    } catch (error) {
      if (isAccountTrouble(error) || error instanceof HistoryTooLong) this.pendingAnswer = given;
      throw error;
    }
  }

  /**
   * Takes the answer to the open question, to be acted upon in its time.
   * @param runId of the run that a person has looked at, after a reset: from then on its writes are made again
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

  /** Who ends the order, and why: it was withdrawn, or an answer ends it. */
  decision(): messages.Statement {
    const statement = this.withdrawal ?? this.answered;
    if (statement === null) throw new TypeError('nobody decided that this order ends');
    return { by: statement.by, reason: statement.reason };
  }

  /** Why the answer cannot be taken now; null when it can. */
  refuseAnswer(given: AnswerGiven): string | null {
    if (this.pendingAnswer !== null) return 'the question was just answered; read the shipment again';
    const { policy } = this.input;
    return refuseAnswer(this.state, given, { now: this.now(), policy });
  }

  hasAnswer(): boolean {
    return this.pendingAnswer !== null;
  }

  /** What was answered and not taken yet. */
  answerKind(): AnswerKind | null {
    return this.pendingAnswer?.answer.kind ?? null;
  }

  /** What a phase asked in its middle is settled with it. */
  dropPhaseQuestion(): void {
    const { question } = this.state;
    if (question === null || !ASKED_BY_PHASE.has(question.kind)) return;
    this.pendingAnswer = null;
    this.update({ question: null });
  }

  /** The question is answered, or no longer matters. */
  close(): void {
    this.pendingAnswer = null;
    this.update({ question: null });
    this.publish();
  }

  /** The pickup of an LTL order moves to another day. */
  movePickup(day: IsoDate): void {
    const { shipment } = this.order;
    const pickup = { type: 'on', earliest: day, latest: day } as const;
    this.order = { ...this.order, shipment: { ...shipment, pickup } };
    upsertSearchAttributes([pickupPair(this.order.shipment)]);
    this.addTimeline(`the pickup is on ${day} now`);
  }

  /** Another document takes the place of the order's; it begins anew with it. */
  revise(revision: OrderRevision): void {
    // It was a change of the document before.
    this.amendment = null;
    this.replaceOrder(revision);
    const images = imagesOf(revision.shipment);
    // The document before may have named another one.
    this.state = restart({ ...this.state, images, paymentMethodId: null });
    this.addTimeline('the order was revised and begins anew');
    this.publish();
  }

  /** Another document takes the place of the order's. What was sent before stays known as the order's own. */
  replaceOrder({ shipment, policy, documentHash }: OrderRevision): void {
    const before = loadOf(this.order.shipment);
    this.order = { ...this.order, shipment, policy };
    this.documentHash = documentHash;
    upsertMemo({ documentHash });
    upsertSearchAttributes([pickupPair(shipment)]);
    if (!isSame(before, loadOf(shipment))) this.state = keepLoad(this.state, before);
  }

  /** Shows the state where people look. */
  publish(): void {
    this.state = datePhase(this.state, this.now());
    this.publisher.show(this.state, this.input.policy);
  }

  /** Why it may not take a step after which a booking could be made twice, or lost; null when it may. */
  blockedBecause(step: FinalStep): Blocking | null {
    return blockedBecause(this.state, step, { now: this.now(), policy: this.input.policy });
  }

  refuseWithdrawal(statement: messages.Statement): string | null {
    return refuseWithdrawal(this.state, statement, this.withdrawal);
  }

  withdraw(statement: messages.Statement): void {
    const { by, reason } = statement;
    if (this.withdrawal?.by === by && this.withdrawal.reason === reason) return;
    this.withdrawal = statement;
    this.addTimeline(`${statement.by} withdraws the order: ${statement.reason}`);
  }

  /** Temporal's own cancel does what `cancelShipment` does; what cannot be done now is done once it can. */
  private onTemporalCancel(): void {
    CancellationScope.current().cancelRequested.catch(() => {
      this.cancelAsked = true;
      const refused = this.reconsiderCancel();
      if (refused !== null) this.addWarning(`not cancelled yet: ${refused}`);
      this.publish();
    });
  }

  /** @returns why Temporal's cancel cannot be done now; null when it is, or none was asked for */
  reconsiderCancel(): string | null {
    if (!this.cancelAsked) return null;
    const refused = this.refuseWithdrawal({ by: 'Temporal', reason: 'cancel' });
    if (refused !== null) return refused;
    this.cancelAsked = false;
    this.withdraw({ by: "Temporal's cancel", reason: 'the workflow was cancelled' });
    return null;
  }
}

const ASKED_BY_PHASE: ReadonlySet<QuestionKind> = new Set<QuestionKind>([
  ...(['priceApproval', 'premiumUnknown', 'rateChoice', 'noRates', 'paymentMethod', 'pickupPassed'] as const),
]);

/** The shipment as it is now; a workflow of one kind only ever holds that kind. */
export function furnitureOf({ input: { shipment } }: ShipmentRun): FurnitureShipment {
  if (shipment.kind !== 'furniture') throw new TypeError('this is no furniture order');
  return shipment;
}

export function ltlOf({ input: { shipment } }: ShipmentRun): LtlShipment {
  if (shipment.kind !== 'ltl') throw new TypeError('this is no LTL order');
  return shipment;
}
