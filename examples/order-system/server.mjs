/**
 * A small order system: it takes sales over HTTP, and Consign ships them.
 *
 *   POST /sales       place a sale; repeating it is safe
 *   GET  /sales/{id}  where its shipment stands
 *
 * It has no database of its own for this: the order's id leads to the one shipment of the order. So it can be killed at
 * any time and the sale can be sent again, to this process or to another one.
 */
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { connectTemporal, loadAccounts, ShipmentClient, UserError, validate } from 'consign';
import { toOrder } from './to-order.mjs';

const { PORT = '8080', CONSIGN_ACCOUNTS = 'examples/accounts.yaml' } = process.env;

const accounts = loadAccounts(CONSIGN_ACCOUNTS, process.env);
const temporal = await connectTemporal();
const shipments = new ShipmentClient(temporal.client);

async function place(sale) {
  // A sale has no images, which `prepareOrder` would store.
  const read = await validate({ document: toOrder(sale) }, accounts);
  if (!read.ok) return [422, { problems: read.problems }];
  const { workflowId, outcome } = await shipments.start(read.order);
  // `started`, or `already` when this very sale was placed before.
  return [outcome === 'already' ? 200 : 201, { workflowId, outcome }];
}

async function look(id) {
  const { status, state, waitingFor } = await shipments.get('acme', id);
  // The state comes from a worker, and is null while none runs.
  return [
    200,
    { status, phase: state?.at.phase ?? null, question: state?.question?.text ?? null, waitingFor },
  ];
}

async function answer(request) {
  const id = /^\/sales\/([\w.-]+)$/.exec(request.url)?.[1];
  if (request.method === 'GET' && id !== undefined) return await look(id);
  if (request.method !== 'POST' || request.url !== '/sales') return [404, { error: 'no such page' }];
  let sale;
  try {
    sale = await json(request);
  } catch {
    return [400, { error: 'the body is no JSON' }];
  }
  return await place(sale);
}

/** The status for an error that repeating does not change; any other is answered 503. */
const STATUSES = {
  // The id belongs to another document, or a person withdrew the order: somebody has to look.
  conflict: 409,
  notFound: 404,
};

function toRefusal(error) {
  const status = error instanceof UserError ? STATUSES[error.kind] : undefined;
  if (status !== undefined) return [status, { error: error.message }];
  // Nobody knows whether it was placed. Placing it again is the way to find out, and is safe.
  console.error(error);
  return [503, { error: 'not confirmed; send it again' }];
}

const server = createServer((request, response) => {
  void answer(request)
    .catch(toRefusal)
    .then(([status, body]) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
});
server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`order system at http://127.0.0.1:${server.address().port}`);
});
process.once('SIGTERM', () => {
  server.close(() => void temporal.close());
});
