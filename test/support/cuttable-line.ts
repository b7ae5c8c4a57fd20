import { once } from 'node:events';
import net from 'node:net';

/** A TCP line to a server, which can be cut and mended: an outage as seen from one side only. */
export interface CuttableLine {
  readonly address: string;
  cut(): void;
  /** The server hears everything; what it answers is lost. */
  mute(): void;
  /** Ends an outage of either kind; connections of the time before are gone. */
  mend(): void;
  close(): Promise<void>;
}

export async function layLine(target: string): Promise<CuttableLine> {
  const [host = '127.0.0.1', port = ''] = target.split(':');
  const sockets = new Set<net.Socket>();
  let isCut = false;
  let isMute = false;
  const server = net.createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = net.connect(Number(port), host);
    near.pipe(far);
    far.on('data', (chunk) => isMute || near.write(chunk));
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      // The other side of a cut line only ever sees that it is closed.
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  const hangUp = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const cut = (): void => {
    isCut = true;
    hangUp();
  };
  return {
    address: `127.0.0.1:${address.port}`,
    cut,
    mute: () => {
      isMute = true;
    },
    mend: () => {
      if (isMute) hangUp();
      isMute = false;
      isCut = false;
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
