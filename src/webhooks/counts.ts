import { Counter, Histogram, Registry } from 'prom-client';
import type { MarketplaceEvent } from '../domain/marketplace-event';
import { eventDelayMs } from './event-delay';
import { NO_REFUSALS, type RefusalKind } from './refusal';
import type { Routed } from './router';

const NO_EVENTS: Readonly<Record<Routed | 'unknownType', number>> = {
  ...{ signalled: 0, unrouted: 0, foreign: 0, completed: 0, late: 0, withoutClue: 0 },
  ...{ unavailable: 0, overBudget: 0, unknownType: 0 },
};
/** The label of an event type that this version does not know: a sender must not choose the labels. */
const OTHER_TYPE = 'other';
/** The label of requests that name no known integration. */
const NO_INTEGRATION = 'none';
/** The upper bounds of the buckets, from a second to a day. */
const DELAY_SECONDS = [1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400];

/** What the receiver counts, as `GET /health` shows it. */
export interface ReceiverHealth {
  readonly events: Readonly<Record<string, number>>;
  readonly refused: Readonly<Record<string, number>>;
  readonly failed: number;
}

/** The one place of everything that the receiver counts, for `GET /health` and for Prometheus. */
export class ReceiverCounts {
  readonly registry = new Registry();
  private readonly events = new Counter({
    name: 'consign_events_total',
    help: 'Events of the marketplace by outcome.',
    labelNames: ['integration', 'event_type', 'outcome'],
    registers: [this.registry],
  });
  private readonly delays = new Histogram({
    name: 'consign_event_delay_seconds',
    help: 'Time from the time that an event names to its arrival.',
    labelNames: ['event_type'],
    buckets: DELAY_SECONDS,
    registers: [this.registry],
  });
  private readonly refusals = new Counter({
    name: 'consign_event_refusals_total',
    help: 'Refused requests and events by reason.',
    labelNames: ['integration', 'reason'],
    registers: [this.registry],
  });
  private readonly failures = new Counter({
    name: 'consign_receiver_failures_total',
    help: 'Requests that an internal error of the receiver ended.',
    registers: [this.registry],
  });

  /** @param isKnownType of the event's type */
  countEvent(
    { type, time }: Pick<MarketplaceEvent, 'type' | 'time'>,
    {
      integration,
      isKnownType,
      outcome,
    }: {
      readonly integration: string;
      readonly isKnownType: boolean;
      readonly outcome: Routed;
    },
  ): void {
    const event_type = isKnownType ? type : OTHER_TYPE;
    this.events.inc({ integration, event_type, outcome });
    const delayMs = eventDelayMs(time, Date.now());
    if (delayMs !== null) this.delays.observe({ event_type }, delayMs / 1_000);
  }

  /** @param integration null when the request names no known integration */
  countRefusal(integration: string | null, reason: RefusalKind): void {
    this.refusals.inc({ integration: integration ?? NO_INTEGRATION, reason });
  }

  countFailure(): void {
    this.failures.inc();
  }

  async health(): Promise<ReceiverHealth> {
    const [events, refusals, failures] = await Promise.all([
      this.events.get(),
      this.refusals.get(),
      this.failures.get(),
    ]);
    const byOutcome = new Map<string, number>(Object.entries(NO_EVENTS));
    for (const { labels, value } of events.values) {
      add(byOutcome, labels.outcome, value);
      if (labels.event_type === OTHER_TYPE) add(byOutcome, 'unknownType', value);
    }
    const byReason = new Map<string, number>(Object.entries(NO_REFUSALS));
    for (const { labels, value } of refusals.values) add(byReason, labels.reason, value);
    return {
      events: Object.fromEntries(byOutcome),
      refused: Object.fromEntries(byReason),
      failed: failures.values[0]?.value ?? 0,
    };
  }
}

function add(sums: Map<string, number>, name: string | number | undefined, value: number): void {
  sums.set(String(name), (sums.get(String(name)) ?? 0) + value);
}
