import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { actSchema } from '../acts';
import { chaosSchema } from '../chaos';
import { clockSchema } from '../clock';
import type { SandboxContext } from '../context';
import type { Controls } from '../controls';
import {
  advanceSchema,
  attachmentSchema,
  deliveryTimeFrameSchema,
  eventSchema,
  locationSchema,
  mishapSchema,
  priceSchema,
  referenceSchema,
} from '../controls';
import { ApiProblem, codeInvalid } from '../errors';
import { burstSchema, crowdedSchema, foreignSchema } from '../event-floods';
import { faultSchema } from '../faults';
import { objectOf, textOf } from '../json';
import { applySwitches, switchChangesSchema } from '../switches';
import { judge } from '../verdict';
import { webhookSchema } from '../deliveries';

const keySchema = z.strictObject({ account: z.string().optional(), key: z.string().min(1) });

/** The control plane: no key, because it is the test's own door and not part of the marketplace. */
export function addControlRoutes(app: FastifyInstance, context: SandboxContext, controls: Controls): void {
  app.get('/_sandbox/health', () => ({ status: 'ok', seed: context.seed, ...context.clock.settings() }));
  app.get('/_sandbox/ledger', ({ query }) => {
    const reference = textOf(objectOf(query)['reference']);
    const ledger = context.ledger();
    if (reference === '') return ledger;
    return ledger.orders[reference] ?? notFound(`Nothing was created for ${reference}.`);
  });
  app.get('/_sandbox/ledger/verdict', () => judge(context.ledger()));
  app.get('/_sandbox/requests', ({ query }) => {
    const endpoint = textOf(objectOf(query)['endpoint']);
    return { items: context.requests.list(endpoint === '' ? undefined : endpoint) };
  });
  app.post('/_sandbox/reset', () => {
    context.reset();
    return { status: 'ok' };
  });
  addSettingRoutes(app, context);
  addWebhookRoutes(app, context, controls);
  addListingControls(app, controls);
}

/** What is scripted and can be listed, added to (one or a list), and deleted as a whole. */
interface Script<Input> {
  add(input: Input): object;
  list(): readonly object[];
  clear(): void;
}

/** Everything of a list is read before any of it is added. */
function addScriptRoutes<Input>(
  app: FastifyInstance,
  path: string,
  { schema, script }: { readonly schema: z.ZodType<Input>; readonly script: Script<Input> },
): void {
  app.get(path, () => ({ items: script.list() }));
  app.post(path, ({ body }, reply) => {
    const inputs: readonly unknown[] = Array.isArray(body) ? body : [body];
    const parsed = inputs.map((input) => parse(schema, input));
    void reply.code(201);
    return { items: parsed.map((input) => script.add(input)) };
  });
  app.delete(path, (_request, reply) => {
    script.clear();
    return reply.code(204).send();
  });
}

function addSettingRoutes(app: FastifyInstance, context: SandboxContext): void {
  addScriptRoutes(app, '/_sandbox/faults', { schema: faultSchema, script: context.faults });
  addScriptRoutes(app, '/_sandbox/acts', { schema: actSchema, script: context.acts });
  app.get('/_sandbox/chaos', () => ({ profile: context.chaos.profile() }));
  app.post('/_sandbox/chaos', ({ body }) => ({
    profile: context.chaos.configure(parse(chaosSchema, body)),
  }));
  app.delete('/_sandbox/chaos', (_request, reply) => {
    context.chaos.configure(undefined);
    return reply.code(204).send();
  });
  app.get('/_sandbox/switches', () => context.switches);
  app.post('/_sandbox/switches', ({ body }) => {
    applySwitches(context.switches, parse(switchChangesSchema, body));
    return context.switches;
  });
  app.get('/_sandbox/clock', () => context.clock.settings());
  app.post('/_sandbox/clock', ({ body }) => {
    context.clock.configure(parse(clockSchema, body));
    return context.clock.settings();
  });
  app.post('/_sandbox/keys', ({ body }) => {
    const { account, key } = parse(keySchema, body);
    const owner = context.accounts.rotateKey(account, key) ?? notFound(`There is no account ${account}.`);
    return { account: owner.name };
  });
  app.post('/_sandbox/sessions/end', () => {
    context.accounts.endSessions();
    return { status: 'ok' };
  });
  app.post('/_sandbox/tokens/expire', () => {
    context.accounts.expireTokens();
    return { status: 'ok' };
  });
}

function addWebhookRoutes(app: FastifyInstance, context: SandboxContext, controls: Controls): void {
  app.get('/_sandbox/webhooks', () => ({ items: context.webhooks.list() }));
  app.post('/_sandbox/webhooks', ({ body }, reply) => {
    void reply.code(201);
    return context.webhooks.add(parse(webhookSchema, body));
  });
  app.delete('/_sandbox/webhooks', (_request, reply) => {
    context.webhooks.removeAll();
    return reply.code(204).send();
  });
  app.get('/_sandbox/events', () => ({ items: context.webhooks.events() }));
  app.get('/_sandbox/events/counts', () => ({
    counts: context.webhooks.counts(),
    toldListings: context.webhooks.toldListings(),
  }));
  app.post('/_sandbox/events', ({ body }) => controls.sendEvent(parse(eventSchema, body)));
  app.post('/_sandbox/events/burst', ({ body }) => ({
    items: controls.sendBurst(parse(burstSchema, body)),
  }));
  app.post('/_sandbox/events/crowded', ({ body }) => controls.sendCrowded(parse(crowdedSchema, body)));
  app.post('/_sandbox/events/foreign', ({ body }) => controls.createForeign(parse(foreignSchema, body)));
}

function addListingControls(app: FastifyInstance, controls: Controls): void {
  const url = (action: string): string => `/_sandbox/listings/:listingId/${action}`;
  const idOf = (params: unknown): string => textOf(objectOf(params)['listingId']);
  app.post(url('advance'), ({ params, body }) => controls.advance(idOf(params), parse(advanceSchema, body)));
  app.post('/_sandbox/rates/:rateId/withdraw', ({ params }) =>
    controls.withdrawRate(textOf(objectOf(params)['rateId'])),
  );
  app.post('/_sandbox/acceptances/:executionId/withdraw', ({ params }) =>
    controls.withdrawAcceptance(textOf(objectOf(params)['executionId'])),
  );
  app.post(url('mishap'), ({ params, body }) => controls.mishap(idOf(params), parse(mishapSchema, body)));
  app.post(url('price'), ({ params, body }) => controls.adjustPrice(idOf(params), parse(priceSchema, body)));
  app.post(url('location'), ({ params, body }) =>
    controls.setLocation(idOf(params), parse(locationSchema, body)),
  );
  app.post(url('references'), ({ params, body }) =>
    controls.addReference(idOf(params), parse(referenceSchema, body)),
  );
  app.post(url('attachments'), ({ params, body }) =>
    controls.addAttachment(idOf(params), parse(attachmentSchema, body)),
  );
  app.post(url('deliveryTimeFrame'), ({ params, body }) =>
    controls.changeDeliveryTimeFrame(idOf(params), parse(deliveryTimeFrameSchema, body)),
  );
}

function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body ?? {});
  if (result.success) return result.data;
  const errors = result.error.issues.map(({ path, message }) => ({
    code: codeInvalid,
    field: path.join('.'),
    reason: message,
    severity: 'Error' as const,
  }));
  throw new ApiProblem(
    400,
    `Not understood: ${errors.map(({ field, reason }) => `${field} ${reason}`).join('; ')}`,
    errors,
  );
}

function notFound(reason: string): never {
  throw new ApiProblem(404, reason);
}
