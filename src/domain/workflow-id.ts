const ORDER_ID = /^[A-Za-z0-9._-]{1,50}$/;
const ACCOUNT = /^[a-z0-9][a-z0-9-]{0,39}$/;

/** An order id may stand in a workflow id, a URL and the marketplace's reference number as it is. */
export function isOrderId(text: string): boolean {
  return ORDER_ID.test(text);
}

/** Account names are lower case letters, digits and dashes, so that they are safe in queue names and URLs. */
export function isAccountName(text: string): boolean {
  return ACCOUNT.test(text);
}

/** The order id that is nearest to `text` and allowed, to suggest in an error. */
export function cleanOrderId(text: string): string {
  return text
    .trim()
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, 50);
}

/** The order's name at the marketplace: the number of its `ThirdPartyOrderNumber` reference. */
export function orderReference(account: string, orderId: string): string {
  return `${account}/${orderId}`;
}

export interface OrderKey {
  readonly account: string;
  readonly orderId: string;
}

/** Reads `<account>/<orderId>`; null when it is not one of ours. */
export function parseOrderReference(text: string): OrderKey | null {
  const [account, orderId, ...rest] = text.split('/');
  if (account === undefined || orderId === undefined || rest.length > 0) return null;
  return isAccountName(account) && isOrderId(orderId) ? { account, orderId } : null;
}

/** One id for both kinds, so that an order cannot be booked once as furniture and once as LTL. */
export function shipmentWorkflowId(account: string, orderId: string): string {
  return `shipment/${orderReference(account, orderId)}`;
}

/** @returns null for the id of any other workflow */
export function parseShipmentWorkflowId(workflowId: string): OrderKey | null {
  return workflowId.startsWith('shipment/')
    ? parseOrderReference(workflowId.slice('shipment/'.length))
    : null;
}

/** Quotes book nothing, so that each has an id of its own. */
export function quoteWorkflowId(account: string, orderId: string, unique: string): string {
  return `quote/${orderReference(account, orderId)}/${unique}`;
}

export function conformanceWorkflowId(account: string, unique: string): string {
  return `conformance/${account}/${unique}`;
}

/** One for each account, so that its trouble is one question. */
export function accountPauseWorkflowId(account: string): string {
  return `account/${account}`;
}

/** In the place of an order id, where all orders of an account are meant; no order can have it. */
const ALL_ORDERS = '(all)';

/** @returns the account and, for its orders, all of them; null for the id of any other workflow */
export function parseAccountPauseWorkflowId(workflowId: string): OrderKey | null {
  const account = workflowId.startsWith('account/') ? workflowId.slice('account/'.length) : '';
  return isAccountName(account) ? { account, orderId: ALL_ORDERS } : null;
}

export function unroutedEventWorkflowId(account: string, listingId: string): string {
  return `unroutedEvent/${account}/${listingId}`;
}

/** @returns null for the id of any other workflow */
export function parseUnroutedEventWorkflowId(
  workflowId: string,
): { readonly account: string; readonly listingId: string } | null {
  const [kind, account, listingId, ...rest] = workflowId.split('/');
  if (kind !== 'unroutedEvent' || account === undefined || listingId === undefined || rest.length > 0)
    return null;
  return { account, listingId };
}

/** One for each run that Temporal ended: the next one that ends is seen to by itself. */
export function endAcknowledgedWorkflowId(account: string, orderId: string, runId: string): string {
  return `endAcknowledged/${orderReference(account, orderId)}/${runId}`;
}

const UNNAMED = 'unnamed';

/** Of an event of an order that is over; `listingId` is null when nothing names the listing. */
export function lateEventWorkflowId(account: string, orderId: string, listingId: string | null): string {
  return `lateEvent/${orderReference(account, orderId)}/${listingId ?? UNNAMED}`;
}

/** @returns null for the id of any other workflow */
export function parseLateEventWorkflowId(
  workflowId: string,
): (OrderKey & { readonly listingId: string | null }) | null {
  const [kind, account, orderId, listingId, ...rest] = workflowId.split('/');
  if (kind !== 'lateEvent' || listingId === undefined || rest.length > 0) return null;
  const order = parseOrderReference(`${account ?? ''}/${orderId ?? ''}`);
  return order === null ? null : { ...order, listingId: listingId === UNNAMED ? null : listingId };
}
