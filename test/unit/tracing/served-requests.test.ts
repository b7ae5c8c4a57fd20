import { context, propagation, trace } from '@opentelemetry/api';
import { afterEach, expect, test } from '@jest/globals';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import Fastify, { type FastifyInstance } from 'fastify';
import { traceRequests } from '../../../src/tracing/served-requests';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN_ID = 'b7ad6b7169203331';
const CALLER = { traceparent: `00-${TRACE_ID}-${SPAN_ID}-01`, tracestate: 'zebra=Zebulon' };

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
provider.register({ propagator: new W3CTraceContextPropagator() });
let server: FastifyInstance;
afterEach(async () => {
  exporter.reset();
  await server.close();
});

/** Its handlers answer with the headers that a call of theirs would get. */
function serve(): FastifyInstance {
  server = Fastify();
  traceRequests(server, provider.getTracer('test'));
  const carried = async (): Promise<unknown> => {
    const headers = {};
    propagation.inject(context.active(), headers);
    return await Promise.resolve(headers);
  };
  server.get('/orders/:orderId', carried);
  server.post('/orders', carried);
  server.get('/health', carried);
  server.get('/broken', async () => await Promise.reject(new Error('Zebulon')));
  return server;
}

test.each([
  ['a request without a body', { method: 'GET', url: '/orders/SO-1' }, 'GET /orders/:orderId'],
  ['a request with a body', { method: 'POST', url: '/orders', payload: { id: 1 } }, 'POST /orders'],
] as const)("%s is a part of the caller's trace, and what it calls is one too", async (_, request, name) => {
  const answer = await serve().inject({ ...request, headers: CALLER });
  expect(answer.headers['x-trace-id']).toBe(TRACE_ID);
  const [span] = exporter.getFinishedSpans();
  expect(span).toMatchObject({ name, parentSpanId: SPAN_ID });
  expect(span?.spanContext().traceId).toBe(TRACE_ID);
  // Without the caller's own fields.
  expect(answer.json()).toEqual({ traceparent: `00-${TRACE_ID}-${span?.spanContext().spanId}-01` });
});

test.each([[{}], [{ traceparent: 'none' }], [{ traceparent: `00-${'0'.repeat(32)}-${SPAN_ID}-01` }]])(
  'a request with the headers %j begins a trace',
  async (headers) => {
    const answer = await serve().inject({ url: '/orders/SO-1', headers });
    const [span] = exporter.getFinishedSpans();
    expect(span?.parentSpanId).toBeUndefined();
    expect(answer.headers['x-trace-id']).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
    expect(answer.headers['x-trace-id']).toBe(span?.spanContext().traceId);
  },
);

test.each([
  ['/broken', 500, 'GET /broken'],
  ['/Zebulon', 404, 'GET unknown path'],
] as const)(
  'a request for %s is answered with %i, and its span says so without its path',
  async (url, status, name) => {
    const answer = await serve().inject(url);
    expect(answer.statusCode).toBe(status);
    const [span] = exporter.getFinishedSpans();
    expect(span).toMatchObject({ name, attributes: { 'http.response.status_code': status } });
    expect(answer.headers['x-trace-id']).toBe(span?.spanContext().traceId);
  },
);

test('what monitors ask again and again is not traced, nor is anything outside of a request', async () => {
  const answer = await serve().inject({ url: '/health', headers: CALLER });
  expect(answer.headers['x-trace-id']).toBeUndefined();
  expect(exporter.getFinishedSpans()).toEqual([]);
  expect(trace.getActiveSpan()).toBeUndefined();
});

test('the lines that are logged at the end of a request are in its trace', async () => {
  const seen: unknown[] = [];
  serve().addHook('onResponse', (_request, _reply, done) => {
    seen.push(trace.getActiveSpan()?.spanContext().traceId);
    done();
  });
  await server.inject({ method: 'POST', url: '/orders', payload: { id: 1 }, headers: CALLER });
  expect(seen).toEqual([TRACE_ID]);
});
