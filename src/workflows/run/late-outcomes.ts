import type { WriteAttempt } from '../../domain/doubt';
import type { LateOutcome } from '../../domain/send-outcome';

const MAX_KEPT = 20;

/** Outcomes of writes that Temporal gave up; kept until their doubt takes them, over continue-as-new too. */
export class LateOutcomes {
  constructor(private all: readonly LateOutcome[]) {}

  get kept(): readonly LateOutcome[] {
    return this.all;
  }

  hear(outcome: LateOutcome): void {
    this.all = [...this.all, outcome].slice(-MAX_KEPT);
  }

  has(attempt: WriteAttempt | null): boolean {
    return attempt !== null && this.all.some((outcome) => isOf(outcome, attempt));
  }

  /** The outcome, once: one that is itself in doubt must not settle that doubt again. */
  take(attempt: WriteAttempt | null): LateOutcome | null {
    const found = attempt === null ? null : (this.all.find((outcome) => isOf(outcome, attempt)) ?? null);
    this.all = this.all.filter((outcome) => outcome !== found);
    return found;
  }
}

const isOf = (outcome: LateOutcome, { runId, activityId }: WriteAttempt): boolean =>
  outcome.runId === runId && outcome.activityId === activityId;
