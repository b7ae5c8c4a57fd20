import { SpanStatusCode, type Span } from '@opentelemetry/api';
import { expect, test } from '@jest/globals';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-node';
import { withoutContent } from '../../../src/tracing/without-content';
import { CANARIES, hitsIn } from '../../support/canaries';

/** What is sent of one span. */
function sent(fill: (span: Span) => void): ReadableSpan {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(withoutContent(exporter))],
  });
  const span = provider.getTracer('test').startSpan('GET');
  fill(span);
  span.end();
  const [first] = exporter.getFinishedSpans();
  if (first === undefined) throw new Error('no span was sent');
  expect(first.spanContext()).toEqual(span.spanContext());
  return first;
}

const ALL = Object.values(CANARIES).join(' ');
const textOf = ({ name, attributes, events, links, status }: ReadableSpan): string =>
  JSON.stringify({ name, attributes, events, links, status });

test.each([
  ['url.full', `https://hooks.example.com/${encodeURIComponent(ALL)}`],
  ['url.path', `/T0/${ALL}`],
  ['url.query', `?X-Amz-Signature=${ALL}`],
  ['user_agent.original', ALL],
  ['http.request.header.authorization', ALL],
  ['http.response.header.set-cookie', ALL],
  ['network.peer.address', ALL],
  ['temporalTerminateReason', ALL],
  ['an attribute that a later version adds', ALL],
])('the attribute %s is not sent', (name, value) => {
  const span = sent((one) => one.setAttributes({ [name]: value, 'http.request.method': 'GET' }));
  expect(span.attributes).toEqual({ 'http.request.method': 'GET' });
  expect(hitsIn(textOf(span))).toEqual([]);
});

test('of an error, only that there was one is sent: neither its text nor its stack', () => {
  const span = sent((one) => {
    one.recordException(new Error(ALL));
    one.setStatus({ code: SpanStatusCode.ERROR, message: ALL });
    one.addEvent(ALL);
  });
  expect(span).toMatchObject({ status: { code: SpanStatusCode.ERROR }, events: [], links: [] });
  expect(hitsIn(textOf(span))).toEqual([]);
});

test('what finds the order and the call is sent', () => {
  const attributes = {
    ...{ 'http.request.method': 'POST', 'http.route': '/shipments', 'http.response.status_code': 201 },
    ...{ 'server.address': 'api.example.com', 'server.port': 443 },
    ...{ temporalWorkflowId: 'shipment/acme/SO-1', run_id: 'r1', temporalActivityId: '3' },
  };
  expect(sent((one) => one.setAttributes(attributes)).attributes).toEqual(attributes);
});
