import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Statement } from '../../contract/messages';
import { refuseAmendment, type AmendmentReport } from '../../domain/amendment';
import { differingFields, planAmendment } from '../../domain/plan-amendment';
import { refuseAnswer } from '../../domain/refuse-answer';
import { isSame } from '../../domain/same';
import type { ShipmentState } from '../../domain/shipment-state';
import { shipmentWorkflowId, type OrderKey } from '../../domain/workflow-id';
import { answered, openQuestionOf } from './answer-question';
import { RefusedError } from './errors';
import { getShipment, getWholeShipment } from './get-shipment';
import { confirmed } from './request';
import { sendAmendment, sendAnswer } from './send-answer';
import type { StartableOrder } from './start-order';

/** Who revises an order and why, and the question that the person read. */
export interface RevisionStatement extends Statement {
  /**
   * By default the open question; without one, the open listing of a furniture order is changed. Null: only
   * that, and a question that opens in between is not answered.
   */
  readonly questionId?: string | null | undefined;
}

/** What a corrected document did. */
export type Revision =
  /** It answered the open question. */
  | { readonly kind: 'answer' }
  /** It changes the open listing. A slow change continues by itself: its report says `underWay` then. */
  | { readonly kind: 'change'; readonly report: Pick<AmendmentReport, 'status' | 'what'> };

/** What a corrected document would do now. Nothing is done by asking for it. */
export type RevisionPreview = {
  /** The parts of the document that differ from the order, such as `pickup`; `policy` beside them. Never their content. */
  readonly fields: readonly string[];
} & (
  | {
      /** It answers this question, and the order goes on as changed. */
      readonly kind: 'answer';
      readonly questionId: string;
    }
  | {
      readonly kind: 'change';
      readonly questionId: null;
      /**
       * `change`: the listing is changed where it is. `relist`: it is taken down, and the order is listed anew. The others
       * leave it as it is.
       */
      readonly plan: 'nothing' | 'recordOnly' | 'change' | 'relist';
      /** Consign first asks for a new price. */
      readonly isPriced: boolean;
    }
);

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
  if (named === null || (named === undefined && canAmend(state))) {
    const earlierAt = state?.amendment?.at ?? null;
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

const canAmend = (state: ShipmentState | null): boolean =>
  state?.at.phase === 'awaitingBooking' && state.question === null;

/** In the place of who decides and why: a preview decides nothing. */
const NOBODY: Statement = { by: 'preview', reason: 'preview' };

/**
 * What `reviseOrder` would do now with a corrected order.
 * @throws RefusedError when the order would refuse it, ShipmentNotFoundError, NoQuestionError, NoWorkerError
 */
export async function previewRevision(
  client: Client,
  { shipment, policy, documentHash }: StartableOrder,
): Promise<RevisionPreview> {
  const { account, orderId } = shipment;
  const order: OrderKey = { account, orderId };
  const { state, order: before, policy: policyBefore } = await getWholeShipment(client, order);
  const questionId = canAmend(state) ? null : await openQuestionOf(client, order);
  const revision = { shipment, policy, documentHash };
  const now = new Date().toISOString();
  const isAmending = state.amendment?.status === 'underWay';
  const refusal =
    questionId === null
      ? refuseAmendment(
          state,
          { shipment: before, policy: policyBefore, isAmending, isWithdrawn: false, now },
          { ...NOBODY, ...revision },
        )
      : refuseAnswer(
          state,
          { ...NOBODY, questionId, checked: null, answer: { kind: 'revise', ...revision } },
          { now, policy: policyBefore },
        );
  if (refusal !== null) throw new RefusedError(refusal);
  const fields = [
    ...differingFields(before, shipment).map(String),
    ...(isSame(policyBefore, policy) ? [] : ['policy']),
  ];
  if (questionId !== null) return { kind: 'answer', questionId, fields };
  if (before.kind !== 'furniture' || shipment.kind !== 'furniture')
    throw new TypeError('only the listing of a furniture order can be changed');
  const plan = planAmendment(before, shipment);
  const isPriced = plan.kind === 'change' && plan.isPriced;
  return { kind: 'change', questionId, plan: plan.kind, isPriced, fields };
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
