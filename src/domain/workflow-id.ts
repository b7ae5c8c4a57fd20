export const ORDER_ID = /^[A-Za-z0-9._-]{1,50}$/;
export const ACCOUNT_NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;

/** An order id is used unchanged in workflow ids, URLs and the marketplace's reference number. */
export function isOrderId(text: string): boolean {
  return ORDER_ID.test(text);
}

/** Lower case letters, digits and dashes, which are safe in queue names and URLs. */
export function isAccountName(text: string): boolean {
  return ACCOUNT_NAME.test(text);
}

/** The nearest allowed order id, to suggest in an error. */
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

/** Reads `<account>/<orderId>`; null when the text has another form. */
export function parseOrderReference(text: string): OrderKey | null {
  const [account, orderId, ...rest] = text.split('/');
  if (account === undefined || orderId === undefined || rest.length > 0) return null;
  return isAccountName(account) && isOrderId(orderId) ? { account, orderId } : null;
}

/** The same id for both kinds, so an order cannot be booked once as furniture and once as LTL. */
export function shipmentWorkflowId(account: string, orderId: string): string {
  return `shipment/${orderReference(account, orderId)}`;
}

/** @returns null for the id of any other workflow */
export function parseShipmentWorkflowId(workflowId: string): OrderKey | null {
  return workflowId.startsWith('shipment/')
    ? parseOrderReference(workflowId.slice('shipment/'.length))
    : null;
}

/** A quote books nothing, so each one has its own id. */
export function quoteWorkflowId(account: string, orderId: string, unique: string): string {
  return `quote/${orderReference(account, orderId)}/${unique}`;
}

export function conformanceWorkflowId(account: string, unique: string): string {
  return `conformance/${account}/${unique}`;
}

/** One workflow for each account, so its trouble is one question. */
export function accountPauseWorkflowId(account: string): string {
  return `account/${account}`;
}

/** Stands for all orders of an account where an order id is expected; no order can have this id. */
const ALL_ORDERS = '(all)';

/** @returns the account, with a placeholder for all its orders; null for the id of any other workflow */
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

/** One workflow for each order: its notifications reach each endpoint in their order. */
export function notificationsWorkflowId({ account, orderId }: OrderKey): string {
  return `notifications/${orderReference(account, orderId)}`;
}

/** One workflow for each run that Temporal ended: acknowledging one run does not cover the next. */
export function endAcknowledgedWorkflowId(account: string, orderId: string, runId: string): string {
  return `endAcknowledged/${orderReference(account, orderId)}/${runId}`;
}

/** The account in the id of a workflow that is about one; null for the id of any other workflow. */
export function accountOfWorkflow(workflowId: string): string | null {
  const [, account = ''] = workflowId.split('/');
  return isAccountName(account) ? account : null;
}

/** What the ids of all workflows about events of an account begin with. */
export function eventWorkflowPrefixes(account: string): readonly string[] {
  return [`unroutedEvent/${account}/`, `lateEvent/${account}/`];
}

/** One workflow for each key of a request. @param digest of the key, because a key may have any form */
export function idempotencyKeyWorkflowId(digest: string): string {
  return `idempotencyKey/${digest}`;
}

const UNNAMED = 'unnamed';

/** For events of a finished order; `listingId` is null when nothing names the listing. */
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
