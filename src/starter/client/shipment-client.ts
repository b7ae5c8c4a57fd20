import type { Client } from '@temporalio/client';
import type { Statement } from '../../contract/messages';
import type { UnroutedEventResult } from '../../contract/workflow-input';
import type { AccountPin } from '../../domain/account-pin';
import type { ShipmentPolicy } from '../../domain/policy';
import type { Shipment } from '../../domain/shipment';
import type { ShipmentResult } from '../../domain/shipment-result';
import { isAccountName, isOrderId, type OrderKey } from '../../domain/workflow-id';
import { UserError } from '../../platform/user-error';
import { accountOverview, METERED_SHIPMENTS, type AccountOverview } from './account-overview';
import { acknowledge, type Acknowledgement } from './acknowledge';
import { answerQuestion, type QuestionAnswer } from './answer-question';
import { findAttention, type AttentionOptions, type AttentionReport } from './attention';
import type { ImportSource } from './check-import';
import { findDue, type DueOptions, type DueReport } from './due-shipments';
import {
  EventClient,
  type EventListOptions,
  type EventPage,
  type EventPageOptions,
  type EventSummary,
  type LateEvent,
} from './event-client';
import { exportShipments, type ExportedShipment, type ExportOptions } from './export-shipments';
import { getOrder, getPolicy, getShipment, resultOf, type ShipmentView } from './get-shipment';
import { startedWith, type IdempotencyKey } from './idempotency-key';
import type { ImportOptions, RowOutcome } from './import-orders';
import {
  countShipments,
  listShipments,
  shipmentPage,
  type ListOptions,
  type PageOptions,
  type ShipmentPage,
  type ShipmentSummary,
} from './list-shipments';
import { listVersions, type ListVersions } from './list-versions';
import { documentsOf, refetchDocuments, type ShipmentDocuments } from './order-documents';
import {
  notificationsOf,
  replayNotifications,
  retryNotifications,
  type NotificationLog,
} from './notifications';
import { quoteOrder, type Quote, type QuoteOptions } from './quote-order';
import type { Receipt } from './request';
import {
  previewRevision,
  reviseOrder,
  type Revision,
  type RevisionPreview,
  type RevisionStatement,
} from './revise-order';
import { explained, explainedEach } from './service-error';
import {
  startOrder,
  type RestartStatement,
  type StartableOrder,
  type StartedShipment,
  type StartOptions,
} from './start-order';
import { watchShipment, type WatchOptions } from './watch-shipment';
import { resumeAccount, withdrawOrder } from './withdraw-order';

/**
 * Everything that can be done with shipments, for order systems, programs and Consign's commands. An order is one
 * workflow, so every method is safe to repeat. Each method throws a `UserError` with a `kind`:
 * `TemporalUnreachableError` when Temporal does not answer, and what it names.
 */
export class ShipmentClient {
  readonly #client: Client;
  readonly #events: EventClient;

  constructor(client: Client) {
    this.#client = client;
    this.#events = new EventClient(client);
  }

