/** Workflows of shipments. */
export const SHIPMENTS_QUEUE = 'shipments';

/** Workflows that find out whose an event is; of their own, so that a flood of events starves no shipment. */
export const UNROUTED_EVENTS_QUEUE = 'unrouted-events';

/** Calls of one account to the marketplace; of their own, so that accounts cannot starve each other. */
export function marketplaceQueue(account: string): string {
  return `marketplace/${account}`;
}
