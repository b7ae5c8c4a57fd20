export interface BudgetSize {
  /** The size of the bucket, which starts full. */
  readonly burst: number;
  readonly perSecond: number;
}

/** A token bucket. */
export interface Budget {
  /** @returns whether a token was left */
  take(): boolean;
  /** Returns a token that was not needed. */
  giveBack(): void;
}

/** @param now milliseconds that only go forward */
export function createBudget(
  { burst, perSecond }: BudgetSize,
  now: () => number = () => performance.now(),
): Budget {
  let left = burst;
  let countedAt = now();

  function refill(): void {
    const at = now();
    left = Math.min(burst, left + ((at - countedAt) / 1_000) * perSecond);
    countedAt = at;
  }
  return {
    take() {
      refill();
      if (left < 1) return false;
      left -= 1;
      return true;
    },
    giveBack() {
      refill();
      left = Math.min(burst, left + 1);
    },
  };
}
