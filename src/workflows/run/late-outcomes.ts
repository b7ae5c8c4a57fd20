import type { WriteAttempt } from '../../domain/doubt';
import type { LateOutcome } from '../../domain/send-outcome';

const MAX_KEPT = 20;

/** Outcomes of writes that Temporal timed out, kept until their doubt takes them, also over continue-as-new. */
export class LateOutcomes {
  constructor(private all: readonly LateOutcome[]) {}

  get kept(): readonly LateOutcome[] {
    return this.all;
  }

  add(outcome: LateOutcome): void {
    this.all = [...this.all, outcome].slice(-MAX_KEPT);
  }

  has(attempt: WriteAttempt | null): boolean {
    return attempt !== null && this.all.some((outcome) => isOf(outcome, attempt));
  }

  /** Returns the outcome once, because an outcome that is itself in doubt must not settle that doubt again. */
  take(attempt: WriteAttempt | null): LateOutcome | null {
    const found = attempt === null ? null : (this.all.find((outcome) => isOf(outcome, attempt)) ?? null);
    this.all = this.all.filter((outcome) => outcome !== found);
    return found;
  }
}

const isOf = (outcome: LateOutcome, { runId, activityId }: WriteAttempt): boolean =>
  outcome.runId === runId && outcome.activityId === activityId;
