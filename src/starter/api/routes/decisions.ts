import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Statement } from '../../../contract/messages';
import type { OrderKey } from '../../../domain/workflow-id';
import { toQuestionAnswer } from '../../client/answer-question';
import type { PreparedOrder } from '../../client/prepare-order';
import * as answers from '../answer-schemas';
import { callerOf, type Caller } from '../authorize';
import type { ApiContext, ApiServer } from '../context';
import { operation } from '../openapi';
import { prepareSentOrder } from '../order-of-request';
import {
  accountParams,
  acknowledgeBody,
  answerBody,
  listingParams,
  orderParams,
  previewBody,
  reviseBody,
  statementBody,
} from '../request-schemas';

/** The name of the token is who decides. */
const statementOf = ({ name }: Caller, { reason }: { readonly reason: string }): Statement => ({
  by: name,
  reason,
});

/** A request with a corrected order. */
type RevisionRequest = Pick<FastifyRequest, 'caller'> & {
  readonly params: OrderKey;
  readonly body: z.output<typeof previewBody>;
};

/** Decide as a person does. */
export function addDecisionRoutes(api: ApiServer, context: ApiContext): void {
  const { shipments, accounts } = context;
  const config = { scopes: ['decide'] } as const;
  const revised = async (request: RevisionRequest): Promise<PreparedOrder> => {
    const { order: document, keepUnnamed } = request.body;
    const { account, orderId } = request.params;
    const kept = keepUnnamed
      ? {
          shipment: await shipments.order(account, orderId),
          policy: await shipments.policy(account, orderId),
        }
      : undefined;
    const sent = { document, caller: callerOf(request), named: request.params, root: '$.order', kept };
    return await prepareSentOrder(sent, context);
  };
  const accepted = { tag: 'decisions', answers: { 200: answers.receipt } } as const;

  api.post(
    '/shipments/:account/:orderId/answer',
    {
      config,
      schema: {
        ...operation({
          ...{ id: 'answerQuestion', summary: 'Answer the open question of a shipment', ...accepted },
          description:
            'Each question lists the answers that it takes. Repeating an answer has no further effect. `resend` and `abandon` must name the question.',
        }),
        params: orderParams,
        body: answerBody,
      },
    },
    async (request) => {
      const { account, orderId } = request.params;
      const { name: by } = callerOf(request);
      return await shipments.answer(account, orderId, toQuestionAnswer({ ...request.body, by }));
    },
  );

  api.post(
    '/shipments/:account/:orderId/revise',
    {
      config,
      schema: {
        ...operation({
          id: 'reviseOrder',
          summary: 'Answer the open question with a corrected order, or change the open listing',
          tag: 'decisions',
          answers: { 200: answers.revision },
        }),
        params: orderParams,
        body: reviseBody,
      },
    },
    async (request) => {
      const { reason, questionId } = request.body;
      const order = await revised(request);
      return await shipments.revise(order, { by: callerOf(request).name, reason, questionId });
    },
  );

  api.post(
    '/shipments/:account/:orderId/revise/preview',
    {
      config,
      schema: {
        ...operation({
          id: 'previewRevision',
          summary: 'Say what a corrected order would do; changes nothing',
          description: 'Refused as the revision would be. A worker answers it.',
          tag: 'decisions',
          answers: { 200: answers.revisionPreview },
        }),
        params: orderParams,
        body: previewBody,
      },
    },
    async (request) => await shipments.previewRevision(await revised(request)),
  );

  api.post(
    '/shipments/:account/:orderId/cancel',
    {
      config,
      schema: {
        ...operation({ id: 'cancelOrder', summary: 'Withdraw an order that is not booked', ...accepted }),
        params: orderParams,
        body: statementBody,
      },
    },
    async (request) => {
      const { account, orderId } = request.params;
      return await shipments.cancel(account, orderId, statementOf(callerOf(request), request.body));
    },
  );

  api.post(
    '/shipments/:account/:orderId/documents/retry',
    {
      config,
      schema: {
        ...operation({
          ...{ id: 'retryDocuments', summary: 'Request the missing documents again', ...accepted },
        }),
        params: orderParams,
        body: statementBody,
      },
    },
    async (request) => {
      const { account, orderId } = request.params;
      return await shipments.retryDocuments(account, orderId, statementOf(callerOf(request), request.body));
    },
  );

  api.post(
    '/shipments/:account/:orderId/acknowledge',
    {
      config,
      schema: {
        ...operation({
          id: 'acknowledge',
          summary: 'Record that a late event, or an unclear end, was handled',
          ...accepted,
        }),
        params: orderParams,
        body: acknowledgeBody,
      },
    },
    async (request) => {
      const { account, orderId } = request.params;
      const { listingId } = request.body;
      const by = statementOf(callerOf(request), request.body);
      return await shipments.acknowledge(account, orderId, { ...by, listingId });
    },
  );

  api.post(
    '/accounts/:account/retry',
    {
      config,
      schema: {
        ...operation({
          id: 'retryAccount',
          summary: 'Resume the shipments that are paused because of an account',
          ...accepted,
        }),
        params: accountParams,
        body: statementBody,
      },
    },
    async (request) => {
      const { account } = request.params;
      return await shipments.retryAccount(account, statementOf(callerOf(request), request.body));
    },
  );

  api.post(
    '/accounts/:account/listings/:listingId/replay',
    {
      config,
      schema: {
        ...operation({
          id: 'replayEvent',
          summary: 'Find the order that a listing belongs to, and deliver its event',
          tag: 'decisions',
          answers: { 200: answers.replayedEvent },
        }),
        params: listingParams,
      },
    },
    async ({ params: { account: name, listingId } }) => {
      const account = { name, environment: accounts.environmentOf(name) };
      return await shipments.replayEvent(account, listingId);
    },
  );
}
