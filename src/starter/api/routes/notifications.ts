import { SecretError } from '../../../platform/secret-reference';
import { testNotifications } from '../../client/test-notifications';
import * as answers from '../answer-schemas';
import { ApiError } from '../api-error';
import type { ApiContext, ApiServer } from '../context';
import { operation } from '../openapi';
import { accountParams, endpointQuery, orderParams, replayQuery } from '../request-schemas';

/** The delivery log of an order's notifications, and what a person does about an endpoint. */
export function addNotificationRoutes(api: ApiServer, { shipments, accounts, log }: ApiContext): void {
  const config = { scopes: ['decide'] } as const;

  api.get(
    '/shipments/:account/:orderId/notifications',
    {
      config: { scopes: ['read'] },
      schema: {
        ...operation({
          id: 'listNotifications',
          summary: "Read the delivery log of an order's notifications",
          description: 'The newest 50 deliveries, and what waits. A worker answers it.',
          tag: 'notifications',
          answers: { 200: answers.notificationLog },
        }),
        params: orderParams,
      },
    },
    async ({ params: { account, orderId } }) => await shipments.notifications(account, orderId),
  );

  api.post(
    '/shipments/:account/:orderId/notifications/replay',
    {
      config,
      schema: {
        ...operation({
          id: 'replayNotifications',
          summary: 'Send notifications of an order again, with the same ids',
          description: 'Also after the order has ended. A receiver knows repeated events by their ids.',
          tag: 'notifications',
          answers: { 200: answers.replayedNotifications },
        }),
        params: orderParams,
        querystring: replayQuery,
      },
    },
    async ({ params: { account, orderId }, query: { from } }) => ({
      count: await shipments.replayNotifications(account, orderId, from),
    }),
  );

  api.post(
    '/accounts/:account/notifications/retry',
    {
      config,
      schema: {
        ...operation({
          id: 'retryNotifications',
          summary: 'Try endpoints that fail or are paused again at once, for all orders that wait',
          tag: 'notifications',
          answers: { 200: answers.retriedNotifications },
        }),
        params: accountParams,
        querystring: endpointQuery,
      },
    },
    async ({ params: { account }, query: { endpoint } }) => ({
      orders: await shipments.retryNotifications(account, endpoint),
    }),
  );

  api.post(
    '/accounts/:account/notifications/test',
    {
      config,
      schema: {
        ...operation({
          id: 'testNotifications',
          summary: 'Send a test event from the process of the API to endpoints of an account',
          description: 'Each endpoint has 15 seconds to answer. The event names no order.',
          tag: 'notifications',
          answers: { 200: answers.testedNotifications },
        }),
        params: accountParams,
        querystring: endpointQuery,
      },
    },
    async ({ params: { account }, query: { endpoint } }) => {
      try {
        return { endpoints: await testNotifications(accounts, account, endpoint) };
      } catch (error) {
        if (!(error instanceof SecretError)) throw error;
        // It names a file or a variable of this machine, which is nobody's business but the operator's.
        log.error({ reason: error.message }, 'the secret of an endpoint cannot be read');
        throw new ApiError('invalidSettings', error.message);
      }
    },
  );
}
