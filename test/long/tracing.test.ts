import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { Worker } from '@temporalio/worker';
import { startStack, type Stack } from '../../devstack/stack';
import { reserveFreePort } from '../../src/temporal/dev-server/free-port';
import { connectTemporal } from '../../src/temporal/temporal-connection';
import { readWorkflowBundle } from '../../src/worker/workflow-bundle';
import { CANARIES, hitsIn } from '../support/canaries';
import { SECRET, startEndpoint, type EndpointServer } from '../support/endpoint-server';
import { loadedPackages } from '../support/loaded-packages';
import { until } from '../support/temporal';
import { temporaryFolder } from '../support/temporary-folder';

const run = promisify(execFile);
const ROOT = path.join(__dirname, '..', '..');
const TOKEN = 'demo-api-token';
const SECRETS = [TOKEN, 'sandbox-key', 'demo-webhook-secret', SECRET, 'Bearer'];

interface Span {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: Readonly<Record<string, string | number>>;
}

/** What a collector receives by OTLP over HTTP, as JSON. */
interface Body {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<Span, 'service' | 'attributes'> & {
        readonly attributes: readonly Attribute[];
      })[];
    }[];
  }[];
}
interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number };
}

const valuesOf = (attributes: readonly Attribute[]): Span['attributes'] =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? '']));

const bodies: string[] = [];
const lines: string[] = [];
let collector: Server;
let endpoint: EndpointServer;
let stack: Stack;
let folder: string;

/** The accounts file of the sandbox, with an endpoint that is notified. */
async function accountsFile(): Promise<string> {
  const text = await readFile(path.join(ROOT, 'examples/accounts.yaml'), 'utf8');
  const notifications = `    notifications:\n      - name: erp\n        url: ${endpoint.url}\n        secrets: [{ env: ERP_SECRET }]\n`;
  const file = path.join(folder, 'accounts.yaml');
  const changed = text.replace(/^ {2}acme:\n(?= {4}environment)/m, (start) => `${start}${notifications}`);
  expect(changed).not.toBe(text);
  await writeFile(file, changed);
  return file;
}

beforeAll(async () => {
  folder = temporaryFolder();
  endpoint = await startEndpoint();
  collector = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      bodies.push(body);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const ports = {
    sandbox: await reserveFreePort(),
    webhooks: await reserveFreePort(),
    api: await reserveFreePort(),
  };
  stack = await startStack({
    ...{ folder, isPersistent: false, ports, log: (line) => lines.push(line) },
    env: {
      ...process.env,
      ...{ CONSIGN_LOG_LEVEL: 'info', SANDBOX_SPEED: '20', CONSIGN_ACCOUNTS: await accountsFile() },
      ...{ ERP_SECRET: SECRET, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', OTEL_BSP_SCHEDULE_DELAY: '200' },
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    },
  });
}, 120_000);
afterAll(async () => {
  await stack?.stop();
  await endpoint?.kill();
  collector?.close();
});

const spans = (): readonly Span[] =>
  bodies.flatMap((body) =>
    (JSON.parse(body) as Body).resourceSpans.flatMap(({ resource, scopeSpans }) =>
      scopeSpans.flatMap(({ spans: found }) =>
        found.map((span) => ({
          ...span,
          service: String(valuesOf(resource.attributes)['service.name']),
          attributes: valuesOf(span.attributes),
        })),
      ),
    ),
  );
const traceOf = (traceId: string): readonly Span[] => spans().filter((span) => span.traceId === traceId);
/** The lines of a process in a trace. */
const linesOf = (part: string, traceId: string): readonly string[] =>
  lines.filter((line) => line.startsWith(`${part}: `) && line.includes(`"traceId":"${traceId}"`));

/** A furniture order of people with odd names. */
async function anOrder(orderId: string): Promise<Record<string, unknown>> {
  const text = await readFile(path.join(ROOT, 'examples/ltl-tiles.json'), 'utf8');
  const tiles = JSON.parse(text) as { readonly destination: { readonly address: object } };
  const { destination } = tiles;
  return {
    ...tiles,
    orderId,
    destination: {
      ...destination,
      contact: {
        name: CANARIES.name,
        company: CANARIES.company,
        phone: '+1 512 555 0147',
        email: CANARIES.email,
      },
      address: { ...destination.address, street: CANARIES.street },
    },
  };
}

const ask = async (
  method: string,
  place: string,
  { headers = {}, ...init }: { readonly body?: string; readonly headers?: Record<string, string> } = {},
): Promise<Response> =>
  await fetch(`${stack.apiUrl}${place}`, {
    method,
    ...init,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers },
  });

