import type { Client } from '@temporalio/client';
import { lateEventStateQuery } from '../src/contract/messages';
import type { QuestionKind } from '../src/domain/question';
import { followedListing } from '../src/domain/shipment-state';
import { parseAccountPauseWorkflowId, parseLateEventWorkflowId } from '../src/domain/workflow-id';
import { mapAtOnce } from '../src/platform/at-once';
import type { ErrorKind } from '../src/platform/error-kind';
import { UserError } from '../src/platform/user-error';
import { NotConfirmedError } from '../src/starter/client/errors';
import { answerOf } from '../src/starter/client/last-run';
import type { ShipmentSummary } from '../src/starter/client/list-shipments';
import type { ShipmentClient } from '../src/starter/client/shipment-client';
import type { Sandbox } from '../sandbox';
import { CHAOS_ACCOUNT, referenceOf } from './orders';
import type { Ending } from './order-case';
import { decide, decideLate, liveBookings, type Move } from './operator';
import { ASKERS, Tally, type Asked } from './tally';

/** Temporal is down for now: the run kills it on purpose, so every call is repeated. */
const AWAY: readonly ErrorKind[] = ['temporalUnreachable', 'notConfirmed'];
/** The next round looks again. */
const NOT_TAKEN: readonly ErrorKind[] = [
  'refused',
  'staleQuestion',
  'ended',
  'notFound',
  'nothingToAcknowledge',
];
/** In their answers the person looks for a second booking, and cancels it. */
const LOOKS_FOR_SECOND: readonly QuestionKind[] = ['inDoubt', 'unansweredAcceptance'];
const isOf = (kinds: readonly ErrorKind[], error: unknown): boolean =>
  error instanceof UserError && kinds.includes(error.kind);

export const isAway = (error: unknown): boolean => isOf(AWAY, error);

const STATEMENT = { by: 'the chaos script', reason: 'seen in the ledger' };
/** An order that asks or refuses more often than this goes round in circles, and gets no more answers. */
const MOST_ANSWERS = 15;
const AT_ONCE = 8;

interface Desk {
  readonly client: Client;
  readonly shipments: ShipmentClient;
  readonly sandbox: Sandbox;
  readonly seed: string;
}

/** Events that ask a person about an ended order. */
export const LATE_EVENTS = "WorkflowType = 'lateEvent' AND NeedsAttention = true";

/** The scripted person: reads what needs attention, looks at the marketplace's website, and answers. */
export class ScriptedPerson {
  readonly tally = new Tally();
  /** How many workflows asked in the last round. */
  open = 0;

  /** By order. It includes answers whose acceptance is unknown. */
  readonly #endings = new Map<string, ReadonlySet<Ending>>();
  readonly #reportedLate = new Map<string, ReadonlySet<string>>();
  /** Orders whose doubt made the person find two bookings on the website. */
  readonly #foundTwo = new Set<string>();

  constructor(private readonly desk: Desk) {}

  /** How many questions were answered so far, of those that were asked. */
  summary(): string {
    const [orders, accounts, lateEvents] = ASKERS.map((asker) => {
      const { asked, answered } = this.tally.of(asker);
      return `${answered} of ${asked}`;
    });
    const answered = `answered: questions ${orders}, account trouble ${accounts}, late events ${lateEvents}`;
    return `${answered}; ${this.open} open`;
  }

  /** How an order keeps asking, whatever the answer; null for one that still gets answers. */
  circleOf(orderId: string, kind: QuestionKind): string | null {
    const answers = this.tally.answersOf(orderId);
    if (answers.length < MOST_ANSWERS) return null;
    const toKind = answers.filter((one) => one === kind).length;
    return `${kind} again after ${answers.length} answers, ${toKind} of them to ${kind}`;
  }

  /** The ids of the listings that late events reported as a possible second booking of the order. */
  reportedLate(orderId: string): ReadonlySet<string> {
    return this.#reportedLate.get(orderId) ?? new Set();
  }

  /** Whether a question of the order made the person look for a second booking. */
  wasAskedAboutSecond(orderId: string): boolean {
    const isAsked = this.#foundTwo.has(orderId) || this.tally.wasAsked(orderId, 'possibleDoubleBooking');
    return isAsked || this.reportedLate(orderId).size > 0;
  }

