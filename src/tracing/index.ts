import { tracingSettings } from './settings';
import type { Tracing } from './tracing';

export type { Tracing };

export const NO_TRACING: Tracing = {
  clientInterceptors: [],
  activityInterceptors: [],
  logFields: () => ({}),
  traceparent: () => null,
  serve: () => {},
  close: async () => await Promise.resolve(),
};

/**
 * Begins to trace, if `OTEL_EXPORTER_OTLP_ENDPOINT` names where to send traces.
 * @param part of Consign, for the name of the service: `consign-worker`
 * @param onWarning receives why traces cannot be sent; nothing else suffers from that
 * @throws TracingSettingsError when the settings are invalid
 */
export async function startTracing(
  part: string,
  env: NodeJS.ProcessEnv,
  onWarning: (text: string) => void,
): Promise<Tracing> {
  const settings = tracingSettings(env);
  if (settings === null) return NO_TRACING;
  const { traceWith } = await import('./open-telemetry.ts');
  return traceWith(settings, { serviceName: `consign-${part}`, onWarning });
}
