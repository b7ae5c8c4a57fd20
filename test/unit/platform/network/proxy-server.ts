import http from 'node:http';
import net, { type AddressInfo } from 'node:net';

/** How a proxy treats what it is asked. */
export interface ProxyManners {
  /** Answers with this status, of its own, instead of passing on. */
  readonly status?: number;
  /** Takes what is sent, and hangs up instead of passing on. */
  readonly hangsUp?: boolean;
  /** Ports of this machine by the host names that only the proxy knows. */
  readonly hosts?: Readonly<Record<string, number>>;
}

export interface Proxy {
  readonly url: string;
  /** `CONNECT host:port`, or `METHOD URL` of plain http. */
  readonly seen: string[];
  /** What it was given to prove itself by. */
  readonly logins: (string | undefined)[];
}

const closers: (() => Promise<void>)[] = [];
const before = new Map<string, string | undefined>();

/** To be called after each test. */
export async function closeProxies(): Promise<void> {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  before.clear();
  await Promise.all(closers.splice(0).map(async (close) => await close()));
}

/** Sets variables until the test is over. */
export function setEnvironment(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (!before.has(name)) before.set(name, process.env[name]);
    process.env[name] = value;
  }
}

/** A proxy of plain http and of tunnels, on this machine. */
export async function startProxy({ status, hangsUp = false, hosts = {} }: ProxyManners = {}): Promise<Proxy> {
  const seen: string[] = [];
  const logins: (string | undefined)[] = [];
  const sockets = new Set<net.Socket>();
  const keep = (socket: net.Socket): void => {
    sockets.add(socket);
    socket.on('error', () => sockets.delete(socket));
  };
  const placeOf = (url: URL): { host: string; port: number } => ({
    host: '127.0.0.1',
    port: hosts[url.hostname] ?? Number(url.port),
  });
  const server = http.createServer((incoming, response) => {
    const { method = '', url = '', headers } = incoming;
    seen.push(`${method} ${url}`);
    logins.push(headers['proxy-authorization']);
    incoming.on('error', () => undefined);
    if (hangsUp) return incoming.on('end', () => incoming.socket.destroy()).resume();
    if (status !== undefined) {
      incoming.resume();
      return response
        .writeHead(status, { 'content-type': 'text/html' })
        .end(`<p>${'proxy '.repeat(500)}</p>`);
    }
    const { 'proxy-authorization': _, ...passedOn } = headers;
    const target = new URL(url);
    const outgoing = http.request(
      { ...placeOf(target), method, headers: passedOn, path: `${target.pathname}${target.search}` },
      (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 0, answer.headers)),
    );
    outgoing.on('error', () => response.destroy());
    return incoming.pipe(outgoing);
  });
  server.on('connection', keep);
  server.on('connect', ({ url = '', headers }, socket: net.Socket) => {
    seen.push(`CONNECT ${url}`);
    logins.push(headers['proxy-authorization']);
    if (hangsUp) return socket.destroy();
    if (status !== undefined) return socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    const target = net.connect(placeOf(new URL(`https://${url}`)), () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    keep(target);
    return target.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, logins };
}
