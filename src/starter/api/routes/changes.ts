import { z } from 'zod';
import type { ListVersions } from '../../client/list-versions';
import { callerOf } from '../authorize';
import type { ApiContext, ApiServer } from '../context';
import { frame, sendEvents, type EventStreams } from '../event-stream';
import { ListChanges } from '../list-changes';
import { operation } from '../openapi';

/** Follow the lists. */
export function addChangeRoutes(
  api: ApiServer,
  { shipments, accounts }: ApiContext,
  streams: EventStreams,
): void {
  const named = [...new Set(accounts.apiTokens.flatMap((token) => token.accounts))];
  const changes = new ListChanges(
    async () => await shipments.listVersions(named),
    streams.limits.listsEveryMs,
  );
  api.addHook('onClose', async () => await changes.settled());

  api.get(
    '/changes',
    {
      config: { scopes: ['read'] },
      schema: {
        ...operation({
          id: 'followLists',
          summary: 'Follow the changes of lists as server-sent events',
          description:
            'An event `lists` has a version of each list as data: at first, and whenever one differs. Read the list whose version is another one than before. `problem` ends a stream that cannot go on.',
          tag: 'overview',
          answers: { 200: z.string() },
          mediaType: 'text/event-stream',
        }),
      },
    },
    async (request, reply) => {
      const versions = changes.follow(callerOf(request).accounts, streams.enter(reply));
      // Without Temporal the answer is a problem, and no stream.
      const first = await versions.next();
      return await sendEvents(reply, listEvents(first, versions), streams.limits);
    },
  );
}

async function* listEvents(
  first: IteratorResult<ListVersions, void>,
  rest: AsyncIterable<ListVersions>,
): AsyncGenerator<string, void, void> {
  if (first.done === true) return;
  yield frame('lists', first.value);
  for await (const versions of rest) yield frame('lists', versions);
}
