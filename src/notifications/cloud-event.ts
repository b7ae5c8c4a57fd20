import { randomUUID } from 'node:crypto';
import type { AccountPin } from '../domain/account-pin';
import type { Notification } from '../domain/notifications';
import { TEST_TYPE, typeOf } from './schema';

/** An event in structured mode of CloudEvents 1.0; `schema.ts` describes the data of each type. */
export interface CloudEvent {
  readonly specversion: '1.0';
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject?: string;
  readonly sequence?: string;
  readonly time: string;
  readonly datacontenttype: 'application/json';
  /** The trace in which the order was started, when Consign is traced. */
  readonly traceparent?: string;
  readonly data: unknown;
}

/** Media type of an event in structured mode. */
export const CLOUD_EVENT = 'application/cloudevents+json';

const SEQUENCE_DIGITS = 10;
const sourceOf = (account: string): string => `/consign/${account}`;

/** The event of a notification: the same for each delivery. */
export function toCloudEvent({ id, number, at, order, news }: Notification): CloudEvent {
  const { kind, ...more } = news;
  return {
    ...{
      specversion: '1.0',
      id,
      source: sourceOf(order.account),
      type: typeOf(kind),
      subject: order.orderId,
    },
    ...{ sequence: String(number).padStart(SEQUENCE_DIGITS, '0'), time: at },
    ...{ datacontenttype: 'application/json', data: { ...order, ...more } },
  };
}

/** An event about no order, which only shows that the endpoint accepts events. */
export function testEvent({ name, environment }: AccountPin, at: Date): CloudEvent {
  return {
    ...{ specversion: '1.0', id: `test-${randomUUID()}`, source: sourceOf(name), type: TEST_TYPE },
    ...{ time: at.toISOString(), datacontenttype: 'application/json', data: { account: name, environment } },
  };
}
