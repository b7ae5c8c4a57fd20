import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { compact, keysOf } from './json';

/** How long each step of a shipment's life takes at speed 1, in milliseconds. */
export const defaultClockSteps = {
  /** From the rate request to its first rate. */
  ratesFirst: 1000,
  /** From the rate request to its last rate. */
  ratesLast: 3000,
  /** Added to both by the trouble `lateRates`. */
  ratesLate: 20_000,
  /** From the last rate of a request to the withdrawal of some, by their troubles. */
  rateWithdrawn: 5000,
  /** How long the status of an acceptance answers 404 before it is visible. */
  acceptanceVisible: 0,
  /** From the acceptance to its outcome. */
  acceptancePending: 3000,
  /** From a failed acceptance to its booking, under the trouble `failedThenBooked`. */
  bookedLate: 5000,
  /** From a furniture listing's creation to its booking. */
  booking: 2000,
  /** How long a carrier thinks while the switch `carrierAnswer` is `acceptsLater` or `refuses`. */
  carrierAnswer: 2000,
  /** How long a silent carrier may keep its pending booking request. */
  carrierWindow: 30_000,
  /** From the creation or the booking of a listing to the trouble that struck it. */
  trouble: 1000,
  /** From the expiry of the trouble `relist` to the market. */
  relisted: 1000,
  /** From the booking to the end of a pickup day on which no carrier came. */
  pickupDayPasses: 8000,
  /** From the booking, or under `afterPickup` from the pickup, to the bill of lading's document. */
  billOfLading: 1500,
  /** From the moment that the switch `proNumber` names to the carrier's number. */
  proNumber: 500,
  readyForDispatch: 2000,
  dispatched: 2000,
  pickedUp: 2000,
  delivered: 2000,
  /** From delivery to the proof of delivery, which is an attachment. */
  proofOfDelivery: 500,
  /** From delivery to the first of the switch `priceCorrections`, and from each to the next. */
  priceCorrection: 1000,
  /** Before the second attempt to deliver an event; doubles with each further one. */
  webhookRetry: 500,
};

export type ClockSteps = typeof defaultClockSteps;
export type ClockStep = keyof ClockSteps;

const stepNames = keysOf(defaultClockSteps);

const stepError: z.core.$ZodErrorMap = (issue) =>
  issue.code === 'unrecognized_keys'
    ? `no such clock step: ${issue.keys.join(', ')} (known: ${stepNames.join(', ')})`
    : undefined;

export const clockSchema = z.strictObject({
  speed: z.number().positive().optional(),
  steps: z
    .partialRecord(z.enum(stepNames), z.number().nonnegative().optional(), { error: stepError })
    .optional(),
});
export type ClockSettings = z.infer<typeof clockSchema>;

const usualSettings = () => ({ speed: 1, steps: { ...defaultClockSteps } });

export type CancelTimer = () => void;

/** Every timer of the sandbox, so that closing it leaves none behind and one number speeds all of them up. */
export class SandboxClock {
  settings = usualSettings();
  readonly #timers = new Set<NodeJS.Timeout>();
  #waits = new AbortController();

  constructor(private readonly onFailure: (error: unknown) => void) {}

  configure(changes: ClockSettings): void {
    const { speed = this.settings.speed, steps = {} } = clockSchema.parse(changes);
    this.settings = { speed, steps: { ...this.settings.steps, ...compact(steps) } };
  }

  restoreDefaults(): void {
    this.settings = usualSettings();
  }

  /** The length of a step at the present speed. */
  lengthMs(step: ClockStep): number {
    return this.settings.steps[step] / this.settings.speed;
  }

  after(step: ClockStep, act: () => void): CancelTimer {
    return this.afterMs(this.lengthMs(step), act);
  }

  afterMs(ms: number, act: () => void): CancelTimer {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      try {
        act();
      } catch (error) {
        this.onFailure(error);
      }
    }, ms);
    this.#timers.add(timer);
    return () => {
      clearTimeout(timer);
      this.#timers.delete(timer);
    };
  }

  /** Real time, not sped up; ends early, with false, when the clock is cleared. */
  async wait(ms: number): Promise<boolean> {
    const { signal } = this.#waits;
    return await sleep(ms, true, { signal }).catch((error: unknown) => {
      if (signal.aborted) return false;
      throw error;
    });
  }

  clear(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#waits.abort();
    this.#waits = new AbortController();
  }
}
