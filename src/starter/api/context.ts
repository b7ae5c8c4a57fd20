import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiScope } from '../../accounts';
import type { ShipmentClient } from '../client/shipment-client';
import type { Caller } from './authorize';
import type { ApiCounts } from './counts';
import type { ApiTypes } from './openapi';
import type { OrderContext } from './order-of-request';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null when the request has no valid token. */
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** What a token needs; a route without it is closed to everybody. */
    scopes?: readonly ApiScope[];
  }
}

/** What the routes work with. */
export interface ApiContext extends OrderContext {
  readonly shipments: ShipmentClient;
  readonly log: FastifyBaseLogger;
  readonly counts: ApiCounts;
}

/** The part of the server whose routes need a token. */
export type ApiServer = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ApiTypes
>;
