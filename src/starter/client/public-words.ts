import { temporal } from '@temporalio/proto';
import type { Phase } from '../../domain/shipment-state';
import type { IsoInstant } from '../../domain/shipment';
import type { HistoryEvent } from './order-record';

const ENUMS = {
  PendingActivityState: temporal.api.enums.v1.PendingActivityState,
  PendingWorkflowTaskState: temporal.api.enums.v1.PendingWorkflowTaskState,
  TimeoutType: temporal.api.enums.v1.TimeoutType,
  WorkflowExecutionStatus: temporal.api.enums.v1.WorkflowExecutionStatus,
  WorkflowTaskFailedCause: temporal.api.enums.v1.WorkflowTaskFailedCause,
} as const;

/** A value of one of Temporal's lists as words: `non deterministic error`. */
export function wordOf(name: keyof typeof ENUMS, value: number | null | undefined): string {
  const found = Object.entries(ENUMS[name]).find(([, known]) => known === value)?.[0];
  const prefix = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').length + 1;
  return found === undefined ? 'unknown' : found.slice(prefix).toLowerCase().replaceAll('_', ' ');
}

const PHASES: Readonly<Record<Phase, true>> = {
  ...{ validating: true, quoting: true, listing: true, awaitingBooking: true, collectingRates: true },
  ...{ accepting: true, booked: true, inTransit: true, delivered: true, settled: true, cancelled: true },
};

/** The phase of a search attribute, which is a text or a list of one; null for anything else. */
export function phaseOf(attribute: unknown): Phase | null {
  const [value]: readonly unknown[] = [attribute].flat();
  return typeof value === 'string' && isPhase(value) ? value : null;
}

const isPhase = (value: string): value is Phase => Object.hasOwn(PHASES, value);

/** An instant; null for any other text. */
export const instantOf = (value: unknown): IsoInstant | null =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(value) ? value : null;

/** An instant of Temporal's; null when it is not set. */
export function instantOfProto(time: HistoryEvent['eventTime']): IsoInstant | null {
  if (time == null) return null;
  // The seconds are a `Long`, or a number where a history was read from JSON: both have the same text.
  const ms = Number(String(time.seconds ?? 0)) * 1_000 + Math.floor((time.nanos ?? 0) / 1_000_000);
  return new Date(ms).toISOString();
}
