/**
 * Receives Consign's notifications, verifies them, and forwards each new question to a chat.
 *
 *   CHAT_WEBHOOK_URL=https://… NOTIFICATION_SECRET=whsec_… PORT=4060 node forward-questions.mjs
 */
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const { CHAT_WEBHOOK_URL, NOTIFICATION_SECRET, PORT = '4060' } = process.env;
const LARGEST = 100_000;
const webhook = new Webhook(NOTIFICATION_SECRET);

/** Ids of the last events: Consign sends an event again when it got no answer. A real program keeps them in its database. */
const handled = new Set();

async function bodyOf(request) {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) {
    body += chunk;
    if (body.length > LARGEST) throw new RangeError('the body is too large');
  }
  return body;
}

/** The verified event; null for a request that Consign did not sign. */
function verified(body, headers) {
  try {
    return webhook.verify(body, headers);
  } catch {
    return null;
  }
}

/** Most chats accept a JSON object with a text. */
async function forward({ account, orderId, question }) {
  const text = `${account}/${orderId} asks: ${question.text} Answers: ${question.answers.join(', ')}.`;
  const { ok, status } = await fetch(CHAT_WEBHOOK_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  });
  if (!ok) throw new Error(`the chat answered ${status}`);
}

/** @returns the status for Consign */
async function handle(request) {
  const event = verified(await bodyOf(request), request.headers);
  if (event === null) return 401;
  if (event.type !== 'consign.shipment.questionOpened' || handled.has(event.id)) return 204;
  await forward(event.data);
  handled.add(event.id);
  if (handled.size > 10_000) handled.delete(handled.values().next().value);
  return 204;
}

async function answer(request, response) {
  try {
    response.statusCode = await handle(request);
  } catch (error) {
    // Any status but 2xx makes Consign send the event again.
    console.error(error.message);
    response.statusCode = 503;
  }
  response.end();
}

const server = createServer((request, response) => void answer(request, response));

server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`receiving notifications at http://127.0.0.1:${server.address().port}`);
});
