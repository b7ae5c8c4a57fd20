import {
  isGrpcServiceError,
  ServiceError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  type Client,
} from '@temporalio/client';
import type { Question } from '../domain/question';
import type { ShipmentState } from '../domain/shipment-state';
import { orderReference, shipmentWorkflowId } from '../domain/workflow-id';
import { ANSWER_DEADLINE_MS, sendAnswer } from '../starter/send-answer';
import type { ShipmentClient, ShipmentSummary } from '../starter/shipment-client';
import * as messages from '../workflows/messages';
import { CHAOS_ACCOUNT } from './orders';
import type { Ending } from './order-case';
import { decide } from './person';
import type { SandboxControl } from './sandbox-control';

/** Whether Temporal, or the way to it, failed for now: it is killed on purpose, so that everything is repeated. */
export const isAway = (error: unknown): boolean =>
  error instanceof ServiceError ||
  error instanceof WorkflowUpdateRPCTimeoutOrCancelledError ||
  isGrpcServiceError(error);

const ENDINGS: readonly string[] = ['close', 'abandon', 'cancel'] satisfies Ending[];
const isEnding = (kind: string): kind is Ending => ENDINGS.includes(kind);

const STATEMENT = { by: 'the chaos script', reason: 'seen in the ledger' };
/** One that asks more often than this, or refuses so often, goes round in circles, and is left alone. */
const MOST_ANSWERS = 15;
/** So many answers are being given at once. */
const AT_ONCE = 8;

interface Desk {
  readonly client: Client;
  readonly shipments: ShipmentClient;
  readonly sandbox: SandboxControl;
  readonly seed: string;
}

interface Telling {
  /** The kind under which it is counted. */
  readonly seenAs: string;
  readonly update: typeof messages.acknowledgeUpdate;
  readonly statement: messages.Statement;
}

/** The person: reads what asks for attention, looks at the marketplace's website, and answers. */
export class ScriptedPerson {
  answered = 0;
  /** Questions by kind, each counted once. */
  readonly seen = new Map<string, string>();

  /** So many were given, taken or not. */
  readonly #answers = new Map<string, number>();
  /** By order; also those of which nobody knows whether they were taken. */
  readonly #endings = new Map<string, ReadonlySet<Ending>>();

  constructor(private readonly desk: Desk) {}

  /** Whether the order asked a question of the kind. */
  wasAsked(orderId: string, kind: Question['kind']): boolean {
    return [...this.seen].some(([key, asked]) => key.startsWith(`${orderId}/`) && asked === kind);
  }

  /** What was said that ends the order, unless all of it was refused. */
  endingsOf(orderId: string): readonly Ending[] {
    return [...(this.#endings.get(orderId) ?? [])];
  }

  /** One round over everything that asks. @returns how many asked */
  async answerAll(): Promise<number> {
    const query =
      "NeedsAttention = true AND ExecutionStatus = 'Running' AND WorkflowType IN ('furnitureShipment', 'ltlShipment')";
    const waiting = await this.desk.shipments.list({ query, limit: 1_000 });
    const queue = [...waiting];
    const serve = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) await this.#serve(next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, serve));
    return waiting.length + (await this.#resumeAccounts()) + (await this.#acknowledgeLateEvents());
  }

  /** Withdraws the order. @returns false when it is refused, or not there to be asked */
  async withdraw(orderId: string): Promise<boolean> {
    const handle = this.desk.client.workflow.getHandle(shipmentWorkflowId(CHAOS_ACCOUNT, orderId));
    return await this.#confirmEnding(orderId, 'withdraw', async () => {
      await handle.executeUpdate(messages.cancelShipmentUpdate, { args: [STATEMENT] });
    });
  }

  /** What an order that is over wants a person to see. */
  async #acknowledgeLateEvents(): Promise<number> {
    return await this.#answerEach("WorkflowType = 'lateEvent' AND NeedsAttention = true", {
      ...{ seenAs: 'lateEvent', update: messages.acknowledgeUpdate, statement: STATEMENT },
    });
  }

  /** Accounts in trouble ask once for all their shipments; here their trouble is over by itself. */
  async #resumeAccounts(): Promise<number> {
    const statement = { by: 'the chaos script', reason: 'its trouble passes' };
    return await this.#answerEach("WorkflowType = 'accountPause'", {
      ...{ seenAs: 'accountTrouble', update: messages.resumeAccountUpdate, statement },
    });
  }

  /** Tells each running workflow of the query the same. @returns how many asked */
  async #answerEach(query: string, { seenAs, update, statement }: Telling): Promise<number> {
    const { client } = this.desk;
    let asked = 0;
    for await (const { workflowId, runId } of client.workflow.list({
      query: `${query} AND ExecutionStatus = 'Running'`,
    })) {
      asked += 1;
      this.seen.set(runId, seenAs);
      const handle = client.workflow.getHandle(workflowId);
      const isTaken = await this.#confirm(
        async () => await handle.executeUpdate(update, { args: [statement] }),
      );
      if (isTaken) this.answered += 1;
    }
    return asked;
  }

  async #serve({ account, orderId, workflowId }: ShipmentSummary): Promise<void> {
    if ((this.#answers.get(orderId) ?? 0) >= MOST_ANSWERS) return;
    const { state, runId } = await this.desk.shipments.get(account, orderId);
    const question = state?.question ?? null;
    if (state === null || question === null) return;
    this.seen.set(`${orderId}/${question.id}`, question.kind);
    const website = await this.desk.sandbox.orderLedger(orderReference(account, orderId));
    const move = decide({
      question,
      ...{ kind: state.kind, rates: state.rates, followed: followedOf(state) },
      website: website ?? { listings: [], acceptances: [] },
      ...{ seed: `${this.desk.seed}/${orderId}`, now: new Date() },
    });
    if (move.kind === 'wait') return;
    if (move.kind === 'cancelBooking') {
      await this.desk.sandbox.cancelBooking(move.listingId);
      return;
    }
    if (move.kind === 'withdrawAcceptance') {
      await this.desk.sandbox.withdrawAcceptance(move.executionId);
      return;
    }
    const handle = this.desk.client.workflow.getHandle(workflowId, runId);
    const { answer } = move;
    const send = async (): Promise<void> =>
      await sendAnswer(handle, { questionId: question.id, ...STATEMENT }, answer);
    const isTaken = isEnding(answer.kind)
      ? await this.#confirmEnding(orderId, answer.kind, send)
      : await this.#confirm(send);
    if (isTaken) this.answered += 1;
    this.#answers.set(orderId, (this.#answers.get(orderId) ?? 0) + 1);
  }

  /** As `confirm`. What is not confirmed may have been taken all the same, so that only a refusal takes it back. */
  async #confirmEnding(orderId: string, ending: Ending, update: () => Promise<void>): Promise<boolean> {
    const before = this.#endings.get(orderId) ?? new Set();
    this.#endings.set(orderId, new Set([...before, ending]));
    const isTaken = await this.#confirm(update);
    if (!isTaken) this.#endings.set(orderId, before);
    return isTaken;
  }

  /** @returns false when it was refused, or nobody is there to take it: the next round looks anew */
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

const followedOf = (state: ShipmentState): string | null => ('listingId' in state ? state.listingId : null);
