import type { FurnitureShipment, Shipment } from '../../src/domain/shipment';
import { orderReference } from '../../src/domain/workflow-id';
import { createMarketplace } from '../../src/marketplace/create-marketplace';
import * as messages from '../../src/contract/messages';
import { paused } from './account-in-trouble';
import { BY, marketplaceAccount, type Harness } from './harness';
import { untilConfirmed } from './until-confirmed';

/** What a person, or the marketplace, does to an order in a test, and what they can see of it. */
export class Person {
  constructor(private readonly harness: () => Harness) {}

  async decide(shipment: Shipment, questionId: string, decision: messages.DoubtDecision): Promise<void> {
    await this.handleOf(shipment).executeUpdate(messages.resolveInDoubtUpdate, {
      args: [{ questionId, ...BY, decision }],
    });
  }

  async answer(
    shipment: Shipment,
    questionId: string,
    update: ReturnType<typeof messages.defineAnswer<messages.AnswerInput>>,
  ): Promise<void> {
    const updateId = `${questionId}/${update.name}`;
    await untilConfirmed(
      async () =>
        await this.handleOf(shipment).executeUpdate(update, { updateId, args: [{ questionId, ...BY }] }),
    );
  }

  async cancel(shipment: Shipment): Promise<void> {
    await this.handleOf(shipment).executeUpdate(messages.cancelShipmentUpdate, { args: [BY] });
  }

  /**
   * Resets the order's workflow to its first task, as `temporal workflow reset` does.
   * @param runId the latest run when it is left out
   * @returns the new run
   */
  async reset(shipment: Shipment, runId?: string): Promise<string> {
    const { client, open } = this.harness().temporal;
    const { workflowId, runId: latest } = await this.handleOf(shipment).describe();
    const from = runId ?? latest;
    const { events } = await client.workflow.getHandle(workflowId, from).fetchHistory();
    const firstTask = (events ?? []).find((event) => event.workflowTaskCompletedEventAttributes != null);
    const answer = await client.workflowService.resetWorkflowExecution({
      ...{ namespace: open.namespace, workflowExecution: { workflowId, runId: from }, reason: 'a test' },
      ...{ workflowTaskFinishEventId: firstTask?.eventId ?? null, requestId: `reset-${from}` },
    });
    return answer.runId;
  }

  /** Waits until the shipment waits for its account; the account's question is asked by then. */
  async paused(shipment: Shipment): Promise<void> {
    await paused(this.harness(), [shipment]);
  }

  /** As a person does who lists the order by hand, or an earlier send that was thought lost. Tells it by an event. */
  async listByHand(shipment: FurnitureShipment, sendId = 'by-hand'): Promise<string> {
    const { sandbox } = this.harness();
    const marketplace = createMarketplace(marketplaceAccount(sandbox.url));
    const listPrice = { minorUnits: 20_000, currency: 'USD' };
    const draft = { shipment, listPrice, priceCorrelationId: null, sendId };
    const { listingId } = await marketplace.createListing(draft);
    await marketplace.close();
    this.tell(listingId);
    return listingId;
  }

  /** An event that names the listing and changes nothing. */
  tell(listingId: string): void {
    this.harness().sandbox.controls.addReference(listingId, { number: 'seen', type: 'Other' });
  }

  /** The same event, past the receiver. */
  async signal(shipment: Shipment, listingId: string): Promise<void> {
    const event = { id: `told-${listingId}`, type: 'hint', time: '', listingIds: [listingId] };
    await this.handleOf(shipment).signal(messages.marketplaceEventReceivedSignal, event);
  }

  async timeline(shipment: Shipment): Promise<string[]> {
    const { state } = await this.harness().until(shipment, (view) => view.state !== null);
    return state?.timeline.map(({ what }) => what) ?? [];
  }

  /** Waits until the order's timeline says it. */
  async noted(shipment: Shipment, text: string): Promise<void> {
    await this.harness().until(
      shipment,
      ({ state }) => state?.timeline.some(({ what }) => what.includes(text)) === true,
    );
  }

  listingIdsOf(shipment: Shipment): string[] {
    return this.harness()
      .ledgerOf(shipment)
      .listings.map(({ listingId }) => String(listingId));
  }

  /** How often the order's listing was posted, whatever became of it. */
  postsOf({ account, orderId }: Shipment): number {
    const reference = `"${orderReference(account, orderId)}"`;
    return this.harness()
      .sandbox.requests('createListing')
      .filter(({ body }) => JSON.stringify(body).includes(reference)).length;
  }

  /** Failures of workflow tasks: a bug of the workflow, which it does not survive by itself. */
  async taskFailures(shipment: Shipment): Promise<number> {
    const { events } = await this.handleOf(shipment).fetchHistory();
    return (events ?? []).filter(({ workflowTaskFailedEventAttributes: failed }) => failed != null).length;
  }

  private handleOf(shipment: Shipment) {
    return this.harness().handleOf(shipment);
  }
}
