import * as answers from '../answer-schemas';
import { callerOf } from '../authorize';
import type { ApiContext, ApiServer } from '../context';
import { operation } from '../openapi';
import { accountQuery, eventsQuery, orderParams } from '../request-schemas';
import { accountsQuery, chosenAccounts } from './shipments';

/** What needs a person, and events that no running shipment received. */
export function addAttentionRoutes(api: ApiServer, { shipments }: ApiContext): void {
  const config = { scopes: ['read'] } as const;

  api.get(
    '/attention',
    {
      config,
      schema: {
        ...operation({
          id: 'getAttention',
          summary: 'List everything that needs a person',
          tag: 'attention',
          answers: { 200: answers.attentionReport },
        }),
        querystring: accountQuery,
      },
    },
    async (request) => {
      const query = accountsQuery(callerOf(request), request.query.account);
      return await shipments.attention({ query });
    },
  );

  api.get(
    '/events',
    {
      config,
      schema: {
        ...operation({
          id: 'listEvents',
          summary: 'List events that no running shipment received',
          tag: 'attention',
          answers: { 200: answers.eventPage },
        }),
        querystring: eventsQuery,
      },
    },
    async (request) => {
      const { account, kind, limit, cursor } = request.query;
      const accounts = chosenAccounts(callerOf(request), account);
      const kinds = kind === undefined ? undefined : [kind];
      return await shipments.eventPage({ accounts, kinds, limit, cursor });
    },
  );

  api.get(
    '/shipments/:account/:orderId/late-events',
    {
      config,
      schema: {
        ...operation({
          id: 'listLateEvents',
          summary: 'List the events of an order that arrived after its end',
          tag: 'attention',
          answers: { 200: answers.lateEventList },
        }),
        params: orderParams,
      },
    },
    async ({ params: { account, orderId } }) => ({
      events: await shipments.lateEvents(account, orderId),
    }),
  );
}
