import {
  useInfiniteQuery,
  useQuery,
  useQueryClient,
  type InfiniteData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { use } from 'react';
import type { AccountOverview } from '../src/starter/client/account-overview';
import type { AttentionReport } from '../src/starter/client/attention';
import type { DueReport } from '../src/starter/client/due-shipments';
import type { EventPage } from '../src/starter/client/event-client';
import type { ShipmentView } from '../src/starter/client/get-shipment';
import type { ShipmentPage } from '../src/starter/client/list-shipments';
import type { ShipmentDocuments } from '../src/starter/client/order-documents';
import type { Shipment } from '../src/domain/shipment';
import { json, query, shipmentPath } from './api';
import { LiveListsContext } from './live-lists';
import { useSession } from './session';

/** Reads a path of the API, and again every so often while the page is visible. */
function useRead<T>(place: string, everyMs: number | false, isWanted = true): UseQueryResult<T> {
  const session = useSession();
  return useQuery({
    queryKey: ['read', place],
    queryFn: async ({ signal }) => await json<T>(session, place, { signal }),
    refetchInterval: everyMs,
    enabled: isWanted,
  });
}

/** How often a list is read: seldom while the API reports its changes. Milliseconds. */
const useListPace = (): number => (use(LiveListsContext) ? 60_000 : 15_000);

/** It describes hundreds of workflows, so it is not read more often. A decision makes it be read at once. */
export const useAttention = () => useRead<AttentionReport>('/attention', useListPace());

type Filter = Readonly<Record<string, string | undefined>>;

/** A list of the API, page by page. */
function usePages<P extends { readonly next: string | null }>(
  place: string,
  filter: Filter,
): UseInfiniteQueryResult<InfiniteData<P>> {
  const session = useSession();
  const everyMs = useListPace();
  return useInfiniteQuery({
    queryKey: ['pages', place, filter],
    queryFn: async ({ pageParam, signal }) =>
      await json<P>(session, `${place}${query({ ...filter, limit: '100', cursor: pageParam })}`, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    // More pages than one are read again only when the person asks: each is a query of the server.
    refetchInterval: (state) => (state.state.data?.pages.length === 1 ? everyMs : false),
    placeholderData: (before) => before,
  });
}
export const useShipments = (filter: Filter) => usePages<ShipmentPage>('/shipments', filter);
export const useEvents = (filter: Filter) => usePages<EventPage>('/events', filter);
/** @param version what the list says of the shipment: it is read again when that changes */
export function useShipment(account: string, orderId: string, version: string): UseQueryResult<ShipmentView> {
  const session = useSession();
  const place = shipmentPath(account, orderId);
  return useQuery({
    queryKey: ['shipment', place, version],
    queryFn: async ({ signal }) => await json<ShipmentView>(session, place, { signal }),
    placeholderData: (before) => before,
  });
}
export const useOrder = (account: string, orderId: string) =>
  useRead<Shipment>(`${shipmentPath(account, orderId)}/order`, false);
export const useDocuments = (account: string, orderId: string, isWanted: boolean) =>
  useRead<ShipmentDocuments>(`${shipmentPath(account, orderId)}/documents`, 10_000, isWanted);
export const useDue = (on: string) => useRead<DueReport>(`/due${query({ on })}`, 60_000);
/** @param shipments at how many of the newest of each account the events are measured */
export const useAccounts = (shipments: string) =>
  useRead<{ accounts: readonly AccountOverview[] }>(`/accounts${query({ shipments })}`, 60_000);

/** Reads everything again, after a decision. */
export function useRefresh(): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries();
}
