import {
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  type ConnectionOptions,
} from '@temporalio/client';
import { UserError } from '../platform/user-error';
import { endWhenClosed } from './end-when-closed';
import type { ExistingCluster } from './existing-cluster';

/** Thrown when the cluster that the environment names does not answer. */
export class TemporalUnreachableError extends UserError {
  override readonly name = 'TemporalUnreachableError';
  override readonly kind = 'temporalUnreachable';
}

const CONNECT_TIMEOUT_MS = 5_000;
/** The default of 4 MiB is less than a long history. */
const MAX_MESSAGE_BYTES = 128 * 1024 * 1024;
/** With gRPC's default of two minutes, events would be refused for that long after Temporal is back. */
const MAX_RECONNECT_MS = 2_000;

/** A cluster's options for a client connection. The default message limit is smaller than a long history. */
export function clientConnectionOf({
  connectionOptions,
}: Pick<ExistingCluster, 'connectionOptions'>): ConnectionOptions {
  const { address, apiKey, tls, metadata } = connectionOptions;
  return {
    ...{ address, apiKey, tls, metadata },
    connectTimeout: CONNECT_TIMEOUT_MS,
    interceptors: [makeGrpcRetryInterceptor(defaultGrpcRetryOptions()), endWhenClosed],
    channelArgs: {
      'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
      'grpc.max_reconnect_backoff_ms': MAX_RECONNECT_MS,
    },
  };
}
