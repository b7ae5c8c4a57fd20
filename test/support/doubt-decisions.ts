import type { Question } from '../../src/domain/question';
import type { Shipment } from '../../src/domain/shipment';
import { shipmentWorkflowId } from '../../src/domain/workflow-id';
import { resolveInDoubtUpdate, type DoubtDecision } from '../../src/contract/messages';
import { BY } from './harness';
import type { World } from './worker-world';

interface OpenDoubt {
  readonly order: Shipment;
  readonly question: Question;
}

/** Waits until the order's doubt is a question. */
export async function doubtOf(world: World, order: Shipment): Promise<OpenDoubt> {
  const { state } = await world.until(order, (view) => view.state?.question?.kind === 'inDoubt');
  if (state?.question == null) throw new TypeError('no question');
  return { order, question: state.question };
}

/** Answers as a person does who has searched the marketplace's website. */
export async function decideByLedger(
  world: World,
  { order, question: { id: questionId, resendFrom } }: OpenDoubt,
): Promise<DoubtDecision['kind']> {
  await world.reach(() => world.ledgerOf(order).pendingAcceptances === 0);
  const [listing] = world.ledgerOf(order).listings;
  const decision: DoubtDecision =
    listing === undefined ? { kind: 'resend' } : { kind: 'adopt', listingId: String(listing.listingId) };
  if (decision.kind === 'resend' && resendFrom !== undefined)
    await world.reach(() => Date.now() > Date.parse(resendFrom));
  await world.client.workflow
    .getHandle(shipmentWorkflowId(order.account, order.orderId))
    .executeUpdate(resolveInDoubtUpdate, { args: [{ questionId, ...BY, decision }] });
  return decision.kind;
}

/** The same, unless the order settles its doubt by itself; null then. */
export async function decideIfAsked(world: World, order: Shipment): Promise<DoubtDecision['kind'] | null> {
  const { state } = await world.until(
    order,
    (view) => view.state?.question?.kind === 'inDoubt' || view.status !== 'RUNNING',
  );
  return state?.question == null ? null : await decideByLedger(world, { order, question: state.question });
}
