import * as answers from '../answer-schemas';
import { callerOf } from '../authorize';
import type { ApiContext, ApiServer } from '../context';
import { operation } from '../openapi';
import { dueQuery, overviewQuery } from '../request-schemas';
import { accountsQuery, chosenAccounts } from './shipments';

/** What the token may do, what is due on a day, and how the accounts are. */
export function addOverviewRoutes(api: ApiServer, { shipments }: ApiContext): void {
  const config = { scopes: ['read'] } as const;

  api.get(
    '/token',
    {
      config: { scopes: [] },
      schema: {
        ...operation({
          id: 'getToken',
          summary: 'Read what the token may do',
          tag: 'overview',
          answers: { 200: answers.tokenFacts },
        }),
      },
    },
    async (request) => {
      const { name, scopes, accounts } = callerOf(request);
      return await Promise.resolve({ name, scopes, accounts });
    },
  );

  api.get(
    '/due',
    {
      config,
      schema: {
        ...operation({
          id: 'listDue',
          summary: 'List pickups and deliveries that are due on a day, what is late, and what has no papers',
          description: 'With the phones of the carriers. A worker answers for each open shipment.',
          tag: 'overview',
          answers: { 200: answers.dueReport },
        }),
        querystring: dueQuery,
      },
    },
    async (request) => {
      const { account, on = new Date().toISOString().slice(0, 10) } = request.query;
      return await shipments.due({ on, query: accountsQuery(callerOf(request), account) });
    },
  );

  api.get(
    '/accounts',
    {
      config,
      schema: {
        ...operation({
          id: 'listAccounts',
          summary: 'List the accounts of the token: paused or not, and what became of their events',
          tag: 'overview',
          answers: { 200: answers.accountList },
        }),
        querystring: overviewQuery,
      },
    },
    async (request) => {
      const { account, shipments: measured } = request.query;
      const names = chosenAccounts(callerOf(request), account);
      const read = async (name: string) => await shipments.accountOverview(name, measured);
      return { accounts: await Promise.all(names.map(read)) };
    },
  );
}
