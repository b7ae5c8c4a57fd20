import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A chat that accepts webhooks. */
export interface Chat {
  readonly url: string;
  /** Of every message, the refused ones too. */
  readonly texts: readonly string[];
  /** From now on. */
  answer(status: number): void;
  close(): Promise<void>;
}

export async function startChat(): Promise<Chat> {
  const texts: string[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      texts.push((JSON.parse(body) as { readonly text: string }).text);
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    texts,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/chat`,
    answer(next) {
      status = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
