import type { AccountTrouble } from '../../domain/account-pause';
import { isUnderWay } from '../../domain/shipment-state';
import { pauseActivities } from './activity-groups';
import { Withdrawn } from './leave-phase';
import { runUntil } from './run-until';
import type { ShipmentRun } from './shipment-run';

/**
 * Waits until the account's pause is over; one question covers all its shipments. A shipment that is under way at the
 * marketplace still handles its events, and looks again after some time. An unbooked one can be withdrawn.
 */
export async function pauseForAccount(run: ShipmentRun, { reason, status }: AccountTrouble): Promise<void> {
  const { account, policy, supportAddress = null } = run.input;
  const since = run.now();
  const hasNews = run.newsFromNow();
  const pauseId = await pauseActivities.pauseForAccount({ account, supportAddress, reason, status });
  run.addTimeline(`waits for account ${account.name}: ${reason}`);
  if (pauseId !== null) {
    run.update({ pause: { reason, status, since } });
    run.publish();
    const isHearing = isUnderWay(run.state) || mayBeTold(run);
    const looksAfterMs = isHearing ? policy.sweepPace.maximumMs : null;
    const wait = await runUntil(
      async () => await pauseActivities.awaitAccount({ account, pauseId, looksAfterMs }),
      () => run.withdrawal.isToBeDone() || (isHearing && hasNews()) || run.isLong(),
    );
    if (wait.kind === 'done' && wait.value === 'over') run.resumes += 1;
    run.update({ pause: null });
    run.publish();
  }
  if (run.withdrawal.isToBeDone()) throw new Withdrawn();
  run.yieldIfLong();
}

/** Whether an event may report that an earlier acceptance is booked after all. */
const mayBeTold = ({ state }: ShipmentRun): boolean => state.earlierAcceptances.length > 0;
