import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { readEnvelope } from './envelope';
import { givenSecret, isSecret, type Integration } from './integration';
import type { EventRouter, Routed } from './router';

export interface ReceiverOptions {
  readonly integrations: readonly Integration[];
  readonly router: EventRouter;
  /** Whether Temporal answers now; for the health endpoint. */
  readonly isTemporalUp: () => Promise<boolean>;
  readonly log: FastifyBaseLogger;
}

/** Events are small; a larger body is not one. */
const BODY_LIMIT_IN_BYTES = 256 * 1024;

interface WebhookPath {
  readonly name: string;
  readonly secret?: string;
}

type ReceiverCounts = Readonly<Record<Routed | 'refused' | 'unknownType' | 'unauthorized', number>>;

/**
 * The webhook receiver: `POST /webhooks/{integration}`, with the secret in a header or as a further path part.
 *
 * Answers 200 with an empty body only once Temporal has the event, or nobody wants it; 400 when the body is no
 * event, 401 without the secret, 404 for an unknown integration, 413 over the limit, 503 while Temporal cannot
 * be reached, so that the marketplace sends it again.
 */
export function createReceiver({
  integrations,
  router,
  isTemporalUp,
  log,
}: ReceiverOptions): FastifyInstance {
  const server = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_IN_BYTES,
    // The default of 100 refuses a long secret in the path, with 414.
    routerOptions: { maxParamLength: 2_000 },
    connectionTimeout: 30_000,
    requestTimeout: 10_000,
    forceCloseConnections: 'idle',
  });
  const counts: Record<keyof ReceiverCounts, number> = {
    ...{ signalled: 0, unrouted: 0, foreign: 0, completed: 0, late: 0, withoutClue: 0, unavailable: 0 },
    ...{ refused: 0, unknownType: 0, unauthorized: 0 },
  };
  // Bytes, whatever the content type says: they are verified first and parsed afterwards.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  async function receive(
    request: FastifyRequest<{ Params: WebhookPath }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { name, secret } = request.params;
    const integration = integrations.find((known) => known.name === name);
    if (integration === undefined) return await reply.code(404).send();
    if (!isSecret(givenSecret(secret, request.headers), await integration.secret())) {
      counts.unauthorized += 1;
      return await reply.code(401).send();
    }
    const verdict = readEnvelope(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
    if (verdict.kind === 'refused') {
      counts.refused += 1;
      request.log.warn({ reason: verdict.reason }, 'event refused');
      return await reply.code(400).send({ reason: verdict.reason });
    }
    const { event, clues, isKnownType } = verdict;
    if (!isKnownType) counts.unknownType += 1;
    const routed = await router.route(integration.accounts, event, clues);
    counts[routed] += 1;
    request.log.info({ eventId: event.id, eventType: event.type, status: routed }, 'event taken');
    return routed === 'unavailable'
      ? await reply.code(503).header('retry-after', '5').send()
      : await reply.code(200).send();
  }

  server.post<{ Params: WebhookPath }>('/webhooks/:name', receive);
  server.post<{ Params: WebhookPath }>('/webhooks/:name/:secret', receive);
  server.get('/health', async (_request, reply) => {
    const temporal = await isTemporalUp();
    return await reply
      .code(temporal ? 200 : 503)
      .send({ temporal: temporal ? 'up' : 'down', events: counts });
  });
  return server;
}
