import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Statement } from '../../contract/messages';
import type { AmendmentReport } from '../../domain/amendment';
import { shipmentWorkflowId, type OrderKey } from '../../domain/workflow-id';
import { answered, openQuestionOf } from './answer-question';
import { getShipment } from './get-shipment';
import { confirmed } from './request';
import { sendAmendment, sendAnswer } from './send-answer';
import type { StartableOrder } from './start-order';

/** Who revises an order and why, and the question that the person read. */
export interface RevisionStatement extends Statement {
  /** By default the open question; without one, the open listing of a furniture order is changed. */
  readonly questionId?: string | undefined;
}

/** What a corrected document did. */
export type Revision =
  /** It answered the open question. */
  | { readonly kind: 'answer' }
  /** It changes the open listing. A slow change continues by itself: its report says `underWay` then. */
  | { readonly kind: 'change'; readonly report: Pick<AmendmentReport, 'status' | 'what'> };

/** Most changes end sooner. */
const REPORT_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 300;

/**
 * Answers the open question with a corrected order, or changes the open listing.
 * @throws as `answerQuestion`
 */
export async function reviseOrder(
  client: Client,
  { shipment, policy, documentHash }: StartableOrder,
  { by, reason, questionId: named }: RevisionStatement,
): Promise<Revision> {
  const { account, orderId } = shipment;
  const order: OrderKey = { account, orderId };
  const revision = { shipment, policy, documentHash };
  const handle = client.workflow.getHandle(shipmentWorkflowId(account, orderId));
  const { state } = await getShipment(client, order);
  if (named === undefined && state?.at.phase === 'awaitingBooking' && state.question === null) {
    const earlierAt = state.amendment?.at ?? null;
    await confirmed(client, { what: 'change' }, async () => {
      await sendAmendment(handle, { by, reason, ...revision }, earlierAt);
    });
    return { kind: 'change', report: await reportOf(client, order) };
  }
  const questionId = named ?? (await openQuestionOf(client, order));
  await answered(client, order, questionId, async () => {
    await sendAnswer(handle, { questionId, by, reason }, { kind: 'revise', ...revision });
  });
  return { kind: 'answer' };
}

async function reportOf(client: Client, order: OrderKey): Promise<Pick<AmendmentReport, 'status' | 'what'>> {
  const until = Date.now() + REPORT_WITHIN_MS;
  while (Date.now() < until) {
    const report = (await getShipment(client, order)).state?.amendment ?? null;
    if (report !== null && report.status !== 'underWay') return report;
    await pause(LOOK_EVERY_MS);
  }
  return { status: 'underWay', what: 'The change is in progress.' };
}
