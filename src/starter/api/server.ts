import rateLimit from '@fastify/rate-limit';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, {
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { MAX_DOCUMENT_BYTES } from '../../orders/read-document';
import type { Tracing } from '../../tracing';
import * as answers from './answer-schemas';
import { ApiError } from './api-error';
import { accountIn, authorize, identify } from './authorize';
import { serveBoard } from './board';
import type { ApiContext, ApiServer } from './context';
import { ApiCounts } from './counts';
import { serveDocumentation } from './documentation';
import { EventStreams, STREAM_LIMITS, type StreamLimits } from './event-stream';
import { operation, swaggerOptions, type ApiTypes } from './openapi';
import { problemOf, RETRY_AFTER_SECONDS } from './problem-details';
import { addAttentionRoutes } from './routes/attention';
import { addImportRoutes } from './routes/imports';
import { addChangeRoutes } from './routes/changes';
import { addDecisionRoutes } from './routes/decisions';
import { addNotificationRoutes } from './routes/notifications';
import { addOrderRoutes } from './routes/orders';
import { addOverviewRoutes } from './routes/overview';
import { addShipmentRoutes } from './routes/shipments';

export interface ApiOptions extends Omit<ApiContext, 'counts'> {
  /** Its registry is what Prometheus reads. */
  readonly counts?: ApiCounts;
  readonly tracing?: Tracing;
  /** Whether Temporal answers now; for the readiness. */
  readonly isTemporalUp: () => Promise<boolean>;
  /** Of one token. */
  readonly requestsPerMinute?: number;
  readonly streams?: StreamLimits;
}

const REQUESTS_PER_MINUTE = 600;
/** Of one address that sends no valid token. */
const REQUESTS_OF_STRANGERS_PER_MINUTE = 120;
/** An order, and what is said about it. */
const BODY_LIMIT_IN_BYTES = MAX_DOCUMENT_BYTES + 16 * 1024;
const REQUEST_MS = 20_000;

/** The reference page runs only the scripts that it comes with, and asks only this server. */
const REFERENCE_POLICY = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'"],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ');

/**
 * The HTTP API: everything that the client library does, for programs in any language. It keeps nothing, so any number
 * of processes may serve it.
 */
