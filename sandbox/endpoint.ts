import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { SandboxAccount } from './accounts';
import { bytesOf } from './answer-bytes';
import type { SandboxContext } from './context';
import { ApiProblem, errorBody, OAuthProblem } from './errors';
import { answerInstead, spoilAnswer } from './fault-answers';
import type { Fault } from './faults';
import { objectOf, textOf } from './json';
import type { Operation } from './operations';
import { referenceOfRequest } from './order-history';
import type { RecordedRequest } from './request-log';

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: unknown;
}

export interface Call {
  readonly request: FastifyRequest;
  readonly body: unknown;
  readonly param: (name: string) => string;
  readonly query: (name: string) => string | undefined;
}

export interface AccountCall extends Call {
  readonly account: SandboxAccount;
}

interface Route {
  readonly operation: Operation;
  readonly method: HTTPMethods;
  readonly url: string;
}

/** An endpoint that wants an API key or an access token. */
export function addEndpoint(
  app: FastifyInstance,
  context: SandboxContext,
  route: Route,
  act: (call: AccountCall) => Answer | Promise<Answer>,
): void {
  addOpenEndpoint(app, context, route, (call) => {
    const account = context.accounts.authenticate(call.request.headers, route.operation);
    return act({ ...call, account });
  });
}

/** Each request is recorded, meets the scripted faults, is acted on, and is answered: in this order, in one place. */
export function addOpenEndpoint(
  app: FastifyInstance,
  context: SandboxContext,
  { operation, method, url }: Route,
  act: (call: Call) => Answer | Promise<Answer>,
): void {
  app.route({
    method,
    url,
    handler: async (request, reply) => {
      const recorded = context.requests.record(operation, request);
      const reference = referenceOfRequest(context.store, request);
      const fault = chooseFault(context, recorded, reference);
      if (fault?.kind === 'hangUpBefore') return hangUp(request, reply);
      if (fault?.kind === 'resetBefore') return reset(request, reply);
      if (fault?.kind === 'delayBefore' && !(await context.clock.wait(fault.delayMs ?? 0)))
        return hangUp(request, reply);
      if (fault?.kind === 'bookBefore') bookNamed(context, request);
      const acted = (fault && answerInstead(fault)) ?? (await perform(context, act, callOf(request)));
      context.acts.note(context, operation, reference);
      const answer = fault === undefined ? acted : spoilAnswer(acted, fault);
      if (fault?.kind === 'hangUpAfter') return hangUp(request, reply);
      if (fault?.kind === 'resetAfter') return reset(request, reply);
      if (fault?.kind === 'delay' && !(await context.clock.wait(fault.delayMs ?? 0)))
        return hangUp(request, reply);
      recorded.status = answer.status;
      if (fault?.kind === 'truncate' || fault?.kind === 'stall') return breakOff(reply, answer, fault.kind);
      return send(reply, answer);
    },
  });
}

/** A scripted fault goes first; chaos draws for every request all the same, so that scripts do not move it. */
function chooseFault(
  context: SandboxContext,
  recorded: RecordedRequest,
  reference: string,
): Fault | undefined {
  const { operation, path, body, number, at } = recorded;
  const subject = reference === '' ? `${path} ${JSON.stringify(body ?? null)}` : reference;
  const drawn = context.chaos.draw(operation, subject);
  const script = context.faults.take(operation, { path, body, reference });
  const fault = script ?? drawn;
  if (fault === undefined) return undefined;
  recorded.fault = fault.kind;
  const cause = script === undefined ? 'chaos' : 'script';
  context.history.noteFault(reference, { at, endpoint: operation, kind: fault.kind, cause, request: number });
  return fault;
}

/** A carrier is quicker than the request: the listing in its path is booked before the endpoint acts. */
function bookNamed(context: SandboxContext, request: FastifyRequest): void {
  const listing = context.store.listings.get(Number(objectOf(request.params)['listingId']));
  if (listing !== undefined && listing.deletedOn === undefined && listing.bookedOn === undefined)
    context.life.book(listing);
}

function callOf(request: FastifyRequest): Call {
  const query = objectOf(request.query);
  return {
    request,
    body: request.body,
    param: (name) => textOf(objectOf(request.params)[name]),
    query: (name) => (query[name] === undefined ? undefined : textOf(query[name])),
  };
}

async function perform(
  context: SandboxContext,
  act: (call: Call) => Answer | Promise<Answer>,
  call: Call,
): Promise<Answer> {
  try {
    return await act(call);
  } catch (error) {
    return answerOfError(context, error);
  }
}

export function answerOfError(context: SandboxContext, error: unknown): Answer {
  if (error instanceof OAuthProblem) {
    return { status: error.status, body: { error: error.code, error_description: error.description } };
  }
  if (error instanceof ApiProblem) {
    const { contentType, body } = errorBody(error, context.switches.errorBody);
    return { status: error.status, headers: { 'content-type': contentType, ...error.headers }, body };
  }
  context.logger.error({ err: error }, 'the sandbox itself failed');
  return answerOfError(context, new ApiProblem(500, 'Internal server error.'));
}

export function send(reply: FastifyReply, { status, headers = {}, body }: Answer): FastifyReply {
  const { bytes, contentType } = bytesOf(body);
  void reply.code(status);
  if (contentType !== '') void reply.header('content-type', contentType);
  void reply.headers(headers);
  return bytes.length === 0 ? reply.send() : reply.send(bytes);
}

function hangUp(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  void reply.hijack();
  request.raw.socket.destroy();
  return reply;
}

/** As a proxy, or a machine that dies: the client's platform tells of a reset connection, not of one that was closed. */
function reset(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  void reply.hijack();
  request.raw.socket.resetAndDestroy();
  return reply;
}

/** Announces the whole body, sends half of it, and then breaks the connection or keeps it open without a word. */
function breakOff(reply: FastifyReply, answer: Answer, kind: 'truncate' | 'stall'): FastifyReply {
  const { bytes, contentType } = bytesOf(answer.body ?? { message: 'a body that never ends' });
  void reply.hijack();
  reply.raw.writeHead(answer.status, {
    'content-type': contentType,
    ...answer.headers,
    'content-length': bytes.length,
  });
  reply.raw.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => {
    if (kind === 'truncate') reply.raw.socket?.destroy();
  });
  return reply;
}
