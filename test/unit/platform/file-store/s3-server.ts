import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** The part of S3 that a store of files needs: PUT and GET of an object, by path, signed. */
export interface S3Server {
  readonly url: string;
  /** By `/bucket/key`. */
  readonly objects: Map<string, Buffer>;
  /** `METHOD /path` of each request. */
  readonly requests: readonly string[];
  /** Answers this many requests with 503 before it does anything. */
  failNext(times: number): void;
  close(): Promise<void>;
}

const errorXml = (code: string): string =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;

export async function startS3Server(accessKeyId: string): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const requests: string[] = [];
  let failures = 0;
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const { pathname } = new URL(request.url ?? '/', 'http://s3');
      requests.push(`${request.method} ${pathname}`);
      const refuse = (status: number, code: string): void =>
        void response.writeHead(status, { 'content-type': 'application/xml' }).end(errorXml(code));
      if (failures > 0) {
        failures -= 1;
        return refuse(503, 'SlowDown');
      }
      const signed = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/`;
      if (request.headers.authorization?.startsWith(signed) !== true) return refuse(403, 'AccessDenied');
      if (request.method === 'PUT') {
        const hash = createHash('sha256').update(body).digest('hex');
        if (request.headers['x-amz-content-sha256'] !== hash) return refuse(400, 'XAmzContentSHA256Mismatch');
        objects.set(pathname, body);
        return response.writeHead(200, { etag: '"1"' }).end();
      }
      const found = objects.get(pathname);
      return found === undefined ? refuse(404, 'NoSuchKey') : response.writeHead(200).end(found);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    objects,
    requests,
    failNext: (times) => {
      failures = times;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