/** Waits for the end of an order: its last notification. */
const ended = async (orderId: string): Promise<void> =>
  await until(async () => await Promise.resolve(endpoint.kindsOf(orderId).includes('ended')), {
    patienceMs: 120_000,
  });

test('an order is one trace, from the request that starts it to each call of the marketplace', async () => {
  // A failure of a read, which the worker logs.
  await fetch(`${stack.sandboxUrl}/_sandbox/troubles`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ when: 'listRates', what: { kind: 'status', status: 503 }, times: 1 }),
  });
  const started = await ask('PUT', '/shipments/acme/TR-1', { body: JSON.stringify(await anOrder('TR-1')) });
  expect(started.status).toBe(201);
  const traceId = started.headers.get('x-trace-id') ?? '';
  expect(traceId).toMatch(/^[0-9a-f]{32}$/);
  await ended('TR-1');
  const has = (service: string, name: string): boolean =>
    traceOf(traceId).some((span) => span.service === service && span.name === name);
  await until(
    async () =>
      await Promise.resolve(
        has('consign-api', 'PUT /shipments/:account/:orderId') &&
          has('consign-api', 'StartWorkflow:ltlShipment') &&
          has('consign-worker', 'RunActivity:createRateRequest') &&
          has('consign-worker', 'RunActivity:acceptRate') &&
          has('consign-worker', 'RunActivity:deliverNotification'),
      ),
  );
  const own = traceOf(traceId);
  // Each span but the first is below another one of the trace.
  const ids = new Set(own.map(({ spanId }) => spanId));
  const roots = own.filter(({ parentSpanId }) => parentSpanId === undefined || parentSpanId === '');
  expect(roots.map(({ name }) => name)).toEqual(['PUT /shipments/:account/:orderId']);
  expect(own.filter(({ parentSpanId }) => parentSpanId !== undefined && !ids.has(parentSpanId))).toEqual([]);
  const activity = own.find(({ name }) => name === 'RunActivity:createRateRequest');
  const call = own.find(({ parentSpanId }) => parentSpanId === activity?.spanId);
  expect(call).toMatchObject({
    ...{ service: 'consign-worker', name: 'POST' },
    attributes: { 'server.address': '127.0.0.1', 'http.response.status_code': expect.any(Number) },
  });
  expect(activity?.attributes).toMatchObject({ temporalWorkflowId: 'shipment/acme/TR-1' });
  // The same id is in the log lines and in the notifications.
  expect(linesOf('api', traceId).join()).toContain('"msg":"request"');
  expect(linesOf('worker', traceId).join()).toContain('Activity failed');
  const deliveries = endpoint.deliveries.filter(({ orderId }) => orderId === 'TR-1');
  expect(deliveries.length).toBeGreaterThan(3);
  expect(new Set(deliveries.map(({ event }) => event.traceparent)).size).toBe(1);
  for (const { event, headers } of deliveries) {
    expect(event.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
    expect(headers.traceparent).toContain(traceId);
  }
});

