import type { Client } from '@temporalio/client';
import type { Statement } from '../../contract/messages';
import { orderReference, type OrderKey } from '../../domain/workflow-id';
import { NothingToAcknowledgeError, SeveralListingsError } from './errors';
import { EventClient } from './event-client';
import { ACCEPTED, confirmed, type Receipt } from './request';
import { acknowledgeEnd, findUnclearEnd } from './unclear-ends';

/** Who handled it, and what was done. */
export interface Acknowledgement extends Statement {
  /** Required when several listings of the order need a person. */
  readonly listingId?: string | undefined;
}

/**
 * Records that a person has handled a late event of an order, or an end that may have left a booking.
 * @throws NothingToAcknowledgeError, SeveralListingsError, RefusedError, ShipmentEndedError, NotConfirmedError
 */
export async function acknowledge(
  client: Client,
  order: OrderKey,
  { by, reason, listingId: named }: Acknowledgement,
): Promise<Receipt> {
  const events = new EventClient(client);
  const asking = (await events.lateEventsOf(order)).filter(
    ({ needsAttention, listingId }) => needsAttention && (named === undefined || listingId === named),
  );
  const [only] = asking;
  if (only === undefined) {
    const end = await findUnclearEnd(client, order);
    if (end === null) {
      const name = orderReference(order.account, order.orderId);
      throw new NothingToAcknowledgeError(`${name} has nothing to acknowledge.`);
    }
    await acknowledgeEnd(client, end, { by, reason });
    return ACCEPTED;
  }
  if (asking.length > 1) throw new SeveralListingsError(asking.map(({ listingId }) => listingId));
  const { listingId } = only;
  return await confirmed(
    client,
    { what: 'acknowledgement' },
    async () => await events.acknowledge({ ...order, listingId }, { by, reason }),
  );
}
