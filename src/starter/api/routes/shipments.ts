import { z } from 'zod';
import { accountPauseWorkflowId, isAccountName } from '../../../domain/workflow-id';
import { isOpen } from '../../client/get-shipment';
import { savedNameOf } from '../../client/save-documents';
import * as answers from '../answer-schemas';
import { ApiError } from '../api-error';
import { callerOf, refuseForeignAccount, type Caller } from '../authorize';
import type { ApiContext, ApiServer } from '../context';
import { operation } from '../openapi';
import { documentParams, eventStreamHeaders, listQuery, orderParams } from '../request-schemas';
import { endIdOf, shipmentEvents } from '../shipment-events';
import { sendEvents, type EventStreams } from '../event-stream';

/** Follow shipments, and read their documents. */
export function addShipmentRoutes(api: ApiServer, context: ApiContext, streams: EventStreams): void {
  const { shipments, files } = context;

  api.get(
    '/shipments',
    {
      config: { scopes: ['read'] },
      schema: {
        ...operation({
          id: 'listShipments',
          summary: 'List orders, each once by its last run',
          description:
            'Open ones first, then those that ended, each group with the newest first. An order that changes between two pages may be on both.',
          tag: 'shipments',
          answers: { 200: answers.shipmentPage },
        }),
        querystring: listQuery,
      },
    },
    async (request) => {
      const { limit, cursor, ...filter } = request.query;
      return await shipments.page({ query: queryOf(callerOf(request), filter), limit, cursor });
    },
  );

  api.get(
    '/shipments/:account/:orderId',
    {
      config: { scopes: ['read'] },
      schema: {
        ...operation({
          id: 'getShipment',
          summary: 'Read one shipment',
          tag: 'shipments',
          answers: { 200: answers.shipmentView },
        }),
        params: orderParams,
      },
    },
    async ({ params: { account, orderId } }) => await shipments.get(account, orderId),
  );

  api.get(
    '/shipments/:account/:orderId/order',
    {
      config: { scopes: ['read'] },
      schema: {
        ...operation({
          id: 'getOrder',
          summary: 'Read the order of a shipment, as it was last revised',
          description: 'With contacts and addresses. A worker answers it.',
          tag: 'shipments',
          answers: { 200: answers.shipmentOrder },
        }),
        params: orderParams,
      },
    },
    async ({ params: { account, orderId } }) => await shipments.order(account, orderId),
  );

  addEventStream(api, context, streams);

  api.get(
    '/shipments/:account/:orderId/documents',
    {
      config: { scopes: ['read'] },
      schema: {
        ...operation({
          id: 'listDocuments',
          summary: 'List the documents of a shipment',
          tag: 'shipments',
          answers: { 200: answers.shipmentDocuments },
        }),
        params: orderParams,
      },
    },
    async ({ params: { account, orderId } }) => await shipments.documents(account, orderId),
  );

  api.get(
    '/shipments/:account/:orderId/documents/:sha256',
    {
      config: { scopes: ['read'] },
      schema: {
        ...operation({
          id: 'getDocument',
          summary: 'Read the content of a document',
          tag: 'shipments',
          answers: { 200: z.string().meta({ format: 'binary' }) },
          mediaType: 'application/octet-stream',
        }),
        params: documentParams,
      },
    },
    async ({ params: { account, orderId, sha256 } }, reply) => {
      const { stored } = await shipments.documents(account, orderId);
      const document = stored.find((one) => one.sha256 === sha256);
      if (document === undefined)
        throw new ApiError('documentNotFound', 'The shipment has no document with this SHA-256.');
      const content = await files.get(sha256);
      const name = encodeURIComponent(savedNameOf(document));
      return await reply
        .type(document.contentType)
        .header('content-disposition', `attachment; filename*=UTF-8''${name}`)
        .send(Buffer.from(content));
    },
  );
}

function addEventStream(api: ApiServer, { shipments }: ApiContext, streams: EventStreams): void {
  api.get(
    '/shipments/:account/:orderId/events',
    {
      config: { scopes: ['read'] },
      schema: {
        ...operation({
          id: 'followShipment',
          summary: 'Follow a shipment as server-sent events',
          description:
            'Events `shipment` have the shipment as data, whenever it differs. Event `end` is the last one, and `problem` ends a stream that cannot go on. Connect again with `Last-Event-ID`: after the end the answer is 204.',
          tag: 'shipments',
          answers: { 200: z.string(), 204: z.string() },
          mediaType: 'text/event-stream',
        }),
        params: orderParams,
        headers: eventStreamHeaders,
      },
    },
    async (request, reply) => {
      const { account, orderId } = request.params;
      const lastEventId = request.headers['last-event-id'];
      const signal = streams.enter(reply);
      const views = shipments.watch(account, orderId, { signal });
      const first = await views.next();
      if (first.done === true) return await reply.code(204).send();
      if (!isOpen(first.value) && lastEventId === endIdOf(first.value)) return await reply.code(204).send();
      return await sendEvents(reply, shipmentEvents(first.value, views, lastEventId), streams.limits);
    },
  );
}

type Filter = Omit<z.output<typeof listQuery>, 'limit' | 'cursor'>;

/** A filter in Temporal's visibility language. Every value has passed its schema: none contains a quote. */
function queryOf(
  caller: Caller,
  { account, kind, phase, state, needsAttention, listingId, search }: Filter,
): string {
  const parts = [
    accountsQuery(caller, account),
    kind === undefined ? null : `ShipmentKind = '${kind}'`,
    phase === undefined ? null : `ShipmentPhase = '${phase}'`,
    state === undefined ? null : `ExecutionStatus ${state === 'open' ? '=' : '!='} 'Running'`,
    needsAttention === undefined ? null : `NeedsAttention = ${needsAttention}`,
    listingId === undefined ? null : `ListingId = '${listingId}'`,
    search === undefined
      ? null
      : `(OrderId STARTS_WITH '${search}' OR ListingId = '${search}' OR ReferenceNumbers = '${search}')`,
  ];
  return parts.filter((part) => part !== null).join(' AND ');
}

/** The accounts that a caller asks about. @throws ApiError with 403 when the token is not for one */
export function chosenAccounts(caller: Caller, account: string | undefined): readonly string[] {
  if (account === undefined) return caller.accounts;
  refuseForeignAccount(caller, account);
  return [account];
}

/** Pauses of an account have no search attribute of it; their workflow id names it. */
export function accountsQuery(caller: Caller, account: string | undefined): string {
  const names = chosenAccounts(caller, account).filter(isAccountName);
  const listed = (texts: readonly string[]): string => texts.map((text) => `'${text}'`).join(', ');
  const pauses = names.map(accountPauseWorkflowId);
  return `(Account IN (${listed(names)}) OR WorkflowId IN (${listed(pauses)}))`;
}
