import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import { fastify, type FastifyInstance } from 'fastify';
import { ZodError } from 'zod';
import type { SandboxContext } from '../market/context';
import type { Controls } from '../market/controls';
import { addEndpoints, answerOfError, send } from './endpoint';
import { ApiProblem, errorEntry } from '../model/errors';
import { accountEndpoints, openEndpoints } from '../model/operations';
import { afterBookingActs } from './after-booking';
import { addControlRoutes } from './control';
import { fixedPriceActs } from './fixed-price';
import { imageActs } from './images';
import { listingActs } from './listings';
import { lookupActs } from './lookups';
import { ltlActs } from './ltl';
import { signInActs } from './sign-in';
import { webActs } from './web';

const maxBodyBytes = 25 * 1024 * 1024;

export async function createServer(context: SandboxContext, controls: Controls): Promise<FastifyInstance> {
  // Closing does not wait for connections: a stalled answer would otherwise keep the process for ever.
  const app = fastify({ forceCloseConnections: true, bodyLimit: maxBodyBytes, exposeHeadRoutes: false });
  readBodies(app);
  await app.register(formbody);
  await app.register(multipart, { attachFieldsToBody: true, limits: { fileSize: maxBodyBytes } });
  app.setNotFoundHandler((request, reply) =>
    send(reply, answerOfError(context, new ApiProblem(404, `There is no ${request.method} ${request.url}.`))),
  );
  app.setErrorHandler((error, _request, reply) => send(reply, answerOfError(context, problemOf(error))));
  app.addHook('onSend', async (_request, reply) => {
    const skewMs = context.switches.clockSkewInSeconds * 1000;
    if (skewMs !== 0) void reply.header('date', new Date(Date.now() + skewMs).toUTCString());
  });
  app.addHook('onResponse', async (request, reply) => {
    context.start.logger.info(
      { method: request.method, path: request.url, status: reply.statusCode },
      'answered',
    );
  });
  addEndpoints(app, context, {
    addresses: accountEndpoints,
    acts: { ...fixedPriceActs, ...listingActs, ...imageActs, ...afterBookingActs, ...ltlActs, ...lookupActs },
    callOf: (call, operation) => ({
      ...call,
      account: context.accounts.authenticate(call.request.headers, operation),
    }),
  });
  addEndpoints(app, context, {
    addresses: openEndpoints,
    acts: { ...signInActs, ...webActs },
    callOf: (call) => call,
  });
  await app.register(async (part) => addControlRoutes(part, context, controls), { prefix: '/_sandbox' });
  return app;
}

/** An empty JSON body is no body, as most servers have it; a DELETE often announces JSON and sends nothing. */
function readBodies(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: unknown, text: string) => {
      try {
        return text === '' ? undefined : JSON.parse(text);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new ApiProblem(400, `The body is not JSON: ${reason}`);
      }
    },
  );
}

/** What the web framework (media type, size) or a schema of the control plane refuses, in the marketplace's own form. */
function problemOf(error: unknown): unknown {
  if (error instanceof ZodError) return notUnderstood(error);
  if (error instanceof ApiProblem || !(error instanceof Error)) return error;
  const statusCode: unknown = 'statusCode' in error ? error.statusCode : undefined;
  return typeof statusCode === 'number' && statusCode < 500
    ? new ApiProblem(statusCode, error.message)
    : error;
}

function notUnderstood({ issues }: ZodError): ApiProblem {
  const errors = issues.map(({ path, message }) => errorEntry(path.join('.'), message));
  const reasons = errors.map(({ field, reason }) => `${field} ${reason}`);
  return new ApiProblem(400, `Not understood: ${reasons.join('; ')}`, errors);
}
