import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { Counter, Registry } from 'prom-client';
import { serveMetrics } from '../../../src/platform/metrics-server';
import { UserError } from '../../../src/platform/user-error';
import { reserveFreePort } from '../../../src/temporal/dev-server/free-port';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

test('what is counted is served at /metrics, and nothing elsewhere', async () => {
  const registry = new Registry();
  const counter = new Counter({ name: 'consign_tests_total', help: 'Tests.', registers: [registry] });
  const port = await reserveFreePort();
  const server = await serveMetrics({ host: '127.0.0.1', port }, registry);
  closers.push(async () => await server.close());
  counter.inc();
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(await answer.text()).toContain('\nconsign_tests_total 1\n');
  for (const [method, path] of [
    ['GET', '/'],
    ['GET', '/metrics/x'],
    ['POST', '/metrics'],
  ] as const)
    expect((await fetch(`http://127.0.0.1:${port}${path}`, { method })).status).toBe(404);
});

test('closing does not wait for a Prometheus that keeps its connection', async () => {
  const port = await reserveFreePort();
  const server = await serveMetrics({ host: '127.0.0.1', port }, new Registry());
  const socket = net.connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const hungUp = once(socket, 'close');
  await server.close();
  await hungUp;
  expect(socket.destroyed).toBe(true);
});

test('a port in use is an error that names the address and what to do', async () => {
  const other = net.createServer().listen(0, '127.0.0.1');
  closers.push(async () => await new Promise((resolve) => other.close(resolve)));
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const error: unknown = await serveMetrics({ host: '127.0.0.1', port }, new Registry()).catch(
    (e: unknown) => e,
  );
  if (!(error instanceof UserError)) throw new Error('it is served all the same');
  expect(error.explain()).toMatch(new RegExp(`^Metrics cannot be served at 127.0.0.1:${port}: .*EADDRINUSE`));
  expect(error.explain()).toContain('CONSIGN_METRICS_ADDRESS');
});
