/**
 * Sends one event to the receiver, as the marketplace does.
 *
 *   node send-event.mjs ACCOUNT/ORDER [TYPE]
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

const {
  WEBHOOK_URL = 'http://127.0.0.1:4020/webhooks/acme',
  CONSIGN_WEBHOOK_SECRET = 'demo-webhook-secret',
} = process.env;
const ATTEMPTS = 5;

const eventOf = (order, type) => ({
  specversion: '1.0',
  // By which the receiver recognises an event that is sent again.
  id: randomUUID(),
  source: 'urn:example:webhook-sender',
  type,
  time: new Date().toISOString(),
  // Only the order matters: Consign believes no event, and reads the listing.
  data: { referenceNumbers: [{ number: order, type: { value: 'ThirdPartyOrderNumber' } }] },
});

async function send(event, attempt = 1) {
  const response = await fetch(WEBHOOK_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${CONSIGN_WEBHOOK_SECRET}` },
    body: JSON.stringify(event),
  });
  if (response.status !== 503 || attempt === ATTEMPTS) return response;
  // The receiver could not store the event. Send the same event again.
  await pause(1_000 * Number(response.headers.get('retry-after') ?? 1));
  return await send(event, attempt + 1);
}

const [order, type = 'Shipment.TransitStatusChanged/v1'] = process.argv.slice(2);
if (order === undefined) {
  console.error('Usage: node send-event.mjs ACCOUNT/ORDER [TYPE]');
  process.exitCode = 2;
} else {
  const event = eventOf(order, type);
  const response = await send(event);
  console.log(`${response.status} for event ${event.id} ${await response.text()}`.trim());
  process.exitCode = response.ok ? 0 : 1;
}
