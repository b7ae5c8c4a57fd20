import type { NotificationSender } from '../../src/activities/dependencies';
import type { News, Notification } from '../../src/domain/notifications';

/** A notification of the order `acme/SO-1`. */
export function aNotification(
  number: number,
  news: News = { kind: 'booked' },
  runId = 'run-1',
): Notification {
  return {
    ...{ id: `${runId}.${number}`, number, at: '2035-03-06T12:00:00.000Z', news },
    order: {
      ...{ account: 'acme', environment: 'sandbox', orderId: 'SO-1', shipmentKind: 'furniture', labels: {} },
      ...{ phase: 'booked', listingId: '7', price: null, customerPrice: null },
      ...{ billOfLadingNumber: null, proNumber: null },
    },
  };
}

/** Valid by the scheme of Standard Webhooks. */
export const signingSecret = (byte: number): string => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;

/** For activities that notify nobody. */
export const NO_ENDPOINTS: NotificationSender = {
  endpointsOf: () => [],
  send: async () => await Promise.reject(new TypeError('there is no endpoint')),
};
