import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

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

const stepNames = Object.keys(defaultClockSteps);
const isClockStep = (name: string): name is ClockStep => stepNames.includes(name);

export const clockSchema = z.strictObject({
  speed: z.number().positive().optional(),
  steps: z
    .record(z.string(), z.number().nonnegative())
    .superRefine((steps, issues) => {
      for (const name of Object.keys(steps))
        if (!isClockStep(name))
          issues.addIssue(`no such clock step: ${name} (known: ${stepNames.join(', ')})`);
    })
    .optional(),
});
export type ClockSettings = { speed?: number; steps?: Partial<ClockSteps> };

export type CancelTimer = () => void;

/** Every timer of the sandbox, so that closing it leaves none behind and one number speeds all of them up. */
export class SandboxClock {
  #speed = 1;
  #steps: ClockSteps = { ...defaultClockSteps };
  readonly #timers = new Set<NodeJS.Timeout>();
  #waits = new AbortController();

  constructor(private readonly onFailure: (error: unknown) => void) {}

  configure({ speed, steps }: z.infer<typeof clockSchema>): void {
    if (speed !== undefined) this.#speed = speed;
    for (const [name, ms] of Object.entries(steps ?? {})) if (isClockStep(name)) this.#steps[name] = ms;
  }

  settings(): { speed: number; steps: ClockSteps } {
    return { speed: this.#speed, steps: { ...this.#steps } };
  }

  restoreDefaults(): void {
    this.#speed = 1;
    this.#steps = { ...defaultClockSteps };
  }

  /** The length of a step at the present speed. */
  lengthMs(step: ClockStep): number {
    return this.#steps[step] / this.#speed;
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
