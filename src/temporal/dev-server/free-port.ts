import { once } from 'node:events';
import { createServer, connect } from 'node:net';

/**
 * A port of the loopback interface that the system gives to nobody else for a while.
 * After a plain listen, the system may give the port to the next process. It does not do so while a connection is in
 * TIME_WAIT, yet the port can be listened on at once. So this makes a connection and closes it from the server's side
 * (the Temporal SDK reserves the ports of its test servers in the same way).
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
