import { once } from 'node:events';
import http2 from 'node:http2';

/** Which calls: the method's name, and what its message contains, such as an order id or an activity's type. */
export interface CallMatch {
  readonly method: string;
  readonly texts: readonly string[];
  /** What does not arrive: the call at the server, or the server's answer at the caller. */
  readonly what: 'call' | 'answer';
}

/** Calls or answers that are on their way and do not arrive. */
export interface Hold {
  /** How many are held back now. One whose caller has gone is forgotten, and goes nowhere. */
  count(): number;
  /** Lets them go on, and holds no further ones. */
  release(): void;
}

/** A gRPC line to a Temporal server that sees single calls: it holds some of them back, or is cut altogether. */
export interface GrpcLine {
  readonly address: string;
  hold(match: CallMatch): Hold;
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

type Held = CallMatch & { readonly calls: Set<() => void> };

/** @param target `host:port`, without TLS; every call is unary, as Temporal's are */
export async function layGrpcLine(target: string): Promise<GrpcLine> {
  const nears = new Set<http2.Http2Session>();
  const holds = new Set<Held>();
  let isCut = false;
  const server = http2.createServer();
  server.on('session', (near) => {
    // Who is cut off sees a broken connection, which is the purpose, on whichever side it breaks first.
    near.on('error', () => near.destroy());
    if (isCut) {
      near.destroy();
      return;
    }
    const far = http2.connect(`http://${target}`);
    // Temporal ends each connection after some minutes: its calls go on, and new ones need a new connection.
    far.on('goaway', () => near.close());
    far.on('error', () => near.destroy());
    far.on('close', () => near.destroy());
    near.on('close', () => {
      nears.delete(near);
      far.destroy();
    });
    nears.add(near);
    near.on('stream', (call: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders) => {
      pass(call, headers, { far, holds });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  const cut = (): void => {
    isCut = true;
    for (const near of nears) near.destroy();
  };
  return {
    address: `127.0.0.1:${address.port}`,
    cut,
    mend: () => {
      isCut = false;
    },
    hold: (match) => holdBack(holds, match),
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

function holdBack(holds: Set<Held>, match: CallMatch): Hold {
  const held: Held = { ...match, calls: new Set() };
  holds.add(held);
  return {
    count: () => held.calls.size,
    release() {
      holds.delete(held);
      for (const goOn of held.calls) goOn();
      held.calls.clear();
    },
  };
}

interface Way {
  readonly far: http2.ClientHttp2Session;
  readonly holds: ReadonlySet<Held>;
}

function pass(call: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders, { far, holds }: Way): void {
  const chunks: Buffer[] = [];
  call.on('error', () => call.destroy());
  call.on('data', (chunk: Buffer) => chunks.push(chunk));
  call.on('end', () => {
    const message = Buffer.concat(chunks);
    const unlessHeld = (what: CallMatch['what'], goOn: () => void): void => {
      const hold = [...holds].find(
        (held) => held.what === what && isMeant(held, headers[':path'] ?? '', message),
      );
      if (hold === undefined) return goOn();
      hold.calls.add(goOn);
      call.on('close', () => hold.calls.delete(goOn));
    };
    unlessHeld('call', () => forward(call, { far, headers, message }, unlessHeld));
  });
}

const isMeant = ({ method, texts }: CallMatch, path: string, message: Buffer): boolean =>
  path.endsWith(`/${method}`) && texts.every((text) => message.includes(text));

interface Request {
  readonly far: http2.ClientHttp2Session;
  readonly headers: http2.IncomingHttpHeaders;
  readonly message: Buffer;
}

function forward(
  call: http2.ServerHttp2Stream,
  { far, headers, message }: Request,
  unlessHeld: (what: 'answer', goOn: () => void) => void,
): void {
  if (call.destroyed || far.destroyed) {
    call.destroy();
    return;
  }
  if (far.closed) {
    // Never sent: the caller repeats it on its next connection.
    call.close(http2.constants.NGHTTP2_REFUSED_STREAM);
    return;
  }
  const answer = far.request(headers);
  answer.on('error', () => call.close(http2.constants.NGHTTP2_CANCEL));
  call.on('close', () => answer.close(http2.constants.NGHTTP2_CANCEL));
  answer.on('response', (found, flags) => {
    // A refusal is one frame of headers only.
    const isWhole = (flags & http2.constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    unlessHeld('answer', () => respond(call, found, isWhole ? null : answer));
  });
  answer.end(message);
}

function respond(
  call: http2.ServerHttp2Stream,
  headers: http2.IncomingHttpHeaders,
  body: http2.ClientHttp2Stream | null,
): void {
  if (call.destroyed) return;
  if (body === null) {
    call.respond(headers, { endStream: true });
    return;
  }
  let trailers: http2.IncomingHttpHeaders = {};
  body.on('trailers', (found) => {
    trailers = found;
  });
  call.respond(headers, { waitForTrailers: true });
  call.on('wantTrailers', () => call.sendTrailers(trailers));
  body.pipe(call);
}
