import type { FastifyInstance } from 'fastify';
import { judge, writeLedger } from '../ledger/ledger';
import type { SandboxContext } from '../market/context';
import type { Controls, EventInput } from '../market/controls';
import type { ClockSettings } from '../model/clock';
import { ApiProblem } from '../model/errors';
import { objectOf, textOf } from '../model/json';
import { applySwitches, type SwitchChanges } from '../model/switches';
import { troubleSchema } from '../troubles/trouble';
import type { WebhookInput } from '../webhooks/deliveries';

/**
 * The control plane, below `/_sandbox`: no key, because it is the test's own door and not part of the marketplace. What
 * a body may be is checked by whatever takes it.
 */
export function addControlRoutes(app: FastifyInstance, context: SandboxContext, controls: Controls): void {
  app.addHook('preHandler', async (request) => {
    request.body ??= {};
  });
  app.get('/health', () => ({ status: 'ok', seed: context.start.seed, ...context.clock.settings }));
  app.get('/ledger', ({ query }) => {
    const reference = textOf(objectOf(query)['reference']);
    const ledger = writeLedger(context);
    if (reference === '') return ledger;
    const order = ledger.orders[reference];
    if (order === undefined) throw new ApiProblem(404, `Nothing was created for ${reference}.`);
    return order;
  });
  app.get('/ledger/verdict', () => judge(writeLedger(context)));
  app.get('/requests', ({ query }) => {
    const endpoint = textOf(objectOf(query)['endpoint']);
    return { items: context.requests.list(endpoint === '' ? undefined : endpoint) };
  });
  app.post('/reset', () => {
    context.reset();
    return { status: 'ok' };
  });
  addTroubleRoutes(app, context);
  addSettingRoutes(app, context);
  addWebhookRoutes(app, context, controls);
  addHandRoutes(app, controls);
}

function addTroubleRoutes(app: FastifyInstance, context: SandboxContext): void {
  app.get('/troubles', () => ({ items: context.troubles.list }));
  app.post('/troubles', ({ body }, reply) => {
    const inputs: readonly unknown[] = Array.isArray(body) ? body : [body];
    // Everything of a list is read before any of it is added.
    const troubles = inputs.map((input) => troubleSchema.parse(input ?? {}));
    void reply.code(201);
    return { items: troubles.map((trouble) => context.addTrouble(trouble)) };
  });
  app.delete('/troubles', (_request, reply) => {
    context.troubles.clear();
    return reply.code(204).send();
  });
}

function addSettingRoutes(app: FastifyInstance, context: SandboxContext): void {
  app.get('/switches', () => context.switches);
  app.post<{ Body: SwitchChanges }>('/switches', ({ body }) => applySwitches(context.switches, body));
  app.get('/clock', () => context.clock.settings);
  app.post<{ Body: ClockSettings }>('/clock', ({ body }) => {
    context.clock.configure(body);
    return context.clock.settings;
  });
}

function addWebhookRoutes(app: FastifyInstance, context: SandboxContext, controls: Controls): void {
  const { webhooks } = context;
  app.get('/webhooks', () => ({ items: webhooks.list }));
  app.post<{ Body: WebhookInput }>('/webhooks', ({ body }, reply) => {
    void reply.code(201);
    return webhooks.add(body);
  });
  app.delete('/webhooks', (_request, reply) => {
    webhooks.list = [];
    return reply.code(204).send();
  });
  app.get('/events', () => ({ items: webhooks.events }));
  app.get('/events/counts', () => webhooks.deliveries());
  app.post<{ Body: EventInput }>('/events', ({ body }) => controls.sendEvent(body));
}

interface Hand {
  /** Checks itself what it takes. */
  act(id: string, input: unknown): unknown;
}

function addHandRoutes(app: FastifyInstance, controls: Controls): void {
  const byHand = (path: string, act: Hand['act']): unknown =>
    app.post<{ Params: { id: string } }>(path, ({ params, body }) => act(params.id, body));
  const listing = '/listings/:id';
  byHand('/rates/:id/withdraw', controls.withdrawRate);
  byHand('/acceptances/:id/withdraw', controls.withdrawAcceptance);
  byHand(`${listing}/advance`, controls.advance);
  byHand(`${listing}/price`, controls.adjustPrice);
  byHand(`${listing}/location`, controls.setLocation);
  byHand(`${listing}/references`, controls.addReference);
  byHand(`${listing}/attachments`, controls.addAttachment);
  byHand(`${listing}/deliveryTimeFrame`, controls.changeDeliveryTimeFrame);
}
