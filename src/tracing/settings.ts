import { UserError } from '../platform/user-error';

/** What Consign reads of OpenTelemetry's variables; the library reads the others. */
export interface TracingSettings {
  readonly protocol: (typeof PROTOCOLS)[number];
}

/** Thrown when a variable of OpenTelemetry has a value that cannot be used. */
export class TracingSettingsError extends UserError {
  override readonly name = 'TracingSettingsError';
  override readonly kind = 'invalidSettings';
}

const PROTOCOLS = ['http/protobuf', 'http/json'] as const;

/**
 * How to send traces; null: not at all. Empty variables are not set.
 * @throws TracingSettingsError
 */
export function tracingSettings(env: NodeJS.ProcessEnv): TracingSettings | null {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const isOff = env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none';
  if (!endpoint || isOff) return null;
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol))
    throw new TracingSettingsError(
      'OTEL_EXPORTER_OTLP_ENDPOINT: give a URL, http or https, such as http://127.0.0.1:4318',
    );
  const named = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || PROTOCOLS[0];
  const protocol = PROTOCOLS.find((one) => one === named);
  if (protocol === undefined)
    throw new TracingSettingsError(`OTEL_EXPORTER_OTLP_PROTOCOL: give ${PROTOCOLS.join(' or ')}`);
  return { protocol };
}
