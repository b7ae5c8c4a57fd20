import {
  isGrpcServiceError,
  ServiceError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  type Client,
  type WorkflowHandle,
} from '@temporalio/client';
import { assertNever } from '../src/domain/assert-never';
import type { QuestionKind } from '../src/domain/question';
import { followedListing } from '../src/domain/shipment-state';
import { orderReference, shipmentWorkflowId } from '../src/domain/workflow-id';
import { ANSWER_DEADLINE_MS, sendAnswer, sendUpdate } from '../src/starter/client/send-answer';
import type { ShipmentSummary } from '../src/starter/client/list-shipments';
import type { ShipmentClient } from '../src/starter/client/shipment-client';
import { TemporalUnreachableError } from '../src/temporal/client-connection';
import * as messages from '../src/contract/messages';
import { CHAOS_ACCOUNT } from './orders';
import type { Circle, Ending } from './order-case';
import { decide, decideLate } from './operator';
import type { SandboxControl } from './sandbox-control';
import { ASKERS, Tally, type Asked } from './tally';

/** Whether Temporal or the connection to it failed for now. The run kills it on purpose, so every call is repeated. */
export const isAway = (error: unknown): boolean =>
  error instanceof ServiceError ||
  error instanceof TemporalUnreachableError ||
  error instanceof WorkflowUpdateRPCTimeoutOrCancelledError ||
  isGrpcServiceError(error);

const ENDINGS: readonly string[] = ['close', 'abandon', 'cancel'] satisfies Ending[];
const isEnding = (kind: string): kind is Ending => ENDINGS.includes(kind);

const STATEMENT = { by: 'the chaos script', reason: 'seen in the ledger' };
/** An order that asks or refuses more often than this goes round in circles, and gets no more answers. */
const MOST_ANSWERS = 15;
/** How many answers are sent at once. */
const AT_ONCE = 8;

interface Desk {
  readonly client: Client;
  readonly shipments: ShipmentClient;
  readonly sandbox: SandboxControl;
  readonly seed: string;
}

/** Events that ask a person about an ended order. */
export const LATE_EVENTS = "WorkflowType = 'lateEvent' AND NeedsAttention = true";

/** The scripted person: reads what needs attention, looks at the marketplace's website, and answers. */
export class ScriptedPerson {
  readonly tally = new Tally();
  /** How many workflows asked in the last round. */
  open = 0;
  /** The orders that asked in the last round although they get no more answers. */
  circling: ReadonlySet<string> = new Set();

  /** By order. It includes answers whose acceptance is unknown. */
  readonly #endings = new Map<string, ReadonlySet<Ending>>();
  readonly #reportedLate = new Map<string, ReadonlySet<string>>();

  constructor(private readonly desk: Desk) {}

  /** How many questions were answered so far, of those that were asked. */
  summary(): string {
    const [orders, accounts, lateEvents] = ASKERS.map((asker) => this.tally.of(asker)).map(
      ({ asked, answered }) => `${answered} of ${asked}`,
    );
    return (
      `answered: questions ${orders}, account trouble ${accounts}, late events ${lateEvents}; ` +
      `${this.open} open`
    );
  }

  /** @returns null for an order that still gets answers */
  circleOf(orderId: string, kind: QuestionKind): Circle | null {
    const answers = this.tally.answersOf(orderId);
    if (answers.length < MOST_ANSWERS) return null;
    return { kind, answers: answers.length, answersToKind: answers.filter((one) => one === kind).length };
  }

  /** The ids of the listings that late events reported as a possible second booking of the order. */
  reportedLate(orderId: string): ReadonlySet<string> {
    return this.#reportedLate.get(orderId) ?? new Set();
  }

  /** The answers that may have ended the order; empty when all were refused. */
  endingsOf(orderId: string): readonly Ending[] {
    return [...(this.#endings.get(orderId) ?? [])];
  }

  /** One round over everything that asks a person. */
  async answerAll(): Promise<void> {
    const query =
      "NeedsAttention = true AND ExecutionStatus = 'Running' AND WorkflowType IN ('furnitureShipment', 'ltlShipment')";
    const waiting = await this.desk.shipments.list({ query, limit: 1_000 });
    const circling = new Set<string>();
    await eachAtOnce(waiting, async (next) => {
      if ((await this.#serve(next)) === 'circles') circling.add(next.orderId);
    });
    this.circling = circling;
    this.open = waiting.length + (await this.#resumeAccounts()) + (await this.#serveLateEvents());
  }

  /** Withdraws the order. @returns false when it refuses, or does not run */
  async withdraw(orderId: string): Promise<boolean> {
    const handle = this.desk.client.workflow.getHandle(shipmentWorkflowId(CHAOS_ACCOUNT, orderId));
    return await this.#confirmEnding(orderId, 'withdraw', async () => {
      await sendUpdate(handle, messages.cancelShipmentUpdate, { args: [STATEMENT] });
    });
  }

  /** Acknowledges an ended order's late event. First the person removes what could still be booked. */
  async #serveLateEvents(): Promise<number> {
    return await this.#serveEach(LATE_EVENTS, 'lateEvent', async (handle) => {
      const { account, orderId, listingId, asks } = await handle.query(messages.lateEventStateQuery);
      const website = await this.desk.sandbox.orderLedger(orderReference(account, orderId));
      const move = decideLate(listingId, website ?? { listings: [] });
      if (move?.kind === 'wait') return null;
      if (move !== null) await this.desk.sandbox.cancelBooking(move.listingId);
      if (asks?.matter === 'possibleDoubleBooking' && listingId !== null)
        this.#reportedLate.set(orderId, new Set([...this.reportedLate(orderId), listingId]));
      return async () => await sendUpdate(handle, messages.acknowledgeUpdate, { args: [STATEMENT] });
    });
  }

