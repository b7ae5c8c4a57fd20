import { condition, getExternalWorkflowHandle, TemporalFailure, workflowInfo } from '@temporalio/workflow';
import { isUnderWay } from '../domain/shipment-state';
import { accountPauseWorkflowId } from '../domain/workflow-id';
import { Withdrawn } from './leave-phase';
import { shipmentWentOnSignal } from './messages';
import type { ShipmentRun } from './shipment-run';

/**
 * Waits until the account is mended: one question is asked about it for all its shipments. What is under way at the
 * marketplace goes on hearing its events, and looks again by itself after some time; what is not booked can be withdrawn.
 */
export async function pauseForAccount(run: ShipmentRun, reason: string): Promise<void> {
  const { account, policy, supportAddress = null } = run.input;
  const since = run.now();
  run.state = { ...run.state, pause: { reason, since } };
  run.note(`waits for account ${account.name}: ${reason}`);
  run.publish();
  const before = run.resumes;
  const hasNews = run.newsFromNow();
  const paused = { workflowId: workflowInfo().workflowId, reason, since };
  await run.activities.reads.pauseForAccount({ account, paused, supportAddress });
  const isOver = (): boolean => run.resumes > before || run.isToBeRetired();
  if (isUnderWay(run.state) || mayBeTold(run)) {
    await condition(() => isOver() || hasNews() || run.isLong(), policy.sweepPace.maximumMs, {
      summary: 'until it is tried again',
    });
  } else await condition(() => isOver() || run.isLong());
  run.state = { ...run.state, pause: null };
  run.publish();
  if (run.resumes === before) await leave(account.name);
  if (run.isToBeRetired()) throw new Withdrawn();
  run.yieldIfLong();
}

/** Whether an event can tell that an acceptance that was given up is booked after all. */
const mayBeTold = ({ state }: ShipmentRun): boolean => state.earlierAcceptances.length > 0;

/** Whoever answers the question must not count a shipment that waits no longer. */
async function leave(account: string): Promise<void> {
  const { workflowId } = workflowInfo();
  try {
    await getExternalWorkflowHandle(accountPauseWorkflowId(account)).signal(shipmentWentOnSignal, workflowId);
  } catch (error) {
    // It was answered in this very moment: there is nobody left to tell.
    if (!(error instanceof TemporalFailure)) throw error;
  }
}
