import { InterceptingCall, Metadata, status, type Interceptor } from '@grpc/grpc-js';
import { messageOf } from '../platform/message-of';

type Call = ConstructorParameters<typeof InterceptingCall>[0];

/**
 * Refuses a call on a closed connection. Without this, grpc-js throws there. The SDK makes the retries of a call in a timer,
 * where that error ends the process, and a command whose answer was lost does not end with its exit code.
 */
export const endWhenClosed: Interceptor = (options, nextCall) => {
  try {
    return new InterceptingCall(nextCall(options));
  } catch (error) {
    return new InterceptingCall(ended(messageOf(error)));
  }
};

function ended(details: string): Call {
  const nothing = (): void => {};
  return {
    start(_metadata, listener) {
      listener?.onReceiveMessage?.(null);
      listener?.onReceiveStatus?.({ code: status.CANCELLED, details, metadata: new Metadata() });
    },
    ...{ cancelWithStatus: nothing, sendMessageWithContext: nothing, sendMessage: nothing },
    ...{ startRead: nothing, halfClose: nothing, getPeer: () => '', getAuthContext: () => null },
  };
}
