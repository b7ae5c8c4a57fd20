import type { FastifyReply } from 'fastify';
import type { OrderKey } from '../../../domain/workflow-id';
import { documentHash } from '../../../orders/document-hash';
import type { IdempotencyKey } from '../../client/idempotency-key';
import type { RestartStatement, StartedShipment } from '../../client/start-order';
import * as answers from '../answer-schemas';
import { callerOf, type Caller } from '../authorize';
import type { ApiContext, ApiServer } from '../context';
import { operation } from '../openapi';
import { checkOrder, prepareSentOrder, readSentOrder, type SentOrder } from '../order-of-request';
import { orderDocument, orderParams, quoteBody, restartBody, startHeaders } from '../request-schemas';

/** Check, quote and start orders. */
export function addOrderRoutes(api: ApiServer, context: ApiContext): void {
  const { shipments } = context;

  api.post(
    '/orders/validate',
    {
      config: { scopes: ['start'] },
      schema: {
        ...operation({
          id: 'validateOrder',
          summary: 'Check an order; starts nothing',
          description: 'Reports every problem at once. It needs neither Temporal nor the marketplace.',
          tag: 'orders',
          answers: { 200: answers.validation },
        }),
        body: orderDocument,
      },
    },
    async (request) => {
      const read = await readSentOrder({ document: request.body, caller: callerOf(request) }, context);
      return { ok: read.ok, problems: read.ok ? [] : read.problems, warnings: read.warnings };
    },
  );

  api.post(
    '/quotes',
    {
      config: { scopes: ['start'] },
      schema: {
        ...operation({
          id: 'quoteOrder',
          summary: 'Ask what an order would cost now; books nothing',
          tag: 'orders',
          answers: { 200: answers.quote },
        }),
        body: quoteBody,
      },
    },
    async (request) => {
      const { order: document, maximumWaitSeconds } = request.body;
      const { order } = await checkOrder({ document, caller: callerOf(request), root: '$.order' }, context);
      return await shipments.quote(order, { maximumWaitMs: maximumWaitSeconds * 1_000 });
    },
  );

  api.put(
    '/shipments/:account/:orderId',
    {
      config: { scopes: ['start'] },
      schema: {
        ...operation({
          id: 'startOrder',
          summary: 'Start an order, or find its shipment',
          description:
            'The body is the order document; its account and order id are those of the path. The same document leads to the same shipment. Images must be https URLs.',
          tag: 'orders',
          answers: { 200: answers.startedShipment, 201: answers.startedShipment },
        }),
        params: orderParams,
        headers: startHeaders,
        body: orderDocument,
      },
    },
    async (request, reply) => {
      const sent = { document: request.body, caller: callerOf(request), named: request.params };
      return await start(context, reply, { sent, key: request.headers['idempotency-key'] });
    },
  );

  api.post(
    '/shipments/:account/:orderId/restart',
    {
      config: { scopes: ['start', 'decide'] },
      schema: {
        ...operation({
          id: 'restartOrder',
          summary: 'Start an order again that was withdrawn or ended unclearly',
          description:
            'States what was checked: that the earlier run left no booking. The new run reads the listings that the earlier one knew before it books.',
          tag: 'orders',
          answers: { 200: answers.startedShipment, 201: answers.startedShipment },
        }),
        params: orderParams,
        headers: startHeaders,
        body: restartBody,
      },
    },
    async (request, reply) => {
      const { order: document, checked } = request.body;
      const caller = callerOf(request);
      const sent = { document, caller, named: request.params, root: '$.order' };
      const statement = { checked, by: caller.name };
      return await start(context, reply, { sent, statement, key: request.headers['idempotency-key'] });
    },
  );
}

interface Start {
  readonly sent: SentOrder & { readonly named: OrderKey };
  readonly statement?: RestartStatement;
  /** The header of the request. */
  readonly key: string | undefined;
}

async function start(
  context: ApiContext,
  reply: FastifyReply,
  { sent, statement, key }: Start,
): Promise<StartedShipment> {
  const { shipments, counts } = context;
  const { account, orderId } = sent.named;
  const idempotencyKey = key === undefined ? undefined : keyOf(sent, statement, key);
  const started = await counts.countStart(async () => {
    const before =
      idempotencyKey === undefined ? null : await shipments.startedWith(account, orderId, idempotencyKey);
    return (
      before ?? (await shipments.start(await prepareSentOrder(sent, context), statement, { idempotencyKey }))
    );
  });
  void reply
    .code(started.outcome === 'already' ? 200 : 201)
    .header('location', `/shipments/${account}/${orderId}`);
  return started;
}

/** A key belongs to the token that sends it, and to one request. */
function keyOf(
  { document, caller, named }: Start['sent'],
  statement: RestartStatement | undefined,
  key: string,
): IdempotencyKey {
  const request = JSON.stringify([
    named.account,
    named.orderId,
    hashOf(document),
    statement?.checked ?? null,
  ]);
  return { key: keyWithOwner(caller, key), request };
}

const keyWithOwner = ({ name }: Caller, key: string): string => `${name} ${key}`;

/** Of a document that is nested too deeply it is empty: the check of the order refuses it. */
function hashOf(document: unknown): string {
  try {
    return documentHash(document);
  } catch (error) {
    if (error instanceof RangeError) return '';
    throw error;
  }
}
