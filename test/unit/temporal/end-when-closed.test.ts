import { once } from 'node:events';
import { InterceptingCall, status, type Interceptor } from '@grpc/grpc-js';
import { expect, test } from '@jest/globals';
import { Connection } from '@temporalio/client';
import { clientConnectionOf } from '../../../src/temporal/client-connection';

test('a call whose connection is closed before its next attempt fails as any other', async () => {
  const attempts = new EventTarget();
  const tell: Interceptor = (options, nextCall) =>
    new InterceptingCall(nextCall(options), {
      start(metadata, _listener, next) {
        next(metadata, {
          onReceiveStatus(received, pass) {
            pass(received);
            attempts.dispatchEvent(new Event('end'));
          },
        });
      },
    });
  // Nothing listens there.
  const options = clientConnectionOf({ connectionOptions: { address: '127.0.0.1:1' } });
  const [retry, ...others] = options.interceptors ?? [];
  const connection = Connection.lazy({
    ...options,
    interceptors: [retry, tell, ...others].flatMap((one) => one ?? []),
  });
  const [call] = await Promise.allSettled([
    connection.workflowService.getSystemInfo({}),
    once(attempts, 'end').then(async () => await connection.close()),
  ]);
  expect(call).toMatchObject({
    ...{ status: 'rejected', reason: { code: status.CANCELLED, details: 'Channel has been shut down' } },
  });
});
