import { once } from 'node:events';
import { createServer, connect } from 'node:net';

/**
 * A port of the loopback interface that nobody else is given for a while.
 * A port that was merely listened on may be handed to the next process that asks. One with a connection
 * in TIME_WAIT is not, yet can be listened on at once; so a connection is made and closed from our side
 * first (the Temporal SDK reserves its test servers' ports in the same way).
 */
export async function reserveFreePort(): Promise<number> {
  const server = createServer((socket) => socket.destroySoon());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('a listening server has a port');
  const { port } = address;
  const socket = connect(port, '127.0.0.1');
  socket.resume();
  await once(socket, 'close');
  server.close();
  await once(server, 'close');
  return port;
}

/** Whether something listens there now. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