  /** Accounts in trouble ask once for all their shipments. In this run the trouble ends by itself. */
  async #resumeAccounts(): Promise<number> {
    const statement = { by: 'the chaos script', reason: 'its trouble passes' };
    const resume = async (handle: WorkflowHandle) =>
      await Promise.resolve(
        async () => await sendUpdate(handle, messages.resumeAccountUpdate, { args: [statement] }),
      );
    return await this.#serveEach("WorkflowType = 'accountPause'", 'account', resume);
  }

  /**
   * Serves each running workflow of the query.
   * @param look how to answer it; null when the answer must wait
   * @returns how many workflows asked
   */
  async #serveEach(
    query: string,
    asker: 'account' | 'lateEvent',
    look: (handle: WorkflowHandle) => Promise<(() => Promise<void>) | null>,
  ): Promise<number> {
    const { workflow } = this.desk.client;
    const asking: { readonly workflowId: string; readonly runId: string }[] = [];
    for await (const found of workflow.list({ query: `${query} AND ExecutionStatus = 'Running'` }))
      asking.push(found);
    await eachAtOnce(asking, async ({ workflowId, runId }) => {
      const asked = { asker, runId };
      this.tally.noteAsked(asked);
      const send = await unlessOver(async () => await look(workflow.getHandle(workflowId)));
      if (send !== null) await this.#note(asked, async () => await this.#confirm(send));
    });
    return asking.length;
  }

  /** @returns `circles` for an order that asks again after too many answers */
  async #serve({ account, orderId, workflowId }: ShipmentSummary): Promise<'circles' | 'served'> {
    const { state, runId } = await this.desk.shipments.get(account, orderId);
    const question = state?.question ?? null;
    if (state === null || question === null) return 'served';
    const asked: Asked = { asker: 'order', orderId, id: question.id, kind: question.kind };
    if (this.circleOf(orderId, question.kind) !== null)
      // The order may still be processing the last answer.
      return this.tally.isAnswered(asked) ? 'served' : 'circles';
    this.tally.noteAsked(asked);
    const website = await this.desk.sandbox.orderLedger(orderReference(account, orderId));
    const move = decide({
      question,
      ...{ kind: state.kind, rates: state.rates, followed: followedListing(state) },
      website: website ?? { listings: [], acceptances: [] },
      ...{ seed: `${this.desk.seed}/${orderId}`, now: new Date() },
    });
    switch (move.kind) {
      case 'wait':
        break;
      case 'cancelBooking':
        await this.desk.sandbox.cancelBooking(move.listingId);
        break;
      case 'withdrawAcceptance':
        await this.desk.sandbox.withdrawAcceptance(move.executionId);
        break;
      case 'answer': {
        const handle = this.desk.client.workflow.getHandle(workflowId, runId);
        const given = { questionId: question.id, ...STATEMENT };
        const { answer, checked } = move;
        const input = checked === null ? given : { ...given, checked };
        const send = async (): Promise<void> => await sendAnswer(handle, input, answer);
        await this.#note(asked, async () =>
          isEnding(answer.kind)
            ? await this.#confirmEnding(orderId, answer.kind, send)
            : await this.#confirm(send),
        );
        break;
      }
      default:
        return assertNever(move);
    }
    return 'served';
  }

  /** Counts an answer. @param give resolves to whether it was accepted */
  async #note(asked: Asked, give: () => Promise<boolean>): Promise<void> {
    try {
      if (await give()) this.tally.noteAnswered(asked);
      else this.tally.noteRefused(asked);
    } catch (error) {
      if (isAway(error)) this.tally.noteSent(asked);
      throw error;
    }
  }

  /** Like `confirm`. An unconfirmed answer may still have been accepted, so only a refusal removes it. */
  async #confirmEnding(orderId: string, ending: Ending, update: () => Promise<void>): Promise<boolean> {
    const before = this.#endings.get(orderId) ?? new Set();
    this.#endings.set(orderId, new Set([...before, ending]));
    const isTaken = await this.#confirm(update);
    if (!isTaken) this.#endings.set(orderId, before);
    return isTaken;
  }

  /** @returns false when it was refused, or no workflow is there: the next round looks again */
  async #confirm(update: () => Promise<void>): Promise<boolean> {
    try {
      await this.desk.client.withDeadline(Date.now() + ANSWER_DEADLINE_MS, update);
      return true;
    } catch (error) {
      if (error instanceof WorkflowUpdateFailedError || error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }
}

/** Does the work for each item, several at once; stops at the first failure. */
async function eachAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const workNext = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, workNext));
}

/** A workflow that asked may have ended before it is looked at. */
async function unlessOver<T>(look: () => Promise<T>): Promise<T | null> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}
