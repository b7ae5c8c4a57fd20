import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import type { AccountOverview } from '../src/starter/client/account-overview';
import type { AttentionReport } from '../src/starter/client/attention';
import type { DueReport } from '../src/starter/client/due-shipments';
import type { EventSummary } from '../src/starter/client/event-client';
import type { ShipmentView } from '../src/starter/client/get-shipment';
import type { ShipmentDocuments } from '../src/starter/client/order-documents';
import type { Shipment } from '../src/domain/shipment';
import { json, query, shipmentPath } from './api';
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

/** It describes hundreds of workflows, so it is not read more often. A decision makes it be read at once. */
export const useAttention = () => useRead<AttentionReport>('/attention', 15_000);
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
export const useAccounts = () => useRead<{ accounts: readonly AccountOverview[] }>('/accounts', 60_000);
export const useEvents = (kind: string | undefined) =>
  useRead<{ events: readonly EventSummary[] }>(`/events${query({ kind, limit: '200' })}`, 15_000);

/** Reads everything again, after a decision. */
export function useRefresh(): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries();
}
