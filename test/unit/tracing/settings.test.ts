import { expect, test } from '@jest/globals';
import { NO_TRACING, startTracing } from '../../../src/tracing';
import { tracingSettings, TracingSettingsError } from '../../../src/tracing/settings';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

test.each([
  ['nothing is set', {}],
  ['the endpoint is empty', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
  ['only the protocol is set', { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }],
  ['the SDK is disabled', { ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }],
  ['no traces are exported', { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
])('nothing is traced when %s', async (_, env) => {
  expect(tracingSettings(env)).toBeNull();
  expect(await startTracing('test', env, () => {})).toBe(NO_TRACING);
});

test.each([
  [ENDPOINT, 'http/protobuf'],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example.com/v1/traces' }, 'http/protobuf'],
  [{ ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }, 'http/json'],
  [
    { ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json' },
    'http/json',
  ],
] as const)('%j is traced by %s', (env, protocol) => {
  expect(tracingSettings(env)).toEqual({ protocol });
});

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: '127.0.0.1:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'ftp://127.0.0.1' }, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  [{ ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL'],
])('%j is refused by the name of the variable', (env, name) => {
  expect(() => tracingSettings(env)).toThrow(TracingSettingsError);
  expect(() => tracingSettings(env)).toThrow(name);
});
