#!/usr/bin/env node
import { readConfig } from '../platform/config';
import { createLog } from '../platform/log';
import { runMain } from '../platform/run-process';
import { UserError } from '../platform/user-error';
import { createDataConverter, encryptionFileOf } from '../temporal/encryption/data-converter';
import { readCodecServerSettings } from '../temporal/encryption/encryption-file';
import { createCodecServer } from './server';

/** The codec server process. */
async function main(): Promise<void> {
  const config = readConfig();
  const log = createLog('codec', config.logLevel);
  const file = encryptionFileOf(process.env);
  if (file === null) throw new UserError('CONSIGN_ENCRYPTION is not set. Set it to the encryption file.');
  const settings = await readCodecServerSettings(file, process.env);
  const { payloadCodecs: [codec] = [] } = await createDataConverter(process.env, (text) => log.warn(text));
  if (codec === undefined) throw new TypeError('the data converter has a codec');
  const server = await createCodecServer({ ...settings, codec, log });
  const address = await server.listen({ host: config.codecHost, port: config.codecPort });
  log.info({ address }, `decrypts for Temporal's web UI and command line at ${address}; stop it with Ctrl-C`);
  const stop = (): void => {
    server.close().catch((error: unknown) => log.error({ err: error }, 'could not stop cleanly'));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

runMain(main);
