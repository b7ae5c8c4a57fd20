import { orderReferenceOf } from '../model/state';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SandboxContext } from '../market/context';
import { bytesOf, errorAnswer, type Answer } from '../model/answer';
import type { SandboxAccount } from '../model/accounts';
import { ApiProblem } from '../model/errors';
import { isObject, keysOf, objectOf, textOf } from '../model/json';
import type { Operation } from '../model/operations';
import type { Store } from '../model/store';
import { answerInstead, spoilAnswer } from '../troubles/answers';
import type { AnswerTrouble } from '../troubles/trouble';
import type { Occasion } from '../troubles/troubles';
import { nestedBody } from '../validation/form';

export interface Call {
  readonly request: FastifyRequest;
  readonly body: unknown;
  readonly param: (name: string) => string;
  readonly query: (name: string) => string | undefined;
}

export interface AccountCall extends Call {
  readonly account: SandboxAccount;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Act<AnyCall> = (context: SandboxContext, call: AnyCall) => Answer | Promise<Answer>;

interface Endpoints<Name extends Operation, AnyCall> {
  readonly addresses: Readonly<Record<Name, readonly [method: Method | readonly Method[], url: string]>>;
  readonly acts: Readonly<Record<Name, Act<AnyCall>>>;
  /** Makes what these functions take out of a request. */
  readonly callOf: (call: Call, operation: Operation) => AnyCall;
}

export function addEndpoints<Name extends Operation, AnyCall>(
  app: FastifyInstance,
  context: SandboxContext,
  { addresses, acts, callOf }: Endpoints<Name, AnyCall>,
): void {
  for (const operation of keysOf(addresses)) {
    const [method, url] = addresses[operation];
    app.route({
      ...{ method: [method].flat(), url },
      handler: async (request, reply) => {
        const perform = async () => await acts[operation](context, callOf(openCall(request), operation));
        return await handle(context, operation, { request, reply, perform });
      },
    });
  }
}

/** Each request is recorded, meets its trouble, is acted on, and is answered: in this order, in one place. */
async function handle(
  context: SandboxContext,
  operation: Operation,
  {
    request,
    reply,
    perform,
  }: { request: FastifyRequest; reply: FastifyReply; perform: () => Promise<Answer> },
): Promise<FastifyReply> {
  const recorded = context.requests.record(operation, request);
  const { path, body, at, number } = recorded;
  const account = context.accounts.ownerOf(request.headers, operation)?.name;
  const subject = subjectOf(context.store, request);
  const occasion: Occasion = { request: operation, path, body, account, ...subject };
  const struck = context.troubles.strikeRequest(occasion);
  const trouble = struck?.what;
  if (struck !== undefined) {
    const { kind } = struck.what;
    recorded.trouble = kind;
    const cause = struck.isDrawn ? 'chance' : 'script';
    context.history.noteTrouble(subject.reference, { at, endpoint: operation, kind, cause, request: number });
  }
  const waits = async (kind: AnswerTrouble['kind']): Promise<boolean> =>
    trouble?.kind !== kind || (await context.clock.wait(trouble.delayMs ?? 0));
  const cutsOff = isCutOff(trouble, 'Before') || !(await waits('delayBefore'));
  if (cutsOff) return cutOff(request, reply, trouble);
  if (trouble?.kind === 'bookBefore') bookNamed(context, subject.listingId);
  const acted =
    (trouble && answerInstead(trouble)) ??
    (await perform().catch((error: unknown) => answerOfError(context, error)));
  context.performDeeds(occasion);
  const answer = trouble === undefined ? acted : spoilAnswer(acted, trouble);
  if (isCutOff(trouble, 'After') || !(await waits('delay'))) return cutOff(request, reply, trouble);
  recorded.status = answer.status;
  return trouble?.kind === 'truncate' || trouble?.kind === 'stall'
    ? breakOff(reply, answer, trouble.kind)
    : send(reply, answer);
}

/** The order and the listing that a request is about, by its body or by what its path names. */
function subjectOf(
  store: Store,
  request: FastifyRequest,
): Pick<Occasion, 'listingId'> & { reference: string } {
  const listed: unknown = objectOf(nestedBody(request))['referenceNumbers'];
  const given: unknown = (Array.isArray(listed) ? listed : []).find(
    (entry) => isObject(entry) && entry['type'] === 'ThirdPartyOrderNumber',
  );
  const { listingId: named, id } = objectOf(request.params);
  const listing = store.listings.get(Number(textOf(named)));
  const rateRequest = store.rates.get(textOf(id))?.request ?? store.rateRequests.get(textOf(id));
  const known = orderReferenceOf((listing ?? rateRequest)?.draft.referenceNumbers ?? []);
  return {
    reference: given === undefined ? known : textOf(objectOf(given)['number']),
    ...(listing === undefined ? {} : { listingId: listing.listingId }),
  };
}

/** A carrier is quicker than the request: the listing in its path is booked before the endpoint acts. */
function bookNamed(context: SandboxContext, listingId: number | undefined): void {
  const listing = context.store.listings.get(listingId ?? 0);
  if (listing !== undefined && listing.deletedOn === undefined && listing.bookedOn === undefined)
    context.carrier.book(listing);
}

function openCall(request: FastifyRequest): Call {
  const query = objectOf(request.query);
  return {
    request,
    body: request.body,
    param: (name) => textOf(objectOf(request.params)[name]),
    query: (name) => (query[name] === undefined ? undefined : textOf(query[name])),
  };
}

export function answerOfError(context: SandboxContext, error: unknown): Answer {
  if (error instanceof ApiProblem) return errorAnswer(error, context.switches.errorBody);
  context.start.logger.error({ err: error }, 'the sandbox itself failed');
  return answerOfError(context, new ApiProblem(500, 'Internal server error.'));
}

export function send(reply: FastifyReply, { status, headers = {}, body }: Answer): FastifyReply {
  const { bytes, contentType } = bytesOf(body);
  void reply.code(status);
  if (contentType !== '') void reply.header('content-type', contentType);
  void reply.headers(headers);
  return bytes.length === 0 ? reply.send() : reply.send(bytes);
}

const isCutOff = (trouble: AnswerTrouble | undefined, when: 'Before' | 'After'): boolean =>
  trouble?.kind === `hangUp${when}` || trouble?.kind === `reset${when}`;

/** A reset is as of a proxy, or a machine that dies: the client's platform reports it unlike a closed connection. */
function cutOff(
  { raw: { socket } }: FastifyRequest,
  reply: FastifyReply,
  trouble: AnswerTrouble | undefined,
): FastifyReply {
  void reply.hijack();
  if (trouble?.kind.startsWith('reset') === true) socket.resetAndDestroy();
  else socket.destroy();
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
