import { expect, test } from '@jest/globals';
import type { Sandbox, SwitchChanges, TroubleInput } from '../../../sandbox';
import { useEventReceiver } from './event-receiver';
import {
  accept,
  ask,
  collectRates,
  createListing,
  quickSandbox,
  until,
  type Reply,
} from './marketplace-client';

const receiver = useEventReceiver();

const open = { booking: 3_600_000 };
const started = (switches: SwitchChanges = {}, troubles: readonly TroubleInput[] = []) =>
  quickSandbox({ webhooks: [{ url: receiver.url }], clock: { steps: open }, switches, troubles });
const when = { event: '*' } as const;
const strike = (sandbox: Sandbox, json: object) => ask(sandbox, 'POST', '/_sandbox/troubles', { json });
/** The listings that a trouble made. */
const madeBy = ({ body }: Reply) =>
  (body['items']?.[0]?.['listings'] ?? []) as unknown as { listingId: number; isLiveBooking: boolean }[];
const envelopes = () => receiver.received.map(({ envelope }) => envelope);
const whenReceived = (count: number) =>
  until(
    () => receiver.received.length,
    (length) => length >= count,
  );

test('a twin has the same content under a new id', async () => {
  const sandbox = await started({}, [{ when, what: 'twin' }]);
  const listingId = Number(await createListing(sandbox));
  await ask(sandbox, 'POST', '/_sandbox/events', { json: { type: 'Listing.StatusChanged/v1', listingId } });
  await whenReceived(2);
  const [first, second] = envelopes();
  expect({ ...second, id: first?.id }).toEqual(first);
  expect(second?.id).not.toBe(first?.id);
});

test('a reused id comes with other content', async () => {
  const sandbox = await started({}, [{ when, what: 'reusedId' }]);
  const listingId = Number(await createListing(sandbox));
  sandbox.controls.advance(listingId, { to: 'OnHold' });
  sandbox.controls.advance(listingId, { to: 'Active' });
  await whenReceived(2);
  expect(new Set(envelopes().map(({ id }) => id)).size).toBe(1);
  const statuses = envelopes().map(({ data }) => (data['status'] as { value: string }).value);
  expect(new Set(statuses)).toEqual(new Set(['OnHold', 'Active']));
});

test('events of unknown type and unknown status come between the others', async () => {
  const sandbox = await started({}, [
    { when, what: 'unknownType' },
    { when, what: 'unknownStatus' },
  ]);
  const listingId = await createListing(sandbox);
  sandbox.controls.advance(listingId, { to: 'OnHold' });
  await whenReceived(3);
  expect(envelopes()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: 'Listing.Reconsidered/v1' }),
      expect.objectContaining({
        type: 'Listing.StatusChanged/v1',
        data: expect.objectContaining({
          status: expect.objectContaining({ value: 'UnderReview' }),
          referenceNumbers: [expect.objectContaining({ number: 'acme/o-1' })],
        }),
      }),
    ]),
  );
});

test.each([
  ['created', ['Listing.StatusChanged/v1'], 'Active'],
  ['booked', ['Listing.Booked/v1', 'Listing.StatusChanged/v1'], 'Booked'],
] as const)(
  'under webhookEarly %s events are there before the create call answers',
  async (early, types, status) => {
    const sandbox = await started({ webhookEarly: early, transit: 'manual' });
    await createListing(sandbox);
    // A bill of lading may already be told of too.
    expect(envelopes().map(({ type }) => type)).toEqual(expect.arrayContaining([...types]));
    expect(sandbox.order('acme/o-1').listings).toMatchObject([{ status }]);
  },
);

test('under webhookEarly booked an acceptance is booked before it answers', async () => {
  const sandbox = await started({ webhookEarly: 'booked', transit: 'manual' });
  const [rate] = await collectRates(sandbox);
  expect((await accept(sandbox, rate?.['id'])).status).toBe(202);
  expect(envelopes().map(({ type }) => type)).toContain('Listing.Booked/v1');
});

test('a burst is many events of one listing at once', async () => {
  const sandbox = await started();
  const listingId = Number(await createListing(sandbox));
  const what = { kind: 'eventBurst', count: 40 };
  expect((await strike(sandbox, { whom: { listing: listingId }, what })).status).toBe(201);
  await whenReceived(40);
  expect(new Set(envelopes().map(({ id }) => id)).size).toBe(40);
  expect(new Set(envelopes().map(({ data }) => data['listingUri'])).size).toBe(1);
});

