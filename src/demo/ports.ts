import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** A port on which nothing listens now; the preferred one if it is free. */
export async function freePort(preferred = 0): Promise<number> {
  const server = createServer();
  server.listen(preferred, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if (preferred === 0) throw error;
    return await freePort();
  }
  const address: string | AddressInfo | null = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new TypeError('a TCP server has a port');
  return address.port;
}
