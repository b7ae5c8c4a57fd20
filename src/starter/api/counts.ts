import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { RowOutcome } from '../client/import-orders';
import type { StartedShipment } from '../client/start-order';
import type { ProblemCode } from './api-error';
import { problemOf } from './problem-details';

/** The labels of a request that no route takes: a caller must not choose the labels. */
const NO_ROUTE = { route: 'none', method: 'none' };
/** The upper bounds of the buckets. A quote may wait for a minute. */
const DURATION_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** A request at the time of its answer. */
export interface AnsweredRequest {
  readonly method: string;
  /** The pattern, never the path; undefined when no route takes the request. */
  readonly route: string | undefined;
  readonly status: number;
  /** From the request to the first byte of the answer: an event stream stays open for long. */
  readonly durationMs: number;
}

/** What the API counts, for Prometheus. */
export class ApiCounts {
  readonly registry = new Registry();
  private readonly requests = new Counter({
    name: 'consign_api_requests_total',
    help: 'Requests to the HTTP API by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers: [this.registry],
  });
  private readonly durations = new Histogram({
    name: 'consign_api_request_duration_seconds',
    help: 'Time from a request to the first byte of its answer.',
    // Without the status: a histogram has a series for each bucket.
    labelNames: ['route', 'method'],
    buckets: DURATION_SECONDS,
    registers: [this.registry],
  });
  private readonly problems = new Counter({
    name: 'consign_api_problems_total',
    help: 'Requests that were answered with a problem, by its code.',
    labelNames: ['code'],
    registers: [this.registry],
  });
  private readonly starts = new Counter({
    name: 'consign_api_starts_total',
    help: 'Orders that a request started, found started, or did not start, by outcome.',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  private readonly streams = new Gauge({
    name: 'consign_api_event_streams',
    help: 'Open streams of events.',
    registers: [this.registry],
  });

  countRequest({ method, route, status, durationMs }: AnsweredRequest): void {
    const labels = route === undefined ? NO_ROUTE : { route, method };
    this.requests.inc({ ...labels, status });
    this.durations.observe(labels, durationMs / 1_000);
  }

  countProblem(code: ProblemCode): void {
    this.problems.inc({ code });
  }

  /** Counts how a start ends: its outcome, or the code of its problem. */
  async countStart(start: () => Promise<StartedShipment>): Promise<StartedShipment> {
    try {
      const started = await start();
      this.starts.inc({ outcome: started.outcome });
      return started;
    } catch (error) {
      this.starts.inc({ outcome: problemOf(error).code });
      throw error;
    }
  }

  /** Counts an order of an import. */
  countImported({ kind }: RowOutcome): void {
    if (kind !== 'valid' && kind !== 'invalid') this.starts.inc({ outcome: kind });
  }

  setOpenStreams(count: number): void {
    this.streams.set(count);
  }
}
