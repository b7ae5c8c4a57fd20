import { once } from 'node:events';
import type { Server } from 'node:http';
import type { OnClose } from '../src/platform/closing';

/** @returns the URL, at a free port of this machine */
export async function listenOnFreePort(server: Server, onClose: OnClose): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onClose(async () => {
    server.close();
    server.closeAllConnections();
    await Promise.resolve();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  return `http://127.0.0.1:${address.port}`;
}
