import net from 'node:net';

/** A proxy of the person's own would be asked for this machine too. */
for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'])
  for (const variable of [name, name.toLowerCase()]) delete process.env[variable];

/** Tests talk to this machine only: a connection to any other host fails loudly instead of hanging. */
const connect = net.Socket.prototype.connect;
const isLocal = (host: string | undefined): boolean =>
  host === undefined ||
  host === 'localhost' ||
  host === '::1' ||
  host.startsWith('127.') ||
  host.endsWith('.invalid');

const guarded = function (this: net.Socket, ...args: unknown[]): net.Socket {
  const first = Array.isArray(args[0]) ? (args[0] as unknown[])[0] : args[0];
  const host =
    typeof first === 'object' && first !== null
      ? (first as { host?: string }).host
      : typeof args[1] === 'string'
        ? args[1]
        : undefined;
  if (!isLocal(host)) throw new Error(`A test tried to reach ${host}. Tests may only use this machine.`);
  return Reflect.apply(connect, this, args) as net.Socket;
};
Reflect.set(net.Socket.prototype, 'connect', guarded);
