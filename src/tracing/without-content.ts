import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';

/**
 * Attributes that are sent. Libraries record URLs, which contain secrets of webhooks, signatures of documents and
 * references of orders; texts of errors; and addresses of callers.
 */
const ALLOWED: ReadonlySet<string> = new Set([
  ...['http.request.method', 'http.response.status_code', 'http.route', 'server.address', 'server.port'],
  ...['temporalWorkflowId', 'temporalActivityId', 'run_id'],
]);

/** Sends spans without what they may say about people, as the log does: names, times and outcomes remain. */
export function withoutContent(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, onResult) => exporter.export(spans.map(cleaned), onResult),
    forceFlush: async () => await exporter.forceFlush?.(),
    shutdown: async () => await exporter.shutdown(),
  };
}

/** A new span, without any field that a later version adds. */
function cleaned(span: ReadableSpan): ReadableSpan {
  const { name, kind, parentSpanId, startTime, endTime, duration, ended } = span;
  const { resource, instrumentationLibrary, status } = span;
  const { droppedAttributesCount, droppedEventsCount, droppedLinksCount } = span;
  return {
    ...{ name, kind, startTime, endTime, duration, ended, resource, instrumentationLibrary },
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    ...{ droppedAttributesCount, droppedEventsCount, droppedLinksCount },
    spanContext: () => span.spanContext(),
    attributes: allowed(span.attributes),
    // Errors, with their texts and stacks: the log has them under the same trace.
    events: [],
    links: [],
    status: { code: status.code },
  };
}

const allowed = (attributes: ReadableSpan['attributes']): ReadableSpan['attributes'] =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => ALLOWED.has(name)));
