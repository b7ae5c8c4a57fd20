import type { MetricMeter } from '@temporalio/common';
import type { EndpointAnswer } from '../notifications/send';
import type { FinishedCall } from '../marketplace/http';

/** Temporal's runtime adds the unit, as `_seconds`. */
export const CALL_DURATION = 'consign_marketplace_call_duration';
/** The upper bounds of the buckets. The client gives a call up after 30 seconds. */
export const CALL_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60];

/** The class of a status; 429 is one by itself, because it is about the number of calls. */
export function statusClass(status: FinishedCall['status']): string {
  if (typeof status === 'string') return status;
  return status === 429 ? '429' : `${Math.floor(status / 100)}xx`;
}

/** Counts and times the calls of each account. */
export function createCallMeter(meter: MetricMeter): (account: string) => (call: FinishedCall) => void {
  const calls = meter.createCounter(
    'consign_marketplace_calls',
    undefined,
    'Requests to the marketplace, each attempt once.',
  );
  const durations = meter.createHistogram(
    CALL_DURATION,
    'float',
    'seconds',
    'Time of a request to the marketplace, from the connection to the last byte.',
  );
  return (account) =>
    ({ operation, status, durationMs }) => {
      const labels = { endpoint: operation, status: statusClass(status) };
      calls.add(1, { ...labels, account });
      // Without the account: a histogram has a series for each bucket.
      durations.record(durationMs / 1_000, labels);
    };
}

/** An attempt to deliver a notification. */
interface Sent {
  readonly account: string;
  /** Its name in the accounts file. */
  readonly endpoint: string;
  readonly answer: EndpointAnswer;
}

/** Counts the attempts to deliver notifications by their outcome. */
export function createNotificationMeter(meter: MetricMeter): (sent: Sent) => void {
  const notifications = meter.createCounter(
    'consign_notifications',
    undefined,
    'Attempts to deliver a notification.',
  );
  return ({ account, endpoint, answer }) => {
    const status = answer.kind === 'answered' ? statusClass(answer.status) : 'noAnswer';
    notifications.add(1, { account, endpoint, status });
  };
}
