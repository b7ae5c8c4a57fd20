import type { Client } from '@temporalio/client';
import type { MetricMeter } from '@temporalio/common';
import type { Logger } from 'pino';
import { ASKED_KINDS } from '../domain/asked-kind';
import { readClusterState, type ClusterState } from './cluster-state';
import { messageOf } from '../platform/message-of';

export interface StateMetricsOptions {
  readonly client: Client;
  /** All of this worker, paused or not. */
  readonly accounts: readonly string[];
  readonly meter: MetricMeter;
  readonly everyMs: number;
  readonly log: Logger;
}

/**
 * Shows the state of all open shipments as gauges, read now and then.
 * @returns stops it
 */
export function startStateMetrics({
  client,
  accounts,
  meter,
  everyMs,
  log,
}: StateMetricsOptions): () => void {
  const show = createStateGauges(meter, accounts);
  let isStopped = false;
  let isReading = false;
  const look = async (): Promise<void> => {
    if (isReading) return;
    isReading = true;
    try {
      const state = await readClusterState(client);
      if (!isStopped) show(state, Date.now());
    } catch (error) {
      // The gauges keep their values; the instant beside them shows how old they are.
      const reason = messageOf(error);
      if (!isStopped) log.warn({ reason }, 'the state of the shipments could not be read for the metrics');
    } finally {
      isReading = false;
    }
  };
  void look();
  const timer = setInterval(() => void look(), everyMs).unref();
  return () => {
    isStopped = true;
    clearInterval(timer);
  };
}

/** @returns sets every gauge: one that is left out would keep its last value */
export function createStateGauges(
  meter: MetricMeter,
  accounts: readonly string[],
): (state: ClusterState, nowMs: number) => void {
  const shipments = meter.createGauge('consign_open_shipments', 'int', undefined, 'Open shipments by phase.');
  const questions = meter.createGauge(
    'consign_open_questions',
    'int',
    undefined,
    'Open questions to a person by kind.',
  );
  const ages = meter.createGauge(
    'consign_oldest_question_age_seconds',
    'float',
    'seconds',
    'Age of the oldest open question of each kind; 0 without one.',
  );
  const paused = meter.createGauge(
    'consign_account_paused',
    'int',
    undefined,
    'Whether the shipments of an account are paused.',
  );
  const readAt = meter.createGauge(
    'consign_cluster_state_timestamp_seconds',
    'float',
    'seconds',
    'When the gauges of shipments, questions and accounts were read.',
  );
  return (state, nowMs) => {
    for (const [phase, count] of Object.entries(state.shipments)) shipments.set(count, { phase });
    for (const kind of ASKED_KINDS) {
      const { count, oldestAtMs } = state.questions.get(kind) ?? { count: 0, oldestAtMs: nowMs };
      questions.set(count, { kind });
      ages.set(Math.max(0, nowMs - oldestAtMs) / 1_000, { kind });
    }
    for (const account of accounts) paused.set(state.paused.has(account) ? 1 : 0, { account });
    readAt.set(nowMs / 1_000);
  };
}
