import { Client, Connection, type WorkflowClientInterceptor } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { clientConnectionOf, TemporalUnreachableError } from './client-connection';
import { connectImpatiently } from './connect-impatiently';
import { createDataConverter } from './encryption/data-converter';
import { findCluster, type ExistingCluster } from './existing-cluster';
import { messageOf } from '../platform/message-of';

/** Where `npm run dev` puts the embedded server. */
const LOCAL_ADDRESS = '127.0.0.1:7233';

/** An open connection to Temporal. */
export interface TemporalConnection {
  readonly address: string;
  readonly namespace: string;
  readonly client: Client;
  /** For a worker's own connection. Only a worker loads the package for it. */
  readonly connectionOptions: ExistingCluster['connectionOptions'];
  /** For a worker. The client has it. */
  readonly dataConverter: DataConverter;
  close(): Promise<void>;
}

/** How `connectTemporal` connects. */
export interface ConnectTemporalOptions {
  /** Whether calls fail within about two seconds while Temporal does not answer, instead of twenty. */
  readonly isImpatient?: boolean;
  /** Of the client's calls, such as those that write traces. */
  readonly interceptors?: readonly WorkflowClientInterceptor[];
}

/**
 * Connects to the Temporal server that `TEMPORAL_*` variables or a Temporal profile name; without them to the
 * one on this machine, as `npm run dev` starts it.
 * @param onWarning receives why changed encryption keys cannot be used; the earlier ones stay in use
 * @throws TemporalUnreachableError that says what to do
 * @throws EncryptionFileError when `CONSIGN_ENCRYPTION` names a file that is invalid
 */
export async function connectTemporal(
  env: NodeJS.ProcessEnv = process.env,
  onWarning: (text: string) => void = (text) => process.emitWarning(text),
  { isImpatient = false, interceptors = [] }: ConnectTemporalOptions = {},
): Promise<TemporalConnection> {
  const dataConverter = await createDataConverter(env, onWarning);
  const cluster = findCluster(env);
  const { address, namespace, connectionOptions } = cluster ?? {
    address: LOCAL_ADDRESS,
    namespace: 'default',
    connectionOptions: { address: LOCAL_ADDRESS },
  };
  const options = { ...clientConnectionOf({ connectionOptions }), connectTimeout: 5_000 };
  const connection = await reach(address, async () =>
    isImpatient ? await connectImpatiently(options) : await Connection.connect(options),
  );
  return {
    address,
    namespace,
    connectionOptions,
    dataConverter,
    client: new Client({
      connection,
      namespace,
      dataConverter,
      interceptors: { workflow: [...interceptors] },
    }),
    close: async () => await connection.close(),
  };
}

/** @throws TemporalUnreachableError that says what to do */
export async function reach<T>(address: string, connect: () => Promise<T>): Promise<T> {
  try {
    return await connect();
  } catch (error) {
    const why = messageOf(error);
    throw new TemporalUnreachableError(`No Temporal server answers at ${address} (${why}).`, {
      hint: 'Start a Temporal server there, or set TEMPORAL_ADDRESS. In a checkout, `npm run dev` starts everything.',
      cause: error,
    });
  }
}
