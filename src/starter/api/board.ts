import { existsSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { PACKAGE_ROOT } from '../../platform/package-root';

/** Where `npm run build:board` writes the board. */
export const BOARD_FOLDER = path.join(PACKAGE_ROOT, 'dist', 'board');

/** The board runs only the files that it comes with, and asks only this server. `blob:` is a document that it has read. */
const BOARD_POLICY = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "img-src 'self' blob:", "connect-src 'self'"],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ');

const HASHED = `${path.sep}assets${path.sep}`;

/**
 * Serves the board at `/board/`: a page without data, which asks for a token and then uses the routes of the API.
 * Does nothing where it was not built.
 */
export async function serveBoard(server: FastifyInstance, folder: string = BOARD_FOLDER): Promise<void> {
  if (!existsSync(path.join(folder, 'index.html'))) return;
  await server.register(fastifyStatic, {
    root: folder,
    prefix: '/board/',
    decorateReply: false,
    redirect: false,
    cacheControl: false,
    setHeaders(reply, file) {
      void reply.header('content-security-policy', BOARD_POLICY);
      void reply.header('referrer-policy', 'no-referrer');
      // The names of the hashed files change with their content.
      void reply.header(
        'cache-control',
        file.includes(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
    },
  });
  for (const place of ['/', '/board'])
    server.get(place, { schema: { hide: true } }, async (_request, reply) => await reply.redirect('/board/'));
}
