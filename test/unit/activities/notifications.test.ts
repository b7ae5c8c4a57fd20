import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test } from '@jest/globals';
import { createActivities, type ActivityDependencies } from '../../../src/activities';
import type { CloudEvent } from '../../../src/notifications/cloud-event';
import type { EndpointAnswer } from '../../../src/notifications/send';
import { SecretError } from '../../../src/platform/secret-reference';
import { anEndpointAt } from '../../support/endpoint-server';
import { aNotification } from '../../support/notifications';

const ACCOUNT = { name: 'acme', environment: 'sandbox' } as const;
const ERP = anEndpointAt({ url: 'https://erp.example.com/hooks?key=secret-1' }, { events: ['booked'] });

/** One attempt; how it ended, and what was sent. */
async function deliver(answer: () => EndpointAnswer, endpoint = 'erp', attempt = 1) {
  const sent: CloudEvent[] = [];
  const { deliverNotification } = createActivities({
    notifications: {
      endpointsOf: () => [ERP],
      send: async (_account: unknown, _endpoint: unknown, event: CloudEvent) => {
        sent.push(event);
        return await Promise.resolve(answer());
      },
    },
  } as unknown as ActivityDependencies);
  const input = { account: ACCOUNT, endpoint, notification: aNotification(7) };
  const ended: unknown = await new MockActivityEnvironment({ attempt })
    .run(async () => await deliverNotification(input))
    .catch((error: unknown) => error);
  const outcome =
    ended instanceof ApplicationFailure
      ? { type: ended.type, message: ended.message, isFinal: ended.nonRetryable, category: ended.category }
      : ended;
  return { outcome, sent };
}

const answered = (status: number) => (): EndpointAnswer => ({
  kind: 'answered',
  status,
  text: 'secret words',
});

test.each([200, 202, 204])('an answer %i ends the delivery, with its attempts', async (status) => {
  const { outcome, sent } = await deliver(answered(status), 'erp', 4);
  expect(outcome).toEqual({ attempts: 4, status });
  expect(sent).toMatchObject([{ id: 'run-1.7', type: 'consign.shipment.booked' }]);
});

test.each([301, 400, 401, 404, 429, 500, 503])(
  'an answer %i is tried again, without the words',
  async (status) => {
    const { outcome } = await deliver(answered(status));
    expect(outcome).toEqual({
      ...{ type: 'NotDelivered', isFinal: false, category: 'BENIGN' },
      message: `the endpoint answered ${status}`,
    });
  },
);

test('410 ends the attempts', async () => {
  expect((await deliver(answered(410))).outcome).toMatchObject({ type: 'EndpointGone', isFinal: true });
});

test('no answer, and a secret that cannot be read, are tried again', async () => {
  const noAnswer = await deliver(() => ({ kind: 'noAnswer', reason: 'no answer within 15 s' }));
  expect(noAnswer.outcome).toMatchObject({ type: 'NotDelivered', message: 'no answer within 15 s' });
  const noSecret = await deliver(() => {
    throw new SecretError('the variable ERP_SECRET is not set.');
  });
  expect(noSecret.outcome).toMatchObject({ type: 'NotDelivered', isFinal: false });
});

test('an endpoint that this worker does not know is tried again, perhaps by another worker', async () => {
  const { outcome, sent } = await deliver(answered(200), 'chat');
  expect(outcome).toMatchObject({ type: 'EndpointUnknown', isFinal: false });
  expect(sent).toEqual([]);
});

test('a workflow learns of an endpoint its name, filter and patience, and neither URL nor secret', async () => {
  const { listEndpoints } = createActivities({
    notifications: { endpointsOf: () => [ERP], send: answered(200) },
  } as unknown as ActivityDependencies);
  expect(await listEndpoints({ account: ACCOUNT })).toEqual([
    { endpoint: 'erp', events: ['booked'], reportAfterMs: 3_600_000, pauseAfterMs: 432_000_000 },
  ]);
});
