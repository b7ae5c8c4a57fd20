import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { PACKAGE_ROOT } from '../../platform/package-root';

/** Serves the pages of the documentation as text, because a problem names the one that explains it. */
export async function serveDocumentation(server: FastifyInstance): Promise<void> {
  await server.register(fastifyStatic, {
    root: path.join(PACKAGE_ROOT, 'docs'),
    prefix: '/docs/',
    decorateReply: false,
    index: false,
    allowedPath: (file) => file.endsWith('.md'),
    // Browsers show text, and save Markdown.
    setHeaders: (reply) => void reply.header('content-type', 'text/plain; charset=utf-8'),
  });
}
