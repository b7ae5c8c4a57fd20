import { useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { createContext, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import type { ListVersions } from '../src/starter/client/list-versions';
import { ApiProblem, isWorthRepeating, type Caller } from './api';
import { readEvents, RECONNECT_MS } from './event-stream';
import { useSession } from './session';

/** Whether the API reports changes of lists now. Otherwise pages read them every so often. */
export const LiveListsContext = createContext(false);

/** The path of the API that answers each list. */
const PATHS: Readonly<Record<keyof ListVersions, string>> = {
  attention: '/attention',
  shipments: '/shipments',
  events: '/events',
};

/** Reads lists again when they have changed, by one stream while the tab is visible. */
export function LiveLists({ children }: { readonly children: ReactNode }): ReactNode {
  const session = useSession();
  const queries = useQueryClient();
  const [isLive, setIsLive] = useState(false);
  // A browser opens only six connections to a server without HTTP/2: hidden tabs must not hold them.
  const isVisible = useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible');
  useEffect(() => {
    if (!isVisible) return undefined;
    const stop = new AbortController();
    void follow(session, { queries, signal: stop.signal, setIsLive });
    return () => {
      stop.abort();
      setIsLive(false);
    };
  }, [session, queries, isVisible]);
  return <LiveListsContext value={isLive}>{children}</LiveListsContext>;
}

function onVisibility(change: () => void): () => void {
  document.addEventListener('visibilitychange', change);
  return () => document.removeEventListener('visibilitychange', change);
}

interface Following {
  readonly queries: QueryClient;
  readonly signal: AbortSignal;
  readonly setIsLive: (isLive: boolean) => void;
}

/** Connects again until the API refuses, or the page is left. */
async function follow(caller: Caller, { queries, signal, setIsLive }: Following): Promise<void> {
  let known: Partial<ListVersions> = {};
  while (!signal.aborted) {
    try {
      await readEvents(caller, '/changes', {
        signal,
        onEvent: ({ event, data }) => {
          if (event !== 'lists') return;
          const versions = JSON.parse(data) as ListVersions;
          // At first all of them: a list may have changed since the page read it.
          for (const list of ['attention', 'shipments', 'events'] as const)
            if (versions[list] !== known[list])
              void queries.invalidateQueries({ predicate: shows(PATHS[list]) });
          known = versions;
          setIsLive(true);
        },
      });
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiProblem && !isWorthRepeating(error)) return setIsLive(false);
    }
    if (signal.aborted) return;
    setIsLive(false);
    await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
  }
}

/** Whether a query reads this list. More pages than one are read again only when the person asks. */
const shows =
  (path: string) =>
  ({
    queryKey,
    state,
  }: {
    readonly queryKey: QueryKey;
    readonly state: { readonly data: unknown };
  }): boolean =>
    queryKey[1] === path && !hasSeveralPages(state.data);

const hasSeveralPages = (data: unknown): boolean =>
  typeof data === 'object' &&
  data !== null &&
  'pages' in data &&
  Array.isArray(data.pages) &&
  data.pages.length > 1;
