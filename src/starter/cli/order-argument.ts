import { Argument } from 'commander';
import {
  parseLateEventWorkflowId,
  parseOrderReference,
  parseShipmentWorkflowId,
  type OrderKey,
} from '../../domain/workflow-id';

/** The order that a command is about. */
export const orderArgument = (): Argument =>
  new Argument(
    '<order>',
    '<account>/<orderId>, or only the order id when there is one account; also its workflow id, or its link in the web UI',
  );

const IS_LINK = /^https?:\/\//i;
/** What follows the workflow's id in a link: the run, and the page of it. */
const ORDER_OF_PATH = /\/workflows\/(?:shipment|lateEvent)\/([^/]+\/[^/]+)/;

/**
 * Reads the order that a person names, in each form in which people meet it: `<account>/<orderId>`, a workflow id, or
 * the address of its page in Temporal's web UI, where the slashes of the id are encoded.
 * @returns null when it is none of these; it may be an order id alone
 */
export function readOrderName(text: string): OrderKey | null {
  const name = decoded(text.trim());
  if (name === null) return null;
  if (IS_LINK.test(name)) return parseOrderReference(ORDER_OF_PATH.exec(name)?.[1] ?? '');
  const late = parseLateEventWorkflowId(name);
  if (late !== null) return { account: late.account, orderId: late.orderId };
  return parseShipmentWorkflowId(name) ?? parseOrderReference(name);
}

/** Decoding does not change a plain name, because an order id contains no percent sign. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text.split(/[?#]/, 1)[0] ?? '');
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
