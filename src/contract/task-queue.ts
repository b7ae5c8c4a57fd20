/** Workflows of shipments. */
export const SHIPMENTS_QUEUE = 'shipments';

/** Workflows that find the order of an event. They have their own queue, so a flood of events starves no shipment. */
export const UNROUTED_EVENTS_QUEUE = 'unrouted-events';

/** Marketplace calls of one account. Each account has its own queue, so accounts cannot starve each other. */
export function marketplaceQueue(account: string): string {
  return `marketplace/${account}`;
}

/**
 * Requests to the endpoints of one account. Beside the account's marketplace calls, so a slow endpoint delays neither
 * those nor another account's notifications.
 */
export function notificationsQueue(account: string): string {
  return `notifications/${account}`;
}
