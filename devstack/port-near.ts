import { isListening, reserveFreePort } from '../src/temporal/dev-server/free-port';

/** The usual port, or another when something listens there already. */
export async function portNear(usual: number): Promise<number> {
  return (await isListening(usual)) ? await reserveFreePort() : usual;
}
