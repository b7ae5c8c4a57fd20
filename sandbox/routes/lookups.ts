import type { FastifyInstance } from 'fastify';
import { addressTypes } from '../codes';
import type { SandboxContext } from '../context';
import { addEndpoint } from '../endpoint';

/** The same types for every commodity: the contract shows those of one. */
export function addLookupRoutes(app: FastifyInstance, context: SandboxContext): void {
  const url = '/v2/lookups/addressTypes';
  addEndpoint(app, context, { operation: 'listAddressTypes', method: 'GET', url }, () => {
    const items = [...addressTypes].map((type) => context.wording.trio(type));
    return { status: 200, body: { totalCount: items.length, items } };
  });
}
