import type { FastifyInstance } from 'fastify';
import { judge } from '../ledger/ledger';
import type { SandboxContext } from '../market/context';
import type {
  AdvanceInput,
  AttachmentInput,
  Controls,
  DeliveryTimeFrameInput,
  EventInput,
  LocationInput,
  PriceInput,
  ReferenceInput,
} from '../market/controls';
import { clockSchema } from '../model/clock';
import { ApiProblem } from '../model/errors';
import { objectOf, textOf } from '../model/json';
import { applySwitches, switchChangesSchema } from '../model/switches';
import { troubleSchema } from '../troubles/trouble';
import type { WebhookInput } from '../webhooks/deliveries';

/**
 * The control plane, below `/_sandbox`: no key, because it is the test's own door and not part of the marketplace. What
 * a body may be is checked by whatever takes it.
 */
export function addControlRoutes(app: FastifyInstance, context: SandboxContext, controls: Controls): void {
  app.addHook('preHandler', (request, _reply, done) => {
    request.body ??= {};
    done();
  });
  app.get('/health', () => ({ status: 'ok', seed: context.seed, ...context.clock.settings() }));
  app.get('/ledger', ({ query }) => {
    const reference = textOf(objectOf(query)['reference']);
    const ledger = context.ledger();
    if (reference === '') return ledger;
    const order = ledger.orders[reference];
    if (order === undefined) throw new ApiProblem(404, `Nothing was created for ${reference}.`);
    return order;
  });
  app.get('/ledger/verdict', () => judge(context.ledger()));
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
  app.get('/troubles', () => ({ items: context.troubles.list() }));
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
  app.post('/switches', ({ body }) => {
    applySwitches(context.switches, switchChangesSchema.parse(body));
    return context.switches;
  });
  app.get('/clock', () => context.clock.settings());
  app.post('/clock', ({ body }) => {
    context.clock.configure(clockSchema.parse(body));
    return context.clock.settings();
  });
}

function addWebhookRoutes(app: FastifyInstance, context: SandboxContext, controls: Controls): void {
  const { webhooks } = context;
  app.get('/webhooks', () => ({ items: webhooks.list() }));
  app.post<{ Body: WebhookInput }>('/webhooks', ({ body }, reply) => {
    void reply.code(201);
    return webhooks.add(body);
  });
  app.delete('/webhooks', (_request, reply) => {
    webhooks.removeAll();
    return reply.code(204).send();
  });
  app.get('/events', () => ({ items: webhooks.events() }));
  app.get('/events/counts', () => webhooks.deliveries());
  app.post<{ Body: EventInput }>('/events', ({ body }) => controls.sendEvent(body));
}

interface By<Body> {
  readonly Params: { readonly id: string };
  readonly Body: Body;
}

/** What `Controls` does by hand, over HTTP. */
function addHandRoutes(app: FastifyInstance, controls: Controls): void {
  const listing = '/listings/:id';
  app.post<By<unknown>>('/rates/:id/withdraw', ({ params }) => controls.withdrawRate(params.id));
  app.post<By<unknown>>('/acceptances/:id/withdraw', ({ params }) => controls.withdrawAcceptance(params.id));
  app.post<By<AdvanceInput>>(`${listing}/advance`, ({ params, body }) => controls.advance(params.id, body));
  app.post<By<PriceInput>>(`${listing}/price`, ({ params, body }) => controls.adjustPrice(params.id, body));
  app.post<By<LocationInput>>(`${listing}/location`, ({ params, body }) =>
    controls.setLocation(params.id, body),
  );
  app.post<By<ReferenceInput>>(`${listing}/references`, ({ params, body }) =>
    controls.addReference(params.id, body),
  );
  app.post<By<AttachmentInput>>(`${listing}/attachments`, ({ params, body }) =>
    controls.addAttachment(params.id, body),
  );
  app.post<By<DeliveryTimeFrameInput>>(`${listing}/deliveryTimeFrame`, ({ params, body }) =>
    controls.changeDeliveryTimeFrame(params.id, body),
  );
}
