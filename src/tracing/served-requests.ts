import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Tracer,
} from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The header of an answer that names its trace, as log lines do. */
const TRACE_ID_HEADER = 'x-trace-id';
/** Monitors ask them again and again. */
const UNTRACED: ReadonlySet<string | undefined> = new Set(['/health', '/ready']);

/** A span for each request, named by its route and never by its path. */
export function traceRequests(server: Pick<FastifyInstance, 'addHook'>, tracer: Tracer): void {
  const contexts = new WeakMap<FastifyRequest, Context>();
  const within = (request: FastifyRequest, goOn: () => void): void =>
    context.with(contexts.get(request) ?? context.active(), goOn);

  server.addHook('onRequest', (request, reply, done) => {
    const { method, routeOptions } = request;
    if (UNTRACED.has(routeOptions.url)) return done();
    const route = routeOptions.url ?? 'unknown path';
    const attributes = { 'http.request.method': method, 'http.route': route };
    const caller = callersContext(request.headers);
    const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, caller);
    void reply.header(TRACE_ID_HEADER, span.spanContext().traceId);
    contexts.set(request, trace.setSpan(caller, span));
    within(request, done);
  });
  // What reads a body comes back outside of the context.
  server.addHook('preValidation', (request, _reply, done) => within(request, done));
  server.addHook('onResponse', (request, { statusCode }, done) => {
    const own = contexts.get(request);
    const span = own === undefined ? undefined : trace.getSpan(own);
    span?.setAttribute('http.response.status_code', statusCode);
    if (statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
    within(request, done);
  });
}

/** The caller's trace, without its `tracestate`, which could contain anything. */
function callersContext(headers: FastifyRequest['headers']): Context {
  const given = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, headers));
  if (given === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, traceFlags } = given;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
