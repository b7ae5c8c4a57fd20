import { DEFAULT_POLICY } from '../src/domain/default-policy';
import type { PollPace, ShipmentPolicy } from '../src/domain/policy';

const soon = { initialMs: 50, maximumMs: 200 };

/** The default policy without the waits for carriers: those of the mock have answered already. */
export const MOCK_POLICY: ShipmentPolicy = {
  ...DEFAULT_POLICY,
  rates: { ...DEFAULT_POLICY.rates, minimumWaitMs: 0, quietMs: 0, enough: 1, pace: soon },
  acceptance: { ...DEFAULT_POLICY.acceptance, pace: soon },
  documentPace: soon,
  settlementWindowMs: 500,
};

export const HOUR_MS = 3_600_000;
/** With less, the duration of a call would exceed the pace. */
const LEAST_PACE_MS = 10;

/** Scales the waits to hours of this length. Limits of a single call stay. */
export function scaled(policy: ShipmentPolicy, hourMs: number): ShipmentPolicy {
  const scale = (ms: number): number => Math.max(LEAST_PACE_MS, Math.round((ms * hourMs) / HOUR_MS));
  const pace = ({ initialMs, maximumMs }: PollPace): PollPace => ({
    ...{ initialMs: scale(initialMs), maximumMs: scale(maximumMs) },
  });
  return {
    ...policy,
    acceptance: {
      ...policy.acceptance,
      pace: pace(policy.acceptance.pace),
      windowMs: scale(policy.acceptance.windowMs),
    },
    sweepPace: pace(policy.sweepPace),
    trackingPace: pace(policy.trackingPace),
    trackingPositionMs: scale(policy.trackingPositionMs),
    documentPace: pace(policy.documentPace),
    documentWindowMs: scale(policy.documentWindowMs),
    settlementWindowMs: scale(policy.settlementWindowMs),
  };
}
