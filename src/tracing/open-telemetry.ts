import { trace } from '@opentelemetry/api';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { detectResourcesSync, envDetectorSync, Resource } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import {
  OpenTelemetryActivityInboundInterceptor,
  OpenTelemetryWorkflowClientInterceptor,
} from '@temporalio/interceptors-opentelemetry';
import { traceRequests } from './served-requests';
import type { TracingSettings } from './settings';
import type { Tracing } from './tracing';
import { withoutContent } from './without-content';

export interface TracedProcess {
  /** Unless `OTEL_SERVICE_NAME` names another. */
  readonly serviceName: string;
  readonly onWarning: (text: string) => void;
}

/** How often a collector that does not answer is reported. */
const WARN_EVERY_MS = 60_000;

/** Starts OpenTelemetry in this process. Further variables of it, such as headers and samplers, are read here. */
export function traceWith({ protocol }: TracingSettings, { serviceName, onWarning }: TracedProcess): Tracing {
  const warn = nowAndThen(onWarning);
  setGlobalErrorHandler(warn);
  const exporter = protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter();
  const provider = new NodeTracerProvider({
    resource: new Resource({ 'service.name': serviceName }).merge(
      detectResourcesSync({ detectors: [envDetectorSync] }),
    ),
    spanProcessors: [new BatchSpanProcessor(withoutContent(exporter))],
  });
  // No baggage: a caller could put anything into it, and it would travel as far as the marketplace.
  provider.register({ propagator: new W3CTraceContextPropagator() });
  const requests = new UndiciInstrumentation({ requireParentforSpans: true });
  requests.setTracerProvider(provider);
  return {
    clientInterceptors: [new WritesInterceptor()],
    activityInterceptors: [traceActivity],
    logFields,
    traceparent,
    serve: (server) => traceRequests(server, provider.getTracer('consign')),
    async close() {
      requests.disable();
      // Traces that are lost must not make a command fail.
      await provider.shutdown().catch(warn);
    },
  };
}

function nowAndThen(onWarning: (text: string) => void): (error: unknown) => void {
  let warnedAtMs = -WARN_EVERY_MS;
  return (error) => {
    if (performance.now() - warnedAtMs < WARN_EVERY_MS) return;
    warnedAtMs = performance.now();
    const reason = error instanceof Error ? error.message : JSON.stringify(error);
    onWarning(`traces cannot be sent: ${reason}`);
  };
}

/** Without reads: who follows an order reads it about each second, for weeks. */
class WritesInterceptor extends OpenTelemetryWorkflowClientInterceptor {
  override async describe(...[input, next]: Parameters<OpenTelemetryWorkflowClientInterceptor['describe']>) {
    return await next(input);
  }

  override async query(...[input, next]: Parameters<OpenTelemetryWorkflowClientInterceptor['query']>) {
    return await next(input);
  }
}

/** A span for each attempt of an activity, whose log lines name the trace even when they come after it. */
const traceActivity: ActivityInterceptorsFactory = (activity) => {
  const spans = new OpenTelemetryActivityInboundInterceptor(activity);
  let fields: ReturnType<typeof logFields> = {};
  return {
    inbound: {
      async execute(input, next) {
        return await spans.execute(input, async (traced) => {
          fields = logFields();
          return await next(traced);
        });
      },
    },
    outbound: { getLogAttributes: (attributes, next) => next({ ...attributes, ...fields }) },
  };
};

function logFields(): { readonly traceId?: string } {
  const traceId = trace.getActiveSpan()?.spanContext().traceId;
  return traceId === undefined ? {} : { traceId };
}

/** Names the span above the activity's, which is the same for each attempt. */
function traceparent(): string | null {
  const span = trace.getActiveSpan();
  if (span === undefined) return null;
  const { traceId, spanId, traceFlags } = span.spanContext();
  const parentId =
    'parentSpanId' in span && typeof span.parentSpanId === 'string' ? span.parentSpanId : spanId;
  return `00-${traceId}-${parentId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
