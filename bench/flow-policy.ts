import { DEFAULT_POLICY } from '../src/domain/default-policy';
import type { ShipmentPolicy } from '../src/domain/policy';

const soon = { initialMs: 50, maximumMs: 200 };

/** The default policy without the waits for carriers: those of the mock have answered already. */
export const MOCK_POLICY: ShipmentPolicy = {
  ...DEFAULT_POLICY,
  rates: { ...DEFAULT_POLICY.rates, minimumWaitMs: 0, quietMs: 0, enough: 1, pace: soon },
  acceptance: { ...DEFAULT_POLICY.acceptance, pace: soon },
  documentPace: soon,
  settlementWindowMs: 500,
};