  /** The answers that may have ended the order; empty when all were refused. */
  endingsOf(orderId: string): readonly Ending[] {
    return [...(this.#endings.get(orderId) ?? [])];
  }

  /** One round over everything that asks a person. */
  async answerAll(): Promise<void> {
    const query = "NeedsAttention = true AND ExecutionStatus = 'Running'";
    const asking = await this.desk.shipments.list({ query, limit: 1_000 });
    await mapAtOnce(asking, AT_ONCE, async (one) => {
      if (parseAccountPauseWorkflowId(one.workflowId) !== null) await this.#resume(one);
      else if (parseLateEventWorkflowId(one.workflowId) !== null) await this.#acknowledge(one);
      else await this.#serve(one);
    });
    this.open = asking.length;
  }

  /** Withdraws the order. @returns false when it refuses, or does not run */
  async withdraw(orderId: string): Promise<boolean> {
    const { shipments } = this.desk;
    const send = async () => await shipments.cancel(CHAOS_ACCOUNT, orderId, STATEMENT);
    return await this.#isTaken(send, orderId, 'withdraw');
  }

  /** Acknowledges an ended order's late event. First the person removes what could still be booked. */
  async #acknowledge({ workflowId, account, orderId, startedAt }: ShipmentSummary): Promise<void> {
    const { client, shipments, sandbox } = this.desk;
    const asked: Asked = { asker: 'lateEvent', kind: 'lateEvent', orderId, id: `${workflowId} ${startedAt}` };
    this.tally.note(asked, 'unanswered');
    const state = await answerOf(client, { workflowId }, lateEventStateQuery);
    if (state === null) return;
    const { listingId, asks } = state;
    const move = decideLate(listingId, sandbox.order(referenceOf(orderId)));
    if (move !== null) this.#doOnWebsite(move);
    if (move?.kind === 'wait') return;
    if (asks?.matter === 'possibleDoubleBooking' && listingId !== null)
      this.#reportedLate.set(orderId, new Set([...this.reportedLate(orderId), listingId]));
    const acknowledgement = { ...STATEMENT, listingId: listingId ?? undefined };
    await this.#give(asked, async () => await shipments.acknowledge(account, orderId, acknowledgement));
  }

  /** An account in trouble asks once for all its shipments. In this run the trouble ends by itself. */
  async #resume({ account, orderId, startedAt }: ShipmentSummary): Promise<void> {
    const asked: Asked = { asker: 'account', kind: 'accountTrouble', orderId, id: startedAt };
    const statement = { ...STATEMENT, reason: 'its trouble passes' };
    await this.#give(asked, async () => await this.desk.shipments.retryAccount(account, statement));
  }

  /** Answers the question of an order. First the person does what is to be done on the website. */
  async #serve({ account, orderId }: ShipmentSummary): Promise<void> {
    const { shipments, sandbox, seed } = this.desk;
    const { state } = await shipments.get(account, orderId);
    const question = state?.question ?? null;
    if (state === null || question === null || this.circleOf(orderId, question.kind) !== null) return;
    const { id: questionId, kind } = question;
    const asked: Asked = { asker: 'order', orderId, id: questionId, kind };
    this.tally.note(asked, 'unanswered');
    const website = sandbox.order(referenceOf(orderId));
    if (LOOKS_FOR_SECOND.includes(kind) && liveBookings(website).length > 1) this.#foundTwo.add(orderId);
    const drawn = { seed: `${seed}/${orderId}`, now: new Date() };
    const move = decide({ ...state, question, followed: followedListing(state), website, ...drawn });
    if (move.kind !== 'answer') {
      this.#doOnWebsite(move);
      return;
    }
    const given = { ...move.answer, questionId, ...STATEMENT, checked: move.checked ?? undefined };
    const ending = given.kind === 'close' || given.kind === 'abandon' ? given.kind : null;
    await this.#give(asked, async () => await shipments.answer(account, orderId, given), ending);
  }

  /** Does what can be done at once; to wait is nothing to do. */
  #doOnWebsite(move: Exclude<Move, { kind: 'answer' }>): void {
    const { controls } = this.desk.sandbox;
    if (move.kind === 'cancelBooking') controls.advance(move.listingId, { to: 'Cancelled', kind: 'status' });
    if (move.kind === 'withdrawAcceptance') controls.withdrawAcceptance(move.executionId);
  }

  async #give(asked: Asked, send: () => Promise<unknown>, ending: Ending | null = null): Promise<void> {
    try {
      const isTaken = await this.#isTaken(send, asked.orderId, ending);
      this.tally.note(asked, isTaken ? 'accepted' : 'refused');
    } catch (error) {
      if (error instanceof NotConfirmedError) this.tally.note(asked, 'sent');
      throw error;
    }
  }

  /** An unconfirmed request may still have been accepted, so only a refusal leaves no ending. */
  async #isTaken(send: () => Promise<unknown>, orderId: string, ending: Ending | null): Promise<boolean> {
    const sent = send();
    const isRefused = await sent.then(
      () => false,
      (error: unknown) => isOf(NOT_TAKEN, error),
    );
    if (isRefused) return false;
    if (ending !== null) this.#endings.set(orderId, new Set([...this.endingsOf(orderId), ending]));
    await sent;
    return true;
  }
}
