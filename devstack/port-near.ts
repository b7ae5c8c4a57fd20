import { isListening, reserveFreePort } from '../src/temporal/dev-server/free-port';

/** The usual port, or another one when the usual port is in use. */
export async function portNear(usual: number): Promise<number> {
  return (await isListening(usual)) ? await reserveFreePort() : usual;
}