test('a flood is events of as many listings that nobody of us made', async () => {
  const sandbox = await started();
  const type = 'Listing.PriceDetailsUpdated/v1';
  const what = { kind: 'foreignListings', count: 30, eventsEach: 2, type };
  const [first] = madeBy(await strike(sandbox, { what }));
  await whenReceived(60);
  expect(new Set(envelopes().map(({ data }) => data['listingUri'])).size).toBe(30);
  for (const { data } of envelopes()) expect(data['referenceNumbers']).toEqual([]);
  const record = await ask(sandbox, 'GET', `/v2/listings/${first?.listingId}`);
  expect(record.body).toMatchObject({ status: { value: 'Active' }, referenceNumbers: [] });
  expect(sandbox.ledger()).toMatchObject({ orders: {}, unreferenced: { created: 30, openListings: 30 } });
});

test('foreign listings of another account cannot be read, and may be booked', async () => {
  const accounts = [
    { name: 'us', apiKeys: ['sandbox-key'] },
    { name: 'others', apiKeys: ['their-key'] },
  ];
  const sandbox = await quickSandbox({ accounts, webhooks: [{ url: receiver.url }] });
  const what = { kind: 'foreignListings', status: 'Booked', eventsEach: 0 };
  const [listing] = madeBy(await strike(sandbox, { whom: { account: 'others' }, what }));
  expect(listing?.isLiveBooking).toBe(true);
  expect((await ask(sandbox, 'GET', `/v2/listings/${listing?.listingId}`)).status).toBe(404);
  await receiver.ofType('Listing.Booked/v1');
  const nobody = await strike(sandbox, { whom: { account: 'nobody' }, what });
  expect(nobody.status).toBe(404);
});

test('what is posted by hand like a listing has its route and items, under the references given', async () => {
  const sandbox = await started();
  const like = Number(await createListing(sandbox));
  const referenceNumbers = [{ number: 'acme/o-1', type: 'ThirdPartyOrderNumber' }];
  const kind = 'foreignListings';
  const [posted] = madeBy(await strike(sandbox, { what: { kind, like, referenceNumbers } }));
  expect(posted).toMatchObject({ createdBy: 'hand', referenceNumbers });
  const read = async (id: unknown) => (await ask(sandbox, 'GET', `/v2/listings/${String(id)}`)).body;
  const [first, second] = [await read(like), await read(posted?.listingId)];
  expect([second['route'], second['items']]).toEqual([first['route'], first['items']]);
  const unknown = await strike(sandbox, { what: { kind, like: 1 } });
  expect(unknown.status).toBe(404);
});

test('a burst of 5,000 attachment events adds a document with each', async () => {
  const sandbox = await quickSandbox({ clock: { steps: open } });
  const listingId = Number(await createListing(sandbox));
  const type = 'Listing.Attachment.AttachmentAdded/v1';
  const what = { kind: 'eventBurst', count: 5000, type };
  expect((await strike(sandbox, { whom: { listing: listingId }, what })).status).toBe(201);
  const added = sandbox.events().filter(({ envelope }) => envelope['type'] === type);
  const ids = added.map(({ envelope }) => (envelope['data'] as Record<string, unknown>)['attachmentId']);
  expect([added.length, new Set(ids).size]).toEqual([5000, 5000]);
  const last = await ask(sandbox, 'GET', `/v2/listings/${listingId}/attachments/${String(ids.at(-1))}`);
  expect(last.body).toMatchObject({ fileName: 'document-5000.pdf' });
});

test('a burst of more events than connections arrives as a whole', async () => {
  const sandbox = await started();
  const listingId = Number(await createListing(sandbox));
  await strike(sandbox, { whom: { listing: listingId }, what: { kind: 'eventBurst', count: 400 } });
  await whenReceived(400);
  expect(new Set(envelopes().map(({ id }) => id)).size).toBe(400);
});

test('a transit status of 2,049 bytes is on the record and in its event', async () => {
  const sandbox = await started({ transit: 'manual' });
  const listingId = await createListing(sandbox);
  const to = 'ü'.repeat(1024) + 'x';
  await ask(sandbox, 'POST', `/_sandbox/listings/${listingId}/advance`, { json: { to, kind: 'transit' } });
  const { body } = await ask(sandbox, 'GET', `/v2/listings/${listingId}`);
  expect(body['transitStatus']).toMatchObject({ value: to });
  await until(
    () => envelopes().map(({ type }) => type),
    (types) => types.includes('Shipment.TransitStatusChanged/v1'),
  );
});
