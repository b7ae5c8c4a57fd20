import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import tls from 'node:tls';
import { promisify } from 'node:util';
import { afterEach, expect, test } from '@jest/globals';
import { aMarketplace, anAccount, closeAll, failureOf } from './server';

const pemOf = (name: string): string => path.join(__dirname, '..', '..', 'fixtures', 'tls', `${name}.pem`);
const acceptance = { rateId: 'r'.repeat(24), paymentMethodId: 'p-1', coverage: null };
const servers: tls.Server[] = [];

afterEach(async () => {
  await closeAll();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

/** Keeps what it is told behind its certificate, and answers as the marketplace would. */
async function startTlsServer(certificate: string): Promise<{ url: string; heard: () => string }> {
  let heard = '';
  const pem = readFileSync(pemOf(certificate), 'utf8');
  const server = tls.createServer({ key: pem, cert: pem }, (socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
      socket.end('HTTP/1.1 409 Conflict\r\ncontent-length: 0\r\n\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, heard: () => heard };
}

/** The same write from a process that trusts the certificate. */
async function callTrusting(certificate: string, url: string): Promise<unknown> {
  const script = path.join(__dirname, 'call-over-tls.ts');
  const preload = path.join(__dirname, '..', '..', 'support', 'run-typescript.js');
  const { stdout } = await promisify(execFile)(process.execPath, ['--require', preload, script, url], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: pemOf(certificate) },
  });
  return JSON.parse(stdout);
}

test('a server with a self-signed certificate receives neither a write nor a read', async () => {
  const { url, heard } = await startTlsServer('this-host');
  const marketplace = aMarketplace(anAccount(url));
  for (const call of [marketplace.acceptRate(acceptance), marketplace.getListing('1')])
    expect(await failureOf(call)).toMatchObject({
      name: 'ConnectionError',
      outcome: 'notSent',
      phase: 'beforeSent',
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
  expect(heard()).toBe('');
});

test("a server with another host's trusted certificate receives nothing", async () => {
  const { url, heard } = await startTlsServer('other-host');
  expect(await callTrusting('other-host', url)).toEqual({
    name: 'ConnectionError',
    outcome: 'notSent',
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  });
  expect(heard()).toBe('');
});

test('a server with its own trusted certificate receives the request', async () => {
  const { url, heard } = await startTlsServer('this-host');
  expect(await callTrusting('this-host', url)).toMatchObject({ name: 'ApiError', outcome: 'inDoubt' });
  expect(heard()).toMatch(/^POST \/v2\/rates\/r{24}\/acceptance HTTP\/1\.1/);
});
