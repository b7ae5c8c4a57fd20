import {
  CancellationScope,
  patched,
  setHandler,
  upsertMemo,
  upsertSearchAttributes,
  workflowInfo,
  ApplicationFailure,
} from '@temporalio/workflow';
import type { AccountPin } from '../domain/account-pin';
import { completePolicy } from '../domain/default-policy';
import { attachmentsNamed, imagesOf, wantAttachments } from '../domain/documents';
import { loadOf } from '../domain/listing-proof';
import { hintOf, type MarketplaceEvent } from '../domain/marketplace-event';
import type { Answer, AnswerGiven, AnswerKind, OrderRevision, QuestionKind } from '../domain/question';
import { refuseAnswer } from '../domain/refuse-answer';
import { lookAtEvent } from '../domain/seen-events';
import { acceptanceOfOutcome, listingIdOfOutcome, type LateOutcome } from '../domain/send-outcome';
import type { FurnitureShipment, IsoDate, LtlShipment } from '../domain/shipment';
import {
  datePhase,
  doubtOf,
  enterPhase,
  initialState,
  isBooked,
  keepEarlierAcceptance,
  keepLoad,
  note,
  restart,
  type PhaseState,
  type ShipmentState,
} from '../domain/shipment-state';
import { marketplaceActivities, type MarketplaceActivities } from './activity-groups';
import { isAccountTrouble } from './failure-cause';
import type { CarriedState, Order, ShipmentInput } from './input';
import { LateOutcomes } from './late-outcomes';
import { HistoryTooLong, LeavePhase, Withdrawn } from './leave-phase';
import * as messages from './messages';
import { pickupAttributePair } from './presentation';
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
  withdrawal: messages.Statement | null;
  readonly lateOutcomes: LateOutcomes;
  /** Temporal's cancel is heard once: it is kept until it can be done. */
  private cancelAsked: boolean;
  /** How often the account was mended, as far as this shipment waited for it. */
  resumes = 0;
  /** When the record of the listing and its tracking were read last; whoever continues as new looks at once. */
  listingReadAt: number | null = null;
  trackingReadAt: number | null = null;
  private isRetiring = false;
  /** The withdrawal that could not be done when it was tried last. */
  private stuck: messages.Statement | null = null;
  /** The run of which a person said that nothing is booked; after a reset it must be this one. */
  private acknowledgedRunId: string | null = null;
  private given: AnswerGiven | null;
  /** Of the document that the order was revised with. */
  private documentHash: string | null;
  private readonly publisher = new Publisher();

  /** The order as it is now: it can be revised until it is booked. */
  private order: Order;

  constructor(input: ShipmentInput) {
    const { account, carried, supportAddress } = input;
    const { shipment, policy } = carried?.order ?? input;
    this.order = { shipment, policy: completePolicy(policy), account, supportAddress };
    // Facts that were added since an earlier version carried its state begin as they do in a new one.
    this.state = { ...initialState(shipment), ...carried?.state };
    this.inbox = [...(carried?.inbox ?? [])];
    this.withdrawal = carried?.withdrawal ?? null;
    this.cancelAsked = carried?.cancelAsked ?? false;
    this.given = carried?.given ?? null;
    this.lateOutcomes = new LateOutcomes(carried?.lateOutcomes ?? []);
    this.activities = marketplaceActivities(account.name, this.order.policy.writeTimeoutMs);
    this.registerHandlers();
    this.hearTemporalCancel();
    // Temporal carries the memo of the start; the order may have been revised since.
    this.documentHash = carried?.documentHash ?? null;
    if (this.documentHash !== null) upsertMemo({ documentHash: this.documentHash });
  }

  get input(): Order {
    return this.order;
  }

  /** What every write is given: the run that it belongs to, also after a reset. */
  get guard(): { account: AccountPin; originalExecutionRunId: string } {
    const { originalExecutionRunId } = workflowInfo();
    return {
      account: this.input.account,
      originalExecutionRunId: this.acknowledgedRunId ?? originalExecutionRunId,
    };
  }

  /** All that a handler may have written: nothing that arrived is lost over continue-as-new. */
  carry(): CarriedState {
    const { state, inbox, withdrawal, cancelAsked, given, documentHash, order } = this;
    const { shipment, policy } = order;
    const lateOutcomes = this.lateOutcomes.kept;
    return {
      ...{ state, inbox, withdrawal, cancelAsked, given, lateOutcomes },
      documentHash,
      order: { shipment, policy },
    };
  }

  now(): string {
    return new Date().toISOString();
  }

  note(what: string): void {
    this.state = note(this.state, this.now(), what);
  }

  notice(what: string): void {
    this.note(what);
    this.state = { ...this.state, notices: [...this.state.notices, what] };
  }

  enter(next: PhaseState, what?: string): void {
    this.state = enterPhase(this.state, next);
    if (what !== undefined) this.note(what);
    this.publish();
  }

  /** A listing that something else than an event named; it is looked at as if one had. */
  hint(listingId: string): void {
    this.inbox.push(hintOf({ about: listingId, listingId }, this.now()));
  }

  /**
   * Tells whether an event came since this call. Those that wait already to be acted upon are no news: whoever cannot act
   * upon them would be woken by them again and again.
   */
  newsFromNow(): () => boolean {
    // 2026-11-28: earlier runs were woken by them.
    const known = patched('only-news-wakes') ? this.inbox.length : 0;
    return () => this.inbox.length > known;
  }

  /** The events that came since the last call. */
  takeEvents(): readonly MarketplaceEvent[] {
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
  async whileRetiring(retire: (reason: string) => Promise<void>): Promise<void> {
    this.isRetiring = true;
    try {
      await retire(this.withdrawal?.reason ?? 'withdrawn');
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
    const raced = await runUntil(work, () => this.isWithdrawn());
    if (raced.kind === 'interrupted') throw new Withdrawn();
    return raced.value;
  }

  /** Cancellable work that an event, or the withdrawal of the order, ends. */
  async untilEvent<T>(work: () => Promise<T>): Promise<Raced<T>> {
    return await runUntil(work, () => this.inbox.length > 0 || this.isWithdrawn());
  }

  /** Opens a question. It stays open until it is answered, or settled by something else. */
  open(kind: QuestionKind, text: string, answers: readonly AnswerKind[], resendFrom?: string): void {
    const number = this.state.questionsAsked + 1;
    const { supportAddress } = this.input;
    const full = supportAddress === undefined ? text : `${text} Support: ${supportAddress}.`;
    const asked = { id: `q${number}-${kind}`, kind, text: full, since: this.now(), answers };
    const question = resendFrom === undefined ? asked : { ...asked, resendFrom };
    this.given = null;
    this.state = note({ ...this.state, question, questionsAsked: number }, this.now(), `asks: ${text}`);
    this.publish();
  }

  /** The answer to the open question, once: null while there is none. */
  takeAnswer(): Answer | null {
    const { given } = this;
    if (given === null) return null;
    this.given = null;
    this.close();
    return given.answer;
  }

  /**
   * Acts upon the answer to the open question, if there is one. Trouble of the account keeps it for later: nobody is
   * asked again what they have answered.
   */
  async actUponAnswer(act: (answer: Answer) => Promise<void>): Promise<void> {
    const { given } = this;
    const answer = this.takeAnswer();
    if (answer === null) return;
    try {
      await act(answer);
    } catch (error) {
      if (isAccountTrouble(error)) this.given = given;
      throw error;
    }
  }

  hasAnswer(): boolean {
    return this.given !== null;
  }

  /** The question is answered, or no longer matters. */
  close(): void {
    this.given = null;
    this.state = { ...this.state, question: null };
    this.publish();
  }

  /** The pickup of an LTL order moves to another day. */
  movePickup(day: IsoDate): void {
    const { shipment } = this.order;
    const pickup = { type: 'on', earliest: day, latest: day } as const;
    this.order = { ...this.order, shipment: { ...shipment, pickup } };
    upsertSearchAttributes([pickupAttributePair(this.order.shipment)]);
    this.note(`the pickup is on ${day} now`);
  }

  /** Another document takes the place of the order's; it begins anew with it. */
  revise({ shipment, policy, documentHash }: OrderRevision): void {
    const before = loadOf(this.order.shipment);
    this.order = { ...this.order, shipment, policy };
    this.documentHash = documentHash;
    upsertMemo({ documentHash });
    upsertSearchAttributes([pickupAttributePair(shipment)]);
    this.state = restart(keepLoad({ ...this.state, images: imagesOf(shipment) }, before));
    this.note('the order was revised and begins anew');
    this.publish();
  }

  /** Shows the state where people look. */
  publish(): void {
    // 2026-11-28: earlier runs dated a phase by the last note, and wrote the memo anew with each.
    this.state = patched('phase-since')
      ? datePhase(this.state, this.now())
      : { ...this.state, phaseSince: this.state.timeline.at(-1)?.at ?? null };
    this.publisher.show(this.state, this.input.policy);
  }

  private registerHandlers(): void {
    setHandler(messages.shipmentStateQuery, () => this.state);
    setHandler(messages.marketplaceEventReceivedSignal, (event) => this.receive(event));
    setHandler(messages.accountResumedSignal, () => {
      this.resumes += 1;
    });
    setHandler(messages.lateOutcomeReceivedSignal, (outcome) => this.hearLateOutcome(outcome));
    this.handleAnswer(messages.approvePriceUpdate, () => ({ kind: 'approve' }));
    this.handleAnswer(messages.selectRateUpdate, ({ rateId }) => ({ kind: 'selectRate', rateId }));
    this.handleAnswer(messages.resolveInDoubtUpdate, ({ decision }) => decision);
    this.handleAnswer(messages.retryNowUpdate, () => ({ kind: 'retry' }));
    this.handleAnswer(messages.postponePickupUpdate, () => ({ kind: 'postpone' }));
    this.handleAnswer(messages.reviseOrderUpdate, ({ shipment, policy, documentHash }) => ({
      kind: 'revise',
      ...{ shipment, policy, documentHash },
    }));
    this.handleAnswer(messages.rebookUpdate, () => ({ kind: 'rebook' }));
    this.handleAnswer(messages.closeShipmentUpdate, () => ({ kind: 'close' }));
    setHandler(messages.cancelShipmentUpdate, (statement) => this.withdraw(statement), {
      validator: (statement) => refuse(this.refuseWithdrawal(statement)),
    });
  }

  private handleAnswer<Input extends messages.AnswerInput>(
    update: ReturnType<typeof messages.defineAnswer<Input>>,
    toAnswer: (input: Input) => Answer,
  ): void {
    const given = (input: Input): AnswerGiven => {
      const { questionId, by, reason } = input;
      return { questionId, by, reason, answer: toAnswer(input) };
    };
    setHandler(
      update,
      (input) => {
        this.given = given(input);
        const { kind } = this.given.answer;
        if (kind === 'resend' || kind === 'rebook') this.acknowledgedRunId = input.runId ?? null;
        this.note(`${input.by} answers ${this.given.answer.kind}: ${input.reason}`);
      },
      {
        validator: (input) => {
          if (this.given !== null) refuse('the question was just answered; read the shipment again');
          const { expiryMarginMs } = this.input.policy.rates;
          refuse(refuseAnswer(this.state, given(input), { now: this.now(), expiryMarginMs }));
        },
      },
    );
  }

  /** Doubled events are dropped: signals have no idempotency key of their own. */
  private receive(event: MarketplaceEvent): void {
    const { kind, seen } = lookAtEvent(this.state, event);
    this.state = { ...this.state, ...seen };
    if (kind === 'doubled') return;
    if (kind === 'quarantined') {
      this.note(`event ${event.id} came again and says something else; only the listing is read again`);
      // What it names besides cannot be had by reading, so that a person must know of it.
      const named = attachmentsNamed(event, this.state.earlierListingIds).join(', ');
      if (named !== '') this.notice(`not fetched, because event ${event.id} names them anew: ${named}`);
      this.inbox.push({ ...event, type: 'hint', attachmentIds: [] });
      return;
    }
    this.inbox.push(event);
    this.wantAttachments(attachmentsNamed(event, this.state.earlierListingIds));
  }

  /** Kept apart from the inbox, because no list of attachments could tell of one again. */
  private wantAttachments(attachmentIds: readonly string[]): void {
    const { wantedAttachments, refused } = wantAttachments(this.state, attachmentIds, this.now());
    this.state = { ...this.state, wantedAttachments };
    for (const attachmentId of refused)
      this.notice(`attachment ${attachmentId} is not fetched: there are too many`);
  }

  /** Also one that nobody waits for any more, because its write was sent again, may name a listing of ours. */
  private hearLateOutcome(outcome: LateOutcome): void {
    this.lateOutcomes.hear(outcome);
    const listingId = listingIdOfOutcome(outcome);
    const attempt = doubtOf(this.state)?.attempt ?? null;
    const isAwaited = attempt?.runId === outcome.runId && attempt.activityId === outcome.activityId;
    const acceptance = isAwaited ? null : acceptanceOfOutcome(outcome);
    if (listingId !== null) this.hint(listingId);
    else if (acceptance !== null) this.hearLateAcceptance(acceptance.rateId, acceptance.executionId);
    else if (outcome.end.kind === 'done')
      this.note(`${workflowInfo().workflowId} heard late that activity ${outcome.activityId} had its effect`);
  }

  /** Its carrier may still book beside the one that is waited for now. */
  private hearLateAcceptance(rateId: string, executionId: string): void {
    const { rates, earlierAcceptances } = this.state;
    if (earlierAcceptances.some((known) => known.executionId === executionId)) return;
    const pending = this.state.phase === 'accepting' ? this.state.pending : null;
    // Its report was taken, and only the answer to that was lost. 2026-11-28: earlier runs watched it as another one.
    if (pending?.executionId === executionId && patched('word-of-the-pending')) return;
    const carrier = rates.find((rate) => rate.rateId === rateId)?.carrier.displayName ?? 'an earlier carrier';
    this.state = keepEarlierAcceptance(this.state, { rateId, executionId, carrier, since: this.now() });
    this.note(`an earlier acceptance by ${carrier} was taken, as is told late`);
    // Whoever waits looks again, and so watches it.
    this.inbox.push(hintOf({ about: executionId, listingId: null }, this.now()));
  }

  private refuseWithdrawal({ by, reason }: messages.Statement): string | null {
    if (by.trim() === '') return 'say who withdraws it: `by` must not be empty';
    if (reason.trim() === '') return 'say why: `reason` must not be empty';
    if (isBooked(this.state)) {
      const link = this.state.listing?.cancellationLink ?? 'the page of the listing';
      return `the shipment is booked; only the marketplace's web page can cancel it: ${link}`;
    }
    // A repeated click: it is withdrawn already, as it was asked to be.
    if (this.withdrawal?.by === by && this.withdrawal.reason === reason) return null;
    const { question, pause, phase } = this.state;
    const doubt = doubtOf(this.state);
    if (doubt !== null && question === null)
      return `${doubt.what} is in doubt, which is settled first: wait for its question, or for the answer`;
    if (question !== null && !question.answers.includes('cancel'))
      return `question ${question.id} must be answered first`;
    if (phase === 'accepting' && question === null && pause === null)
      return 'a carrier is being booked right now; wait for its answer';
    if (this.withdrawal !== null) return 'the order is already withdrawn';
    return null;
  }

  private withdraw(statement: messages.Statement): void {
    const { by, reason } = statement;
    if (this.withdrawal?.by === by && this.withdrawal.reason === reason) return;
    this.withdrawal = statement;
    this.note(`${statement.by} withdraws the order: ${statement.reason}`);
  }

  /** Temporal's own cancel does what `cancelShipment` does; what cannot be done now is done once it can. */
  private hearTemporalCancel(): void {
    CancellationScope.current().cancelRequested.catch(() => {
      this.cancelAsked = true;
      const refused = this.reconsiderCancel();
      if (refused !== null) this.notice(`not cancelled as yet: ${refused}`);
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

/** The shipment as it is now; a workflow of one kind only ever holds that kind. */
export function furnitureOf({ input: { shipment } }: ShipmentRun): FurnitureShipment {
  if (shipment.kind !== 'furniture') throw new TypeError('this is no furniture order');
  return shipment;
}

export function ltlOf({ input: { shipment } }: ShipmentRun): LtlShipment {
  if (shipment.kind !== 'ltl') throw new TypeError('this is no LTL order');
  return shipment;
}

function refuse(why: string | null): void {
  if (why !== null) throw ApplicationFailure.nonRetryable(why, 'Refused');
}