test("a caller's trace, and one that the command line begins, reach the marketplace as well", async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const headers = {
    ...{ traceparent: `00-${traceId}-b7ad6b7169203331-01`, tracestate: `zebra=${CANARIES.lowerName}` },
    baggage: `customer=${CANARIES.lowerName}`,
  };
  const answer = await ask('PUT', '/shipments/acme/TR-2', {
    ...{ body: JSON.stringify(await anOrder('TR-2')), headers },
  });
  expect(answer.headers.get('x-trace-id')).toBe(traceId);
  const file = path.join(folder, 'TR-3.json');
  await writeFile(file, JSON.stringify(await anOrder('TR-3')));
  await run(process.execPath, [path.join(ROOT, 'bin/consign.js'), 'start', file], { env: stack.env });
  const isAccepted = (traceId: string): boolean =>
    traceOf(traceId).some(({ name }) => name === 'RunActivity:acceptRate');
  const ofCommand = (): Span | undefined =>
    spans().find(({ service, name }) => service === 'consign-cli' && name === 'StartWorkflow:ltlShipment');
  await until(
    async () => await Promise.resolve(isAccepted(traceId) && isAccepted(ofCommand()?.traceId ?? '')),
    {
      patienceMs: 60_000,
    },
  );
  const requests = await (await fetch(`${stack.sandboxUrl}/_sandbox/requests?endpoint=acceptRate`)).text();
  expect(requests).toContain(traceId);
  expect(requests).not.toContain(CANARIES.lowerName);
});

test('a traced order replays, and its history carries the trace without content', async () => {
  await ended('TR-2');
  const temporal = await connectTemporal(stack.env);
  try {
    const handle = temporal.client.workflow.getHandle('shipment/acme/TR-2');
    const history = await handle.fetchHistory();
    expect(historyToJSON(history)).toContain('_tracer-data');
    const workflowBundle = { code: await readWorkflowBundle({}) };
    await expect(Worker.runReplayHistory({ workflowBundle }, history)).resolves.toBeUndefined();
  } finally {
    await temporal.close();
  }
});

test('a request that strangers send is traced by its route, and the receiver by its own', async () => {
  const refused = await ask('GET', `/shipments/acme/${CANARIES.lowerName}`, {
    headers: { authorization: `Bearer ${CANARIES.key}` },
  });
  expect(refused.status).toBe(401);
  const traceId = refused.headers.get('x-trace-id') ?? '';
  const path = `/webhooks/acme/${CANARIES.plainPassword}`;
  await fetch(new URL(path, stack.webhookUrl), { method: 'POST', body: CANARIES.name });
  const ofReceiver = (): Span | undefined =>
    spans().find(
      ({ name, attributes }) =>
        name === 'POST /webhooks/:name/:secret' && attributes['http.response.status_code'] === 401,
    );
  await until(async () => await Promise.resolve(traceOf(traceId).length > 0 && ofReceiver() !== undefined));
  expect(traceOf(traceId).map(({ name }) => name)).toEqual(['GET /shipments/:account/:orderId']);
  expect(ofReceiver()?.service).toBe('consign-webhooks');
});

test('no text of a person, no key and no path of a call is in any of them', () => {
  const text = bodies.join('\n');
  expect(spans().length).toBeGreaterThan(50);
  expect(hitsIn(text)).toEqual([]);
  for (const secret of SECRETS) expect([secret, text.includes(secret)]).toEqual([secret, false]);
  const names = new Set(spans().flatMap(({ attributes }) => Object.keys(attributes)));
  expect([...names].filter((name) => /^url|header|user_agent|exception|message/.test(name))).toEqual([]);
});

test.each([
  ['without an endpoint nothing of OpenTelemetry is loaded', {}, false],
  ['with an endpoint it is', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }, true],
])('%s', async (_, env, isLoaded) => {
  const program = 'require("./dist/src/tracing").startTracing("test", process.env, () => {})';
  const loaded = await loadedPackages(['--eval', program], env);
  expect(loaded.some((name) => name.includes('opentelemetry'))).toBe(isLoaded);
  expect(loaded.length > 0).toBe(isLoaded);
});
