import type { IdempotencyKeyInput } from '../../contract/workflow-input';

/**
 * Records that an idempotency key came with a request. Its existence is the record, even when no worker runs: nothing
 * else can tie a key to one request, because two requests with one key may be about different orders.
 */
export async function idempotencyKey({ request }: IdempotencyKeyInput): Promise<string> {
  return await Promise.resolve(request);
}
