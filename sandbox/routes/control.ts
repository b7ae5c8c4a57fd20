import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { judge } from '../ledger/verdict';
import type { SandboxContext } from '../market/context';
import {
  advanceSchema,
  attachmentSchema,
  deliveryTimeFrameSchema,
  eventSchema,
  locationSchema,
  priceSchema,
  referenceSchema,
  type Controls,
} from '../market/controls';
import { clockSchema } from '../model/clock';
import { ApiProblem, codeInvalid } from '../model/errors';
import { objectOf, textOf } from '../model/json';
import { applySwitches, switchChangesSchema } from '../model/switches';
import { troubleSchema } from '../troubles/trouble';
import { webhookSchema } from '../webhooks/deliveries';

/** The control plane: no key, because it is the test's own door and not part of the marketplace. */
export function addControlRoutes(app: FastifyInstance, context: SandboxContext, controls: Controls): void {
  app.get('/_sandbox/health', () => ({ status: 'ok', seed: context.seed, ...context.clock.settings() }));
  app.get('/_sandbox/ledger', ({ query }) => {
    const reference = textOf(objectOf(query)['reference']);
    const ledger = context.ledger();
    if (reference === '') return ledger;
    const order = ledger.orders[reference];
    if (order === undefined) throw new ApiProblem(404, `Nothing was created for ${reference}.`);
    return order;
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
  addTroubleRoutes(app, context);
  addSettingRoutes(app, context);
  addWebhookRoutes(app, context, controls);
  addListingControls(app, controls);
}

function addTroubleRoutes(app: FastifyInstance, context: SandboxContext): void {
  const path = '/_sandbox/troubles';
  app.get(path, () => ({ items: context.troubles.list() }));
  app.post(path, ({ body }, reply) => {
    const inputs: readonly unknown[] = Array.isArray(body) ? body : [body];
    // Everything of a list is read before any of it is added.
    const troubles = inputs.map((input) => parse(troubleSchema, input));
    void reply.code(201);
    return { items: troubles.map((trouble) => context.addTrouble(trouble)) };
  });
  app.delete(path, (_request, reply) => {
    context.troubles.clear();
    return reply.code(204).send();
  });
}

function addSettingRoutes(app: FastifyInstance, context: SandboxContext): void {
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
}

function addWebhookRoutes(app: FastifyInstance, context: SandboxContext, controls: Controls): void {
  const { webhooks } = context;
  app.get('/_sandbox/webhooks', () => ({ items: webhooks.list() }));
  app.post('/_sandbox/webhooks', ({ body }, reply) => {
    void reply.code(201);
    return webhooks.add(parse(webhookSchema, body));
  });
  app.delete('/_sandbox/webhooks', (_request, reply) => {
    webhooks.removeAll();
    return reply.code(204).send();
  });
  app.get('/_sandbox/events', () => ({ items: webhooks.events() }));
  app.get('/_sandbox/events/counts', () => ({
    counts: webhooks.counts(),
    toldListings: webhooks.toldListings(),
  }));
  app.post('/_sandbox/events', ({ body }) => controls.sendEvent(parse(eventSchema, body)));
}

function addListingControls(app: FastifyInstance, controls: Controls): void {
  const param = (params: unknown, name: string): string => textOf(objectOf(params)[name]);
  app.post('/_sandbox/rates/:rateId/withdraw', ({ params }) =>
    controls.withdrawRate(param(params, 'rateId')),
  );
  app.post('/_sandbox/acceptances/:executionId/withdraw', ({ params }) =>
    controls.withdrawAcceptance(param(params, 'executionId')),
  );
  function add<Schema extends z.ZodType>(
    action: string,
    schema: Schema,
    control: (listingId: string, input: z.output<Schema>) => unknown,
  ): void {
    app.post(`/_sandbox/listings/:listingId/${action}`, ({ params, body }) =>
      control(param(params, 'listingId'), parse(schema, body)),
    );
  }
  add('advance', advanceSchema, (id, input) => controls.advance(id, input));
  add('price', priceSchema, (id, input) => controls.adjustPrice(id, input));
  add('location', locationSchema, (id, input) => controls.setLocation(id, input));
  add('references', referenceSchema, (id, input) => controls.addReference(id, input));
  add('attachments', attachmentSchema, (id, input) => controls.addAttachment(id, input));
  add('deliveryTimeFrame', deliveryTimeFrameSchema, (id, input) =>
    controls.changeDeliveryTimeFrame(id, input),
  );
}

function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body ?? {});
  if (result.success) return result.data;
  const errors = result.error.issues.map(({ path, message }) => ({
    ...{ code: codeInvalid, field: path.join('.'), reason: message },
    severity: 'Error' as const,
  }));
  const reasons = errors.map(({ field, reason }) => `${field} ${reason}`);
  throw new ApiProblem(400, `Not understood: ${reasons.join('; ')}`, errors);
}