  /**
   * Asks a worker what an order would cost now: the fixed price, or all rates with the choice of the policy. Books nothing.
   * @throws NoWorkerError, NoAnswerError
   */
  async quote(order: StartableOrder, options?: QuoteOptions): Promise<Quote> {
    return await explained(async () => await quoteOrder(this.#client, order, options));
  }

  /**
   * Starts the shipment of an order, or finds the existing one.
   *
   * Same order id and same document: returns that run. Another document while the last run is open or delivered:
   * a conflict. Failed before booking: a new run. Withdrawn, cancelled, terminated or timed out: a conflict, except
   * with a statement of what was checked; the new run then reads the listings that the last one knew.
   *
   * When it throws anything but a conflict, it is unknown whether the order was started: start it again.
   * @throws OrderConflictError, KeyReusedError
   */
  async start(
    order: StartableOrder,
    statement?: RestartStatement,
    options?: StartOptions,
  ): Promise<StartedShipment> {
    return await explained(async () => await startOrder(this.#client, order, { statement, ...options }));
  }

  /**
   * The result that `start` gave for a key, while that run is the order's last; null: there is none. Ask it before the
   * order is checked again: a day that was right at the start may be past now.
   * @throws KeyReusedError
   */
  async startedWith(account: string, orderId: string, key: IdempotencyKey): Promise<StartedShipment | null> {
    return await explained(async () => await startedWith(this.#client, orderOf(account, orderId), key));
  }

  /**
   * Starts the orders of a file, CSV or JSON lines, and iterates over what became of each row. Every row is checked
   * before the first order starts, and nothing starts while one is invalid, except with `rejectTo`. Repeating it starts
   * only what is missing. Imported orders wait behind those of `start`.
   *
   * When it throws anything but an invalid file, the rows that it has not named may have started: import the file again.
   * @throws InvalidImportError when the file cannot be read as rows
   */
  async *importOrders(source: ImportSource, options: ImportOptions): AsyncIterableIterator<RowOutcome> {
    // Loaded only here, because it reads order documents, which the other methods do not.
    const { importOrders } = await import('./import-orders.ts');
    yield* importOrders(this.#client, source, options);
  }

  /** Reads one shipment. Its `state` comes from a worker. @throws ShipmentNotFoundError */
  async get(account: string, orderId: string): Promise<ShipmentView> {
    return await explained(async () => await getShipment(this.#client, orderOf(account, orderId)));
  }

  /** Reads an order as it was last revised, with people's data. @throws ShipmentNotFoundError, NoWorkerError */
  async order(account: string, orderId: string): Promise<Shipment> {
    return await explained(async () => await getOrder(this.#client, orderOf(account, orderId)));
  }

  /** The policy that an order follows. @throws ShipmentNotFoundError, NoWorkerError */
  async policy(account: string, orderId: string): Promise<ShipmentPolicy> {
    return await explained(async () => await getPolicy(this.#client, orderOf(account, orderId)));
  }

  /**
   * The pickups and deliveries that are due on a day, what is late, and what has no papers. Asks a worker for each
   * open shipment, at most `limit` of them.
   */
  async due(options: DueOptions): Promise<DueReport> {
    return await explained(async () => await findDue(this.#client, options));
  }

  /**
   * How an account is: whether it is paused, its open shipments, and what became of the events of the newest ones.
   * @param shipments how many of the newest a worker is asked for
   */
  async accountOverview(account: string, shipments = METERED_SHIPMENTS): Promise<AccountOverview> {
    return await explained(async () => await accountOverview(this.#client, account, shipments));
  }

  /**
   * Each order once, by its last run, newest first; with them late events and account pauses that need a person.
   * @throws TemporalRefusedError when the filter is invalid
   */
  async list(options?: ListOptions): Promise<ShipmentSummary[]> {
    return await explained(async () => await listShipments(this.#client, options));
  }

  /**
   * A part of the list, and where the next part begins. An order that changes between two parts may appear in both.
   * @throws TemporalRefusedError when the filter is invalid, UserError when the cursor is
   */
  async page(options?: PageOptions): Promise<ShipmentPage> {
    return await explained(async () => await shipmentPage(this.#client, options));
  }

  /**
   * The orders that were placed on some days, the last placed first, with their states, prices and times. The iteration
   * reads page by page, and asks a worker for each order.
   */
  exportOrders(options: ExportOptions): AsyncIterableIterator<ExportedShipment> {
    return explainedEach(exportShipments(this.#client, options));
  }

  /** The number of shipments. `query` as in `list`. */
  async count(query?: string): Promise<number> {
    return await explained(async () => await countShipments(this.#client, query));
  }

  /**
   * The views of a shipment, each when it differs from the one before. The iteration ends with the shipment, or when the
   * signal fires. It looks at most every 0.7 seconds, and continues after an outage of Temporal.
   * @throws ShipmentNotFoundError
   */
  watch(account: string, orderId: string, options?: WatchOptions): AsyncIterableIterator<ShipmentView> {
    return watchShipment(this.#client, orderOf(account, orderId), options);
  }

  /** Waits until the shipment has ended. @throws ShipmentFailedError, ShipmentNotFoundError */
  async result(account: string, orderId: string): Promise<ShipmentResult> {
    return await explained(async () => await resultOf(this.#client, orderOf(account, orderId)));
  }

  /**
   * Answers the open question of a shipment, or the one that the answer names.
   * @throws ShipmentNotFoundError, NoQuestionError, StaleQuestionError, RefusedError, ShipmentEndedError, NoWorkerError,
   *   NotConfirmedError
   */
  async answer(account: string, orderId: string, answer: QuestionAnswer): Promise<Receipt> {
    return await explained(async () => await answerQuestion(this.#client, orderOf(account, orderId), answer));
  }

  /**
   * Answers the open question with a corrected order. Without a question, it changes the open listing of a furniture
   * order and waits up to 15 seconds for the result.
   * @throws as `answer`
   */
  async revise(order: StartableOrder, statement: RevisionStatement): Promise<Revision> {
    return await explained(async () => await reviseOrder(this.#client, order, statement));
  }

  /** What `revise` would do now; changes nothing. @throws RefusedError when it would be refused, and as `answer` */
  async previewRevision(order: StartableOrder): Promise<RevisionPreview> {
    return await explained(async () => await previewRevision(this.#client, order));
  }

  /**
   * Withdraws an order that is not booked.
   * @throws ShipmentNotFoundError, RefusedError, ShipmentEndedError, NotConfirmedError
   */
  async cancel(account: string, orderId: string, statement: Statement): Promise<Receipt> {
    return await explained(
      async () => await withdrawOrder(this.#client, orderOf(account, orderId), statement),
    );
  }

  /** Lists the documents of a shipment. `saveDocuments` writes them. @throws ShipmentNotFoundError, NoWorkerError */
  async documents(account: string, orderId: string): Promise<ShipmentDocuments> {
    return await explained(async () => await documentsOf(this.#client, orderOf(account, orderId)));
  }

  /**
   * Requests the missing documents of a shipment from the marketplace again.
   * @throws ShipmentNotFoundError, RefusedError, ShipmentEndedError, NotConfirmedError
   */
  async retryDocuments(account: string, orderId: string, statement: Statement): Promise<Receipt> {
    return await explained(
      async () => await refetchDocuments(this.#client, orderOf(account, orderId), statement),
    );
  }

  /**
   * Everything that needs a person: open questions, workflows whose tasks fail, unreadable records, shipments that
   * Temporal ended, queues without a worker, calls and endpoints that fail. Needs no worker.
   * @throws TemporalRefusedError when the filter is invalid
   */
  async attention(options?: AttentionOptions): Promise<AttentionReport> {
    return await explained(async () => await findAttention(this.#client, options));
  }

  /**
   * Resumes the shipments that are paused because of an account, once the problem is fixed. `doneBefore`: none waits.
   * @throws RefusedError, NotConfirmedError
   */
  async retryAccount(account: string, statement: Statement): Promise<Receipt> {
    return await explained(async () => await resumeAccount(this.#client, account, statement));
  }

  /** Events that no running shipment received, one entry for each listing, newest first. */
  async events(options?: EventListOptions): Promise<EventSummary[]> {
    return await explained(async () => await this.#events.list(options));
  }

  /** A part of the list of `events`, and where the next part begins. @throws UserError when the cursor is invalid */
  async eventPage(options?: EventPageOptions): Promise<EventPage> {
    return await explained(async () => await this.#events.page(options));
  }

  /** Versions of the lists by account: one is another text once its list has changed. Four requests for all of them. */
  async listVersions(accounts: readonly string[]): Promise<ReadonlyMap<string, ListVersions>> {
    const names = accounts.map(accountOf);
    return await explained(async () => await listVersions(this.#client, names));
  }

  /** The late events of one order that ask a person, or that a person has acknowledged. */
  async lateEvents(account: string, orderId: string): Promise<LateEvent[]> {
    return await explained(async () => await this.#events.lateEventsOf(orderOf(account, orderId)));
  }

  /**
   * Finds the order that a listing belongs to, and delivers its event.
   * @param account whose key reads the listing
   * @throws NoAnswerError when the listing cannot be read
   */
  async replayEvent(account: AccountPin, listingId: string): Promise<UnroutedEventResult> {
    return await explained(async () => await this.#events.replay(account, listingId));
  }

  /** The delivery log of an order's notifications. @throws ShipmentNotFoundError, NoWorkerError */
  async notifications(account: string, orderId: string): Promise<NotificationLog> {
    return await explained(async () => await notificationsOf(this.#client, orderOf(account, orderId)));
  }

  /**
   * Sends notifications of an order again, with the same ids, also after the order has ended.
   * @param fromId the first of them; left out, all that are known: the newest 50 at least
   * @returns how many
   * @throws ShipmentNotFoundError, NoWorkerError
   */
  async replayNotifications(account: string, orderId: string, fromId?: string): Promise<number> {
    return await explained(
      async () => await replayNotifications(this.#client, orderOf(account, orderId), fromId ?? null),
    );
  }

  /**
   * Tries endpoints that keep failing, or are paused, again at once. `testNotifications` shows whether they accept events.
   * @param endpoint left out, all of the account
   * @returns for how many orders
   */
  async retryNotifications(account: string, endpoint?: string): Promise<number> {
    const name = accountOf(account);
    return await explained(async () => await retryNotifications(this.#client, name, endpoint ?? null));
  }

  /**
   * Records that a person has handled a late event, or a shipment that Temporal ended.
   * @throws NothingToAcknowledgeError, SeveralListingsError, RefusedError, ShipmentEndedError, NotConfirmedError
   */
  async acknowledge(account: string, orderId: string, by: Acknowledgement): Promise<Receipt> {
    return await explained(async () => await acknowledge(this.#client, orderOf(account, orderId), by));
  }
}

/** The name becomes part of a filter. @throws UserError */
function accountOf(name: string): string {
  if (isAccountName(name)) return name;
  throw new UserError('This is no account name: it consists of lower-case letters, digits and dashes.');
}

/** Names become part of workflow ids and of filters. @throws UserError */
function orderOf(account: string, orderId: string): OrderKey {
  if (isAccountName(account) && isOrderId(orderId)) return { account, orderId };
  throw new UserError(
    'This is no account name with an order id: both consist of letters, digits, - . and _.',
  );
}
