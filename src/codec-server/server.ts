import cors from '@fastify/cors';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { z } from 'zod';
import { bearerTokenOf, isSecret } from '../platform/network/bearer-token';
import type { CodecServerSettings } from '../temporal/encryption/encryption-file';
import { EncryptionKeyError } from '../temporal/encryption/payload-codec';

export interface CodecServerOptions extends CodecServerSettings {
  readonly codec: PayloadCodec;
  readonly log: FastifyBaseLogger;
}

/** One payload of Temporal has at most 2 MiB, and a third more in base64. */
const BODY_LIMIT_IN_BYTES = 8 * 1024 * 1024;
const REQUEST_MS = 10_000;

/** Payloads as Temporal writes them in JSON, with bytes in base64. */
const payloadsSchema = z.looseObject({
  payloads: z
    .array(
      z.looseObject({
        metadata: z.record(z.string(), z.base64()).optional(),
        data: z.base64().optional(),
      }),
    )
    .default([]),
});

const REFUSED: Readonly<Record<number, string>> = {
  400: 'send {"payloads": [...]} as JSON, with bytes in base64',
  401: 'send one of the tokens of the encryption file: Authorization: Bearer TOKEN',
  413: `send at most ${BODY_LIMIT_IN_BYTES / 1024 / 1024} MiB`,
  415: 'send application/json',
};

/**
 * The codec server of Temporal's web UI and command line: `POST /decode` and `POST /encode`, only with one of the tokens.
 * It knows neither Temporal nor the marketplace, and logs nothing of what it converts.
 */
export async function createCodecServer(options: CodecServerOptions): Promise<FastifyInstance> {
  const { codec, origins, log } = options;
  const server = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_IN_BYTES,
    requestTimeout: REQUEST_MS,
  });
  // Only JSON is left.
  server.removeContentTypeParser('text/plain');
  await server.register(cors, {
    origin: [...origins],
    methods: ['POST'],
    allowedHeaders: ['authorization', 'content-type', 'x-namespace'],
    credentials: true,
    maxAge: 600,
  });
  // Before the body is read: a stranger's is not.
  const onRequest = async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply | undefined> =>
    (await isAllowed(request, options)) ? undefined : await refuse(reply, 401);
  const convert =
    (through: (payloads: Payload[]) => Promise<Payload[]>) =>
    async ({ body }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const payloads = readPayloads(body);
      return payloads === null
        ? await refuse(reply, 400)
        : await reply.send(writePayloads(await through(payloads)));
    };
  server.post(
    '/encode',
    { onRequest },
    convert(async (payloads) => await codec.encode(payloads)),
  );
  server.post(
    '/decode',
    { onRequest },
    convert(async (payloads) => await codec.decode(payloads)),
  );
  server.get('/health', async () => await Promise.resolve({ codec: 'up' }));
  server.setErrorHandler<FastifyError>(async (error, _request, reply) => {
    if (error instanceof EncryptionKeyError) return await reply.code(400).send({ error: error.message });
    const { statusCode = 500 } = error;
    if (statusCode < 500) return await refuse(reply, statusCode);
    log.error({ err: error }, 'a request failed');
    return await reply.code(500).send({ error: 'the codec server failed; its log says why' });
  });
  return server;
}

async function isAllowed({ headers }: FastifyRequest, { tokens }: CodecServerSettings): Promise<boolean> {
  const given = bearerTokenOf(headers);
  const known = await tokens();
  // Compares all of them: the time does not reveal which one matched.
  return known.filter((token) => isSecret(given, token)).length > 0;
}

/** The reason of a library could repeat the content. */
async function refuse(reply: FastifyReply, status: number): Promise<FastifyReply> {
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  return await reply.code(status).send({ error: REFUSED[status] ?? 'the request is invalid' });
}

function readPayloads(body: unknown): Payload[] | null {
  const parsed = payloadsSchema.safeParse(body);
  if (!parsed.success) return null;
  return temporal.api.common.v1.Payloads.fromObject(parsed.data).payloads;
}

function writePayloads(payloads: readonly Payload[]): object {
  const { Payload: Message } = temporal.api.common.v1;
  const inJson = { bytes: String, longs: String };
  return { payloads: payloads.map((payload) => Message.toObject(Message.create(payload), inJson)) };
}
