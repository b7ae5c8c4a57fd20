import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from '@jest/globals';
import type { News } from '../../../src/domain/notifications';
import { toCloudEvent } from '../../../src/notifications/cloud-event';
import { sendEvent, type EndpointAnswer } from '../../../src/notifications/send';
import { createDispatcher } from '../../../src/platform/network/dispatcher';
import { startChat, type Chat } from '../../support/chat';
import { anEndpointAt, SECRET } from '../../support/endpoint-server';
import { aNotification, signingSecret } from '../../support/notifications';

const ROOT = path.join(__dirname, '..', '..', '..');
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const QUESTION: News = {
  kind: 'questionOpened',
  question: {
    ...{ id: 'q1-listingEnded', kind: 'listingEnded', text: 'Listing 7 was cancelled before pickup.' },
    ...{ answers: ['rebook', 'close'], since: '2035-03-06T12:00:00.000Z', listingIds: ['7'], offer: null },
  },
};

/** The example as a user runs it, beside a chat. */
async function startExample(): Promise<{ readonly url: string; readonly chat: Chat }> {
  const chat = await startChat();
  closers.push(async () => await chat.close());
  const program: ChildProcess = spawn('node', ['examples/notifications/forward-questions.mjs'], {
    ...{ cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] },
    env: { PATH: process.env.PATH, CHAT_WEBHOOK_URL: chat.url, NOTIFICATION_SECRET: SECRET, PORT: '0' },
  });
  const exited = once(program, 'exit');
  closers.push(async () => {
    program.kill('SIGKILL');
    await exited;
  });
  if (program.stdout === null) throw new TypeError('the program has no output');
  const [line] = (await once(createInterface({ input: program.stdout }), 'line')) as [string];
  return { url: line.replace('receiving notifications at ', ''), chat };
}

async function send(url: string, news: News, secret = SECRET): Promise<EndpointAnswer> {
  const dispatcher = createDispatcher();
  const endpoint = anEndpointAt({ url }, { secrets: [async () => await Promise.resolve(secret)] });
  try {
    return await sendEvent(endpoint, toCloudEvent(aNotification(1, news)), dispatcher);
  } finally {
    await dispatcher.destroy();
  }
}

test('the example forwards a question to the chat once, however often it arrives, and no other event', async () => {
  const { url, chat } = await startExample();
  expect(await send(url, { kind: 'booked' })).toMatchObject({ status: 204 });
  for (let times = 0; times < 3; times += 1) expect(await send(url, QUESTION)).toMatchObject({ status: 204 });
  expect(chat.texts).toEqual([
    'acme/SO-1 asks: Listing 7 was cancelled before pickup. Answers: rebook, close.',
  ]);
});

test('while the chat is down, the example makes Consign send the question again', async () => {
  const { url, chat } = await startExample();
  chat.answer(500);
  expect(await send(url, QUESTION)).toMatchObject({ status: 503 });
  chat.answer(200);
  expect(await send(url, QUESTION)).toMatchObject({ status: 204 });
  expect(chat.texts).toHaveLength(2);
});

test('the example refuses what Consign did not sign', async () => {
  const { url, chat } = await startExample();
  expect(await send(url, QUESTION, signingSecret(9))).toMatchObject({ status: 401 });
  expect(chat.texts).toEqual([]);
});