export async function createApi(options: ApiOptions): Promise<FastifyInstance> {
  const { log, accounts, requestsPerMinute = REQUESTS_PER_MINUTE } = options;
  const counts = options.counts ?? new ApiCounts();
  const streams = new EventStreams(options.streams ?? STREAM_LIMITS, counts);
  const context: ApiContext = { ...options, counts };
  /** Answers with the problem of an error. */
  const send = async (reply: FastifyReply, error: unknown): Promise<FastifyReply> => {
    const problem = problemOf(error);
    const { status } = problem;
    counts.countProblem(problem.code);
    if (status === 401) void reply.header('www-authenticate', 'Bearer');
    if (status === 503) void reply.header('retry-after', RETRY_AFTER_SECONDS);
    return await reply.code(status).type('application/problem+json').send(JSON.stringify(problem));
  };
  const count = ({ method, routeOptions: { url } }: FastifyRequest, reply: FastifyReply): void =>
    counts.countRequest({ method, route: url, status: reply.statusCode, durationMs: reply.elapsedTime });
  const server = Fastify({
    loggerInstance: log,
    // Its lines contain URLs, with order ids. One line of Consign for each request replaces them.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_IN_BYTES,
    exposeHeadRoutes: false,
    requestTimeout: REQUEST_MS,
    http: { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS },
    forceCloseConnections: 'idle',
    frameworkErrors: (_error, request, reply) => {
      void send(reply, new ApiError('invalidRequest', 'The URL cannot be read.'));
      // No hook sees such a request.
      count(request, reply);
    },
  }).withTypeProvider<ApiTypes>();
  server.removeContentTypeParser('text/plain');
  server.setValidatorCompiler(validatorCompiler);
  server.setSerializerCompiler(() => (answer) => JSON.stringify(answer));
  server.decorateRequest('caller', null);
  options.tracing?.serve(server);

  // Before the limit of requests, which differs for strangers, and before the body is read.
  server.addHook('onRequest', async (request) => {
    request.caller = await identify(request.headers, accounts.apiTokens, (reason) =>
      log.warn({ reason }, 'a token cannot be read'),
    );
  });
  server.addHook('onSend', async (request, reply) => {
    void reply.header('x-content-type-options', 'nosniff');
    count(request, reply);
    await Promise.resolve();
  });
  server.addHook('onResponse', async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
    log.info({ method, route: routeOptions.url, status: statusCode, ms: Math.round(elapsedTime) }, 'request');
    await Promise.resolve();
  });
  server.addHook('preClose', async () => {
    streams.end();
    await Promise.resolve();
  });
  server.setErrorHandler(async (error, _request, reply) => {
    const { status } = problemOf(error);
    if (status === 500) log.error({ err: error }, 'a request failed');
    return await send(reply, error);
  });

  // Before the limit, which does not hold for them: their files hold no data, and an office behind one address loads
  // them many times.
  await serveBoard(server);
  await serveDocumentation(server);
  await server.register(rateLimit, {
    timeWindow: 60_000,
    keyGenerator: ({ caller, ip }) => (caller === null ? `address ${ip}` : `token ${caller.name}`),
    max: ({ caller }) => (caller === null ? REQUESTS_OF_STRANGERS_PER_MINUTE : requestsPerMinute),
  });
  await server.register(swagger, swaggerOptions());
  await server.register(swaggerUi, {
    routePrefix: '/reference',
    staticCSP: REFERENCE_POLICY,
    theme: { title: 'Consign HTTP API' },
  });
  server.setNotFoundHandler({ preHandler: server.rateLimit() }, async (_request, reply) => {
    const detail = 'There is no such path, or it does not take this method. /openapi.json lists all of them.';
    return await send(reply, new ApiError('unknownPath', detail));
  });

  addPublicRoutes(server, options.isTemporalUp);
  await server.register(async (part) => {
    const api = part.withTypeProvider<ApiTypes>();
    api.addHook('preParsing', async ({ caller, params, routeOptions: { config } }) => {
      const { scopes } = config;
      if (scopes === undefined) throw new TypeError('the route names no scopes');
      authorize(caller, { scopes, account: accountIn(params) });
      await Promise.resolve();
    });
    api.addHook('onSend', async (_request, reply) => {
      void reply.header('cache-control', 'no-store');
      await Promise.resolve();
    });
    addOrderRoutes(api, context);
    addShipmentRoutes(api, context, streams);
    addChangeRoutes(api, context, streams);
    addDecisionRoutes(api, context);
    addAttentionRoutes(api, context);
    addOverviewRoutes(api, context);
    addNotificationRoutes(api, context);
    // Registered separately, because these bodies are not JSON.
    await api.register(async (tables) => {
      addImportRoutes(tables.withTypeProvider<ApiTypes>(), context);
      await Promise.resolve();
    });
    await Promise.resolve();
  });
  return server;
}

/** Routes without people's data, for everybody. */
function addPublicRoutes(server: ApiServer, isTemporalUp: () => Promise<boolean>): void {
  // A monitor may ask as often as it likes.
  const config = { rateLimit: false } as const;
  const service = { tag: 'service', security: [] } as const;

  server.get(
    '/health',
    {
      config,
      schema: {
        ...operation({
          id: 'getHealth',
          summary: 'Whether the process runs',
          ...service,
          answers: { 200: answers.health },
        }),
      },
    },
    async () => await Promise.resolve({ status: 'up' }),
  );

  server.get(
    '/ready',
    {
      config,
      schema: {
        ...operation({
          id: 'getReadiness',
          summary: 'Whether requests can be served: Temporal answers',
          ...service,
          answers: { 200: answers.readiness, 503: answers.readiness },
        }),
      },
    },
    async (_request, reply) => {
      const isUp = await isTemporalUp();
      return await reply.code(isUp ? 200 : 503).send({ temporal: isUp ? 'up' : 'down' });
    },
  );

  server.get(
    '/openapi.json',
    { schema: { hide: true } },
    async () => await Promise.resolve(server.swagger()),
  );
}
