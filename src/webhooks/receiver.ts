import type { Socket } from 'node:net';
import Fastify, {
  LogController,
  type ConnectionError,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { readEnvelopes } from './cloud-events';
import { isSecret } from '../platform/network/bearer-token';
import type { Tracing } from '../tracing';
import { SUPPORTED_ENCODINGS } from '../platform/network/content-coding';
import { decodeBody } from './content-coding';
import { ReceiverCounts } from './counts';
import { readEnvelope, type Verdict } from './envelope';
import { presentedSecret, type Integration } from './integration';
import { refusal, REFUSAL_STATUS, type Refusal } from './refusal';
import { createRefusalWatch } from './refusal-watch';
import type { EventRouter, Routed } from './router';

export interface ReceiverOptions {
  readonly integrations: readonly Integration[];
  readonly router: EventRouter;
  /** Whether Temporal answers now; for the health endpoint. */
  readonly isTemporalUp: () => Promise<boolean>;
  readonly log: FastifyBaseLogger;
  /** Its registry is what Prometheus reads. */
  readonly counts?: ReceiverCounts;
  readonly tracing?: Tracing;
  /** How long a request may take to arrive, its body included. */
  readonly requestMs?: number;
  /** After how long with nothing but refusals the receiver reports it. */
  readonly onlyRefusalsMs?: number;
}

/** Events are small: a larger body is not an event, neither encoded nor decoded. */
const BODY_LIMIT_IN_BYTES = 256 * 1024;
const REQUEST_MS = 10_000;
const ONLY_REFUSALS_MS = 10 * 60_000;

interface WebhookPath {
  readonly name: string;
  readonly secret?: string;
}

/** When the sender should retry, in seconds. */
const RETRY_AFTER: Partial<Record<Routed | 'failed', string>> = {
  unavailable: '5',
  failed: '5',
  overBudget: '30',
};

/**
 * The webhook receiver: `POST /webhooks/{integration}`, with the secret in a header or as a further path part.
 *
 * Answers 200 with an empty body only once Temporal has the event, or nobody needs it. 503 asks the sender to retry:
 * Temporal is unreachable, the budget for unknown listings is used up, or the receiver itself failed. Any other status is a
 * refusal that says why.
 */
export function createReceiver(options: ReceiverOptions): FastifyInstance {
  return new Receiver(options).server;
}

class Receiver {
  readonly server: FastifyInstance;
  private readonly counts: ReceiverCounts;
  private readonly watch;
  /** Connections whose request was refused before all of it arrived. */
  private readonly refusedEarly = new WeakSet<Socket>();

  constructor(private readonly options: ReceiverOptions) {
    const { log, requestMs = REQUEST_MS, onlyRefusalsMs = ONLY_REFUSALS_MS } = options;
    this.counts = options.counts ?? new ReceiverCounts();
    this.watch = createRefusalWatch(onlyRefusalsMs, log);
    this.server = Fastify({
      loggerInstance: log,
      logController: new LogController({ disableRequestLogging: true }),
      bodyLimit: BODY_LIMIT_IN_BYTES,
      // The default of 100 refuses a long secret in the path, with 414.
      routerOptions: { maxParamLength: 2_000, ignoreTrailingSlash: true, ignoreDuplicateSlashes: true },
      connectionTimeout: 30_000,
      requestTimeout: requestMs,
      http: {
        requestTimeout: requestMs,
        // Node applies the longer of the two limits to the body, and the limit of the headers is 60 s by default.
        headersTimeout: requestMs,
        // Node checks for slow requests every 30 s by default.
        connectionsCheckingInterval: Math.ceil(requestMs / 10),
      },
      forceCloseConnections: 'idle',
      frameworkErrors: (_error, request, reply) => void this.refuse(request, reply, BAD_URL),
      clientErrorHandler: (error, socket) => this.onClientError(error, socket),
    });
    this.addRoutes();
  }

  private addRoutes(): void {
    const { server } = this;
    this.options.tracing?.serve(server);
    // Bytes, whatever the content type says: they are verified first and parsed afterwards.
    server.removeAllContentTypeParsers();
    server.addContentTypeParser(/^/, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    const receive = this.receive.bind(this);
    server.post<{ Params: WebhookPath }>('/webhooks/:name', receive);
    server.post<{ Params: WebhookPath }>('/webhooks/:name/:secret', receive);
    server.get('/health', async (_request, reply) => await this.answerHealth(reply));
    server.setNotFoundHandler(async (request, reply) => await this.refuse(request, reply, UNKNOWN_PATH));
    server.setErrorHandler<FastifyError>(
      async (error, request, reply) => await this.onError(error, request, reply),
    );
    server.addHook('onClose', async () => await Promise.resolve(this.watch.close()));
  }

  private async answerHealth(reply: FastifyReply): Promise<FastifyReply> {
    const isUp = await this.options.isTemporalUp();
    return await reply.code(isUp ? 200 : 503).send({
      temporal: isUp ? 'up' : 'down',
      ...(await this.counts.health()),
      onlyRefusals: this.watch.long(),
    });
  }

  private async receive(
    request: FastifyRequest<{ Params: WebhookPath }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { headers, params } = request;
    const integration = this.integrationOf(request);
    if (integration === undefined) return await this.refuse(request, reply, UNKNOWN_INTEGRATION);
    if (!isSecret(presentedSecret(params.secret, headers), await integration.secret()))
      return await this.refuse(request, reply, UNAUTHORIZED);
    const sent = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const bytes = await decodeBody(sent, headers['content-encoding'], BODY_LIMIT_IN_BYTES);
    if ('kind' in bytes) return await this.refuse(request, reply, bytes);
    const envelopes = readEnvelopes(headers, bytes);
    if ('kind' in envelopes) return await this.refuse(request, reply, envelopes);
    return await this.acceptAll(integration, envelopes, { request, reply });
  }

  /** A batch may contain valid and invalid events: the valid ones are still accepted. */
  private async acceptAll(
    integration: Integration,
    envelopes: readonly unknown[],
    { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  ): Promise<FastifyReply> {
    const reasons: string[] = [];
    let again: Routed | null = null;
    for (const [index, envelope] of envelopes.entries()) {
      const verdict = readEnvelope(envelope, integration.name);
      if (verdict.kind === 'refused') {
        this.note(request, verdict);
        reasons.push(envelopes.length === 1 ? verdict.reason : `event ${index + 1}: ${verdict.reason}`);
        continue;
      }
      const routed = await this.take(integration, verdict);
      if (RETRY_AFTER[routed] !== undefined) again = routed;
      // Each further event would wait for Temporal as long as this one did.
      if (routed === 'unavailable') break;
    }
    if (again !== null) return await reply.code(503).header('retry-after', RETRY_AFTER[again]).send();
    if (reasons.length > 0) return await reply.code(400).send({ reason: reasons.join('; ') });
    return await reply.code(200).send();
  }

  private async take(
    integration: Integration,
    { event, clues, isKnownType }: Extract<Verdict, { kind: 'event' }>,
  ): Promise<Routed> {
    const routed = await this.options.router.route(integration, event, clues);
    const { name } = integration;
    this.counts.countEvent(event, { integration: name, isKnownType, outcome: routed });
    this.watch.taken(name);
    const fields = { integration: name, eventId: event.id, eventType: event.type, status: routed };
    if (RETRY_AFTER[routed] === undefined) this.options.log.info(fields, 'event accepted');
    else this.options.log.warn(fields, 'event not accepted: the sender must retry');
    return routed;
  }

  private integrationOf({ params }: FastifyRequest): Integration | undefined {
    const named = typeof params === 'object' && params !== null && 'name' in params ? params.name : null;
    return this.options.integrations.find(({ name }) => name === named);
  }

  private note(request: FastifyRequest, { as, reason }: Refusal): void {
    const integration = this.integrationOf(request)?.name ?? null;
    this.counts.countRefusal(integration, as);
    // Scanners that GET pages say nothing about the marketplace.
    if (integration !== null || request.method === 'POST') this.watch.refused(integration, as);
    this.options.log.warn(
      { ...(integration === null ? {} : { integration }), status: as, reason },
      'request refused',
    );
  }

  private async refuse(request: FastifyRequest, reply: FastifyReply, why: Refusal): Promise<FastifyReply> {
    this.note(request, why);
    if (why.as === 'unknownCoding') void reply.header('accept-encoding', SUPPORTED_ENCODINGS);
    return await reply.code(REFUSAL_STATUS[why.as] ?? 400).send({ reason: why.reason });
  }

  /** Fastify's own refusals, and internal errors: a sender must not learn their text. */
  private async onError(
    error: FastifyError,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { socket } = request.raw;
    const why = FRAMEWORK_ERRORS.get(error.code);
    if (why !== undefined) return await this.refuse(request, reply, why);
    if (this.refusedEarly.has(socket)) return await reply.code(400).send();
    if (request.raw.readableAborted) return await this.refuse(request, reply, BROKEN_OFF);
    if (error.statusCode !== undefined && error.statusCode < 500)
      return await this.refuse(request, reply, UNREADABLE);
    this.counts.countFailure();
    const integration = this.integrationOf(request)?.name;
    this.options.log.error(
      { err: error, ...(integration === undefined ? {} : { integration }) },
      'internal error: the sender must retry',
    );
    return await reply.code(503).header('retry-after', RETRY_AFTER.failed).send();
  }

  /** Broken HTTP, and requests that did not arrive in time. */
  private onClientError({ code }: ConnectionError, socket: Socket): void {
    if (code === 'ECONNRESET' || socket.destroyed) return;
    const { as, reason } = CLIENT_ERRORS.get(code) ?? UNREADABLE;
    this.refusedEarly.add(socket);
    this.counts.countRefusal(null, as);
    this.options.log.warn({ status: as, reason }, 'request refused');
    const body = JSON.stringify({ reason });
    const head = as === 'tooSlow' ? '408 Request Timeout' : '400 Bad Request';
    const fields = `content-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close`;
    if (socket.writable) socket.end(`HTTP/1.1 ${head}\r\n${fields}\r\n\r\n${body}`);
    socket.destroySoon();
  }
}

const UNAUTHORIZED = refusal('unauthorized', 'the secret is missing or wrong');
const UNKNOWN_INTEGRATION = refusal('unknownIntegration', 'there is no such integration');
const UNKNOWN_PATH = refusal('unknownPath', 'post events to /webhooks/{integration}');
const BAD_URL = refusal('unreadableUrl', 'the URL cannot be read');
const TOO_LARGE = refusal('tooLarge', `the body is larger than ${BODY_LIMIT_IN_BYTES} bytes`);
const NO_MEDIA_TYPE = refusal('noMediaType', 'the content type is not a media type such as application/json');
const TOO_SLOW = refusal('tooSlow', 'the request did not arrive in time');
const BROKEN_OFF = refusal('brokenOff', 'the request broke off');
const UNREADABLE = refusal('unreadableRequest', 'the request cannot be read');
const FRAMEWORK_ERRORS: ReadonlyMap<string, Refusal> = new Map([
  ['FST_ERR_CTP_BODY_TOO_LARGE', TOO_LARGE],
  ['FST_ERR_CTP_INVALID_MEDIA_TYPE', NO_MEDIA_TYPE],
]);
const CLIENT_ERRORS: ReadonlyMap<unknown, Refusal> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', TOO_SLOW],
  ['HPE_INVALID_EOF_STATE', BROKEN_OFF],
]);
