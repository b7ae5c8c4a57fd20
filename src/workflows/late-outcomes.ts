import { workflowInfo } from '@temporalio/workflow';
import type { LateOutcome } from '../domain/send-outcome';

const MAX_KEPT = 20;

/** Outcomes of writes that Temporal gave up; kept until their doubt takes them. No doubt is open over continue-as-new. */
export class LateOutcomes {
  private kept: readonly LateOutcome[] = [];

  hear(outcome: LateOutcome): void {
    // Ids of activities begin again with each run.
    if (outcome.runId === workflowInfo().runId) this.kept = [...this.kept, outcome].slice(-MAX_KEPT);
  }

  has(activityId: string | null): boolean {
    return this.kept.some((outcome) => outcome.activityId === activityId);
  }

  /** The outcome, once: one that is itself in doubt must not settle that doubt again. */
  take(activityId: string | null): LateOutcome | null {
    const found = this.kept.find((outcome) => outcome.activityId === activityId) ?? null;
    this.kept = this.kept.filter((outcome) => outcome !== found);
    return found;
  }
}
