import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { testEvent, toCloudEvent } from '../../../src/notifications/cloud-event';
import type { NotificationEndpoint } from '../../../src/notifications/endpoint';
import { isAccepted, sendEvent } from '../../../src/notifications/send';
import { signingSecretFlaw } from '../../../src/notifications/signing';
import { createDispatcher } from '../../../src/platform/network/dispatcher';
import { SecretError } from '../../../src/platform/secret-reference';
import { aNotification, signingSecret } from '../../support/notifications';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly url: string | undefined;
  readonly body: string;
}

/** A server that answers in one way. */
async function listen(answer: (response: ServerResponse) => void) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      received.push({ headers: request.headers, url: request.url, body });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/7?key=secret-1` };
}

function anEndpoint(url: string, ...secrets: readonly string[]): NotificationEndpoint {
  return {
    ...{ name: 'erp', url, events: [], reportAfterMs: 1_000, pauseAfterMs: 2_000 },
    secrets: secrets.map((secret) => async () => await Promise.resolve(secret)),
  };
}

async function send(endpoint: NotificationEndpoint, event = toCloudEvent(aNotification(1))) {
  const dispatcher = createDispatcher();
  closers.push(async () => await dispatcher.destroy());
  return await sendEvent(endpoint, event, dispatcher);
}

const ok = (response: ServerResponse): void => void response.writeHead(204).end();
const [OLD, NEW, OTHER] = [signingSecret(1), signingSecret(2), signingSecret(3)];

test('an event is sent as CloudEvents 1.0 in structured mode, and the library of Standard Webhooks verifies it', async () => {
  const { url, received } = await listen(ok);
  expect(await send(anEndpoint(url, OLD))).toMatchObject({ kind: 'answered', status: 204 });
  const [{ headers, body, url: path } = { headers: {}, body: '', url: '' }] = received;
  expect(path).toBe('/hooks/7?key=secret-1');
  expect(headers['content-type']).toBe('application/cloudevents+json');
  expect(headers['webhook-id']).toBe('run-1.1');
  expect(new Webhook(OLD).verify(body, headers as Record<string, string>)).toMatchObject({
    ...{ specversion: '1.0', id: 'run-1.1', source: '/consign/acme', subject: 'SO-1' },
    ...{ type: 'consign.shipment.booked', sequence: '0000000001', time: '2035-03-06T12:00:00.000Z' },
    data: { account: 'acme', orderId: 'SO-1', listingId: '7' },
  });
});

test('the signature is the HMAC of id, time and body, as a receiver without the library computes it', async () => {
  const { url, received } = await listen(ok);
  await send(anEndpoint(url, OLD));
  const [{ headers, body } = { headers: {} as IncomingHttpHeaders, body: '' }] = received;
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const key = Buffer.from(OLD.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(signed).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${signature}`);
});

test('while a secret is rotated, the old and the new one verify, and no other does', async () => {
  const { url, received } = await listen(ok);
  await send(anEndpoint(url, NEW, OLD));
  const [{ headers, body } = { headers: {} as IncomingHttpHeaders, body: '' }] = received;
  const verify = (secret: string) => () =>
    new Webhook(secret).verify(body, headers as Record<string, string>);
  expect(verify(NEW)).not.toThrow();
  expect(verify(OLD)).not.toThrow();
  expect(verify(OTHER)).toThrow('No matching signature found');
  expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
});

test.each([
  [200, true],
  [202, true],
  [301, false],
  [400, false],
  [410, false],
  [503, false],
])('an answer %i is accepted: %p; a redirect is not followed', async (status, accepted) => {
  const { url, received } = await listen((response) =>
    response.writeHead(status, { location: '/elsewhere' }).end('the answer'),
  );
  const answer = await send(anEndpoint(url, OLD));
  expect(answer).toEqual({ kind: 'answered', status, text: 'the answer' });
  expect(isAccepted(answer)).toBe(accepted);
  expect(received).toHaveLength(1);
});

test('of a long answer only the start is read', async () => {
  const { url } = await listen((response) => response.writeHead(500).end('x'.repeat(5_000_000)));
  const answer = await send(anEndpoint(url, OLD));
  expect(answer.kind === 'answered' && answer.text.length).toBe(300);
});

test('no answer is described without the URL and its secrets', async () => {
  const gone = await listen((response) => response.destroy());
  const answers = [
    await send(anEndpoint(gone.url, OLD)),
    await send(anEndpoint('http://127.0.0.1:9/?key=secret-1', OLD)),
  ];
  expect(answers).toEqual([
    { kind: 'noAnswer', reason: expect.stringMatching(/^the connection failed \(\w+\)$/) },
    { kind: 'noAnswer', reason: expect.stringMatching(/^the connection failed \(\w+\)$/) },
  ]);
});

test('a secret that cannot sign is not used, and not shown', async () => {
  const { url, received } = await listen(ok);
  const answer = await send(anEndpoint(url, OLD, 'my-own-secret'));
  expect(answer).toMatchObject({ kind: 'noAnswer', reason: expect.stringContaining('no signing secret') });
  expect(JSON.stringify(answer)).not.toContain('my-own-secret');
  expect(received).toEqual([]);
});

test('a secret that cannot be read is an error that names its reference', async () => {
  const endpoint = {
    ...anEndpoint('http://127.0.0.1:9'),
    secrets: [async () => await Promise.reject(new SecretError('x'))],
  };
  await expect(send(endpoint)).rejects.toThrow(SecretError);
});

test.each([
  [signingSecret(7), true],
  [`whsec_${Buffer.alloc(24).toString('base64')}`, true],
  [`whsec_${Buffer.alloc(23).toString('base64')}`, false],
  [`whsec_${Buffer.alloc(65).toString('base64')}`, false],
  [Buffer.alloc(32).toString('base64'), false],
  ['whsec_', false],
  ['whsec_not base64 at all, but long enough', false],
])('%s can sign: %p', (secret, canSign) => {
  expect(signingSecretFlaw(secret) === null).toBe(canSign);
});

test('a test event names the account only', () => {
  const event = testEvent({ name: 'acme', environment: 'sandbox' }, new Date('2035-03-06T12:00:00Z'));
  expect(event).toMatchObject({
    ...{ type: 'consign.test', source: '/consign/acme', time: '2035-03-06T12:00:00.000Z' },
    data: { account: 'acme', environment: 'sandbox' },
  });
  expect(event).not.toHaveProperty('subject');
});
