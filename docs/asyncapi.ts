import { jsonSchemaOf, type JsonSchema } from '../src/orders/json-schema';
import { CLOUD_EVENT } from '../src/notifications/cloud-event';
import { notificationSchemas, testEventSchema, typeOf, TEST_TYPE } from '../src/notifications/schema';
import { envelopeSchema } from '../src/webhooks/envelope';
import type { z } from 'zod';

/** Of the events in this document, not of the package. */
const VERSION = '1.0.0';

const SUMMARIES: Readonly<Record<string, string>> = {
  booked: 'A carrier has booked the shipment.',
  pickedUp: 'The goods are on the truck.',
  delivered: 'The goods have arrived; the price may still be corrected.',
  priceChanged: 'The cost by the record changed after the booking.',
  documentsReady: 'New documents are stored: the bill of lading, or attachments.',
  questionOpened: 'The order waits for a person.',
  questionClosed: 'The question was answered, or no longer matters.',
  ended: 'The order is over.',
};

/** As a part of a document, which has its own dialect. */
function payloadOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...payload } = jsonSchemaOf(schema);
  return payload;
}

const SIGNED_HEADERS = {
  type: 'object',
  required: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
  properties: {
    'webhook-id': { type: 'string', description: 'The id of the event: the same in each delivery.' },
    'webhook-timestamp': { type: 'string', description: 'When it was sent; seconds since 1970.' },
    'webhook-signature': {
      type: 'string',
      description: 'One or two signatures by the scheme of Standard Webhooks, with a space between.',
    },
  },
};

interface Message {
  readonly name: string;
  readonly type: string;
  readonly summary: string;
  readonly schema: z.ZodType;
}

const OUT: readonly Message[] = [
  ...notificationSchemas.map(({ kind, schema }) => ({
    ...{ name: kind, type: typeOf(kind), summary: SUMMARIES[kind] ?? '', schema },
  })),
  {
    ...{ name: 'test', type: TEST_TYPE, schema: testEventSchema },
    summary: 'Sent by `consign notifications test`: it is about no order.',
  },
];

const reference = (path: string) => ({ $ref: `#/${path}` });
const POST = { http: { method: 'POST', bindingVersion: '0.3.0' } };

/** AsyncAPI 3 document of the events that Consign sends and receives. */
function asyncApiDocument(): unknown {
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Consign events',
      version: VERSION,
      description:
        "Events that Consign sends to the endpoints of an account (docs/notifications.md), and the marketplace's webhooks that it receives (docs/webhooks.md).",
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    defaultContentType: CLOUD_EVENT,
    channels: {
      notifications: {
        // Without an address: each account has its own.
        description: 'The URL of an endpoint in the accounts file (`notifications`).',
        messages: Object.fromEntries(OUT.map(({ name }) => [name, reference(`components/messages/${name}`)])),
      },
      webhooks: {
        address: '/webhooks/{integration}',
        description: 'The receiver. The secret may also be the last part of the path.',
        parameters: { integration: { description: 'Name of the integration in the accounts file.' } },
        messages: { marketplaceEvent: reference('components/messages/marketplaceEvent') },
      },
    },
    operations: {
      notify: {
        action: 'send',
        channel: reference('channels/notifications'),
        summary: 'In order for each order and endpoint, each at least once.',
        security: [reference('components/securitySchemes/endpointSignature')],
        bindings: POST,
        messages: OUT.map(({ name }) => reference(`channels/notifications/messages/${name}`)),
      },
      receive: {
        action: 'receive',
        channel: reference('channels/webhooks'),
        summary: 'In any order and any number; a lost one is repaired by reading.',
        security: [reference('components/securitySchemes/integrationSecret')],
        bindings: POST,
        messages: [reference('channels/webhooks/messages/marketplaceEvent')],
      },
    },
    components: {
      securitySchemes: {
        endpointSignature: {
          ...{ type: 'httpApiKey', in: 'header', name: 'webhook-signature' },
          description: 'Made with the secret of the endpoint, by the scheme of Standard Webhooks.',
        },
        integrationSecret: { type: 'http', scheme: 'bearer' },
      },
      messages: {
        ...Object.fromEntries(
          OUT.map(({ name, type, summary, schema }) => [
            name,
            {
              ...{ name: type, summary, contentType: CLOUD_EVENT },
              ...{ headers: SIGNED_HEADERS, payload: payloadOf(schema) },
            },
          ]),
        ),
        marketplaceEvent: {
          name: 'marketplaceEvent',
          summary: 'An event of the marketplace, as CloudEvents 1.0 in structured, batched or binary mode.',
          contentType: CLOUD_EVENT,
          payload: payloadOf(envelopeSchema),
        },
      },
    },
  };
}

/** The content of `schema/asyncapi.json`. */
export const asyncApiText = (): string => `${JSON.stringify(asyncApiDocument(), null, 2)}\n`;
/** Shipped in the package. */
export const ASYNC_API = 'schema/asyncapi.json';
