import { DefaultLogger, IllegalStateError, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import { cannotServeMetrics, metricsAddressText, type MetricsAddress } from '../platform/metrics-address';
import { CALL_DURATION, CALL_SECONDS } from './call-metrics';

/** In seconds: a queue with a limit of calls can make an activity wait for minutes. */
const QUEUE_WAIT_SECONDS = [0.1, 0.5, 1, 5, 10, 30, 60, 120, 300, 900, 3_600];

/**
 * Installs Temporal's runtime for this process: its log, and the endpoint of its metrics, which also serves those of
 * Consign. Call it before anything else of Temporal's worker.
 * @throws UserError when nothing can listen at the address
 */
export function installRuntime(metricsAddress: MetricsAddress | null, log: Logger): Runtime {
  const options = {
    // This process handles the signals itself: running activities may finish. The runtime would not report the signal.
    shutdownSignals: [],
    logger: logTo(log),
  };
  if (metricsAddress === null) return Runtime.install(options);
  const prometheus = {
    bindAddress: metricsAddressText(metricsAddress),
    // The names that Prometheus asks for: `_total`, `_seconds`.
    ...{ countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true },
    histogramBucketOverrides: {
      [CALL_DURATION]: CALL_SECONDS,
      activity_schedule_to_start_latency: QUEUE_WAIT_SECONDS,
    },
  };
  const metrics = { prometheus, attachServiceName: false };
  try {
    return Runtime.install({ ...options, telemetryOptions: { metrics } });
  } catch (error) {
    if (error instanceof IllegalStateError) throw error;
    throw cannotServeMetrics(metricsAddress, error);
  }
}

function logTo(log: Logger): DefaultLogger {
  return new DefaultLogger('WARN', ({ level, message, meta }) => {
    // Each queue has workers of only one kind, on purpose.
    if (/^No (activities|workflows) registered/.test(message)) return;
    const { workflowId, activityType, taskQueue, attempt, error, traceId } = meta ?? {};
    const reason = error instanceof Error ? error.message : undefined;
    log[level === 'ERROR' ? 'error' : 'warn'](
      { workflowId, activityType, taskQueue, attempt, reason, traceId },
      message,
    );
  });
}
