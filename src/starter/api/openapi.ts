import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { FastifySchema, FastifyTypeProvider } from 'fastify';
import type { z } from 'zod';
import { orderJsonSchema } from '../../orders/json-schema';
import { packageVersion } from '../../platform/package-version';
import { problemDetails } from './answer-schemas';

/** Requests are typed by their schemas; answers by the client library. */
export interface ApiTypes extends FastifyTypeProvider {
  readonly validator: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown;
  readonly serializer: unknown;
}

const TAGS = {
  orders: 'Check, quote and start orders.',
  imports: 'Check and start many orders at once, from CSV or JSON lines.',
  shipments: 'Follow shipments, and read their documents.',
  decisions: 'Decide as a person does. The name of the token is who decides.',
  attention: 'What needs a person, and events that no running shipment received.',
  notifications: "Deliveries to the accounts' endpoints.",
  overview: 'What the token may do, what is due on a day, and how the accounts are.',
  service: 'Whether the API works.',
} as const;

/** What the OpenAPI document says about a route, beside its schemas. */
interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: keyof typeof TAGS;
  /** The answer by status. */
  readonly answers: Readonly<Record<number, z.ZodType>>;
  /** Of the answers. */
  readonly mediaType?: string;
  /** Empty: the route needs no token. */
  readonly security?: readonly [];
}

/** A route's schema for its documentation. Fastify types no answer by it. */
interface OperationSchema extends FastifySchema {
  readonly response: Readonly<Record<string, unknown>>;
}

const problem = { content: { 'application/problem+json': { schema: problemDetails } } };

/** The part of a route's schema that documents it. */
export function operation(operation: Operation): OperationSchema {
  const { id, summary, description, tag, answers, mediaType, security } = operation;
  const type = mediaType ?? 'application/json';
  const good = Object.entries(answers).map(([status, schema]) => [
    status,
    { description: 'Done.', content: { [type]: { schema } } },
  ]);
  return {
    ...{ operationId: id, summary, tags: [tag] },
    ...(description === undefined ? {} : { description }),
    ...(security === undefined ? {} : { security }),
    response: {
      ...Object.fromEntries(good),
      '4xx': { description: 'The request has a problem.', ...problem },
      '5xx': { description: 'The request was not confirmed. It is safe to send it again.', ...problem },
    },
  };
}

/** The schemas that the document refers to. The plugin lists each one twice, for requests and for answers. */
function componentsOf(schemas: Readonly<Record<string, unknown>>, paths: unknown): Record<string, unknown> {
  const all: Record<string, unknown> = { ...schemas, [ORDER]: orderSchema() };
  const used = new Set<string>();
  const texts = [JSON.stringify(paths)];
  for (let text = texts.pop(); text !== undefined; text = texts.pop())
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g))
      if (!used.has(name)) {
        used.add(name);
        texts.push(JSON.stringify(all[name] ?? null));
      }
  return Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
}

/** The plugin's name of the order as a request sends it. */
const ORDER = 'OrderInput';

function orderSchema(): unknown {
  const { $schema: _, ...schema } = orderJsonSchema('draft-2020-12');
  return schema;
}

/** How the OpenAPI document is made of the schemas of the routes. */
export const swaggerOptions = (): FastifyDynamicSwaggerOptions => ({
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Consign HTTP API',
      description:
        'Quote, start, follow and decide shipments. Every request is safe to repeat. docs/api.md describes it with examples.',
      version: packageVersion(),
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: '/', description: 'The API itself.' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    security: [{ token: [] }],
  },
  transform: jsonSchemaTransform,
  transformObject: (document) => {
    const whole = jsonSchemaTransformObject(document);
    const components = 'components' in whole ? whole.components : undefined;
    const schemas = componentsOf({ ...components?.schemas }, whole.paths);
    return Object.assign(whole, { components: { ...components, schemas } });
  },
});
