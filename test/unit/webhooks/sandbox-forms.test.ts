import { afterEach, expect, test } from '@jest/globals';
import type { MarketplaceEvent } from '../../../src/domain/marketplace-event';
import { createLog } from '../../../src/platform/log';
import type { SwitchChanges } from '../../../sandbox';
import { createReceiver } from '../../../src/webhooks/receiver';
import { bookedListing, closeSandboxes, quickSandbox, until } from '../sandbox/marketplace-client';

const BOOKED = 'Listing.Booked/v1';
const SECRET = 'of-the-sandbox';

let receiver: ReturnType<typeof createReceiver> | undefined;
afterEach(async () => {
  await closeSandboxes();
  await receiver?.close();
});

const text = { webhookData: 'text' } as const;
const gzip = { webhookCoding: 'gzip' } as const;
const mode = (webhookMode: NonNullable<SwitchChanges['webhookMode']>) => ({ webhookMode });

test.each<[SwitchChanges]>([
  [{}],
  [mode('batched')],
  [mode('binary')],
  [text],
  [gzip],
  [{ ...mode('batched'), ...gzip, ...text }],
  [{ ...mode('binary'), ...gzip, ...text, webhookContentType: 'text/plain' }],
  [{ ...mode('binary'), webhookListingId: 'source', webhookReferences: false }],
])('the sandbox sends events under %j, and the receiver reads them as equal', async (switches) => {
  const taken: MarketplaceEvent[] = [];
  receiver = createReceiver({
    integrations: [{ name: 'acme', secret: async () => await Promise.resolve(SECRET), accounts: [] }],
    router: {
      async route(_sender, event) {
        taken.push(event);
        return await Promise.resolve('signalled');
      },
    },
    isTemporalUp: async () => await Promise.resolve(true),
    log: createLog('test', 'silent'),
  });
  const url = `${await receiver.listen({ host: '127.0.0.1', port: 0 })}/webhooks/acme/${SECRET}`;
  const sandbox = await quickSandbox({ switches: { transit: 'manual', ...switches }, webhooks: [{ url }] });
  const listingId = await bookedListing(sandbox);
  const sent = await until(
    () => sandbox.events().find(({ envelope }) => envelope['type'] === BOOKED),
    (event) => (event?.attempts.length ?? 0) > 0,
  );
  const booked = taken.find(({ type }) => type === BOOKED);
  expect(booked).toMatchObject({ id: sent?.envelope['id'], says: 'bookedEvent', listingIds: [listingId] });
  expect(sent?.attempts.map(({ outcome }) => outcome)).toEqual([200]);
});
