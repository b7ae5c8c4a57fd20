import { expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import type { ClosableMarketplace } from '../../src/marketplace/create-marketplace';
import { ACCOUNT, runActivity } from './run-activity';
import { until, useSandbox, webSignIn } from './sandbox-client';

const marketplace = useSandbox();
const pace = { initialMs: 10, maximumMs: 10 };
const hold = () => marketplace.sandbox.setClock({ steps: { booking: 3_600_000, billOfLading: 3_600_000 } });

async function book(client: ClosableMarketplace): Promise<string> {
  const listingId = await marketplace.createListing(client);
  marketplace.sandbox.controls.advance(listingId, { to: 'Booked' });
  return listingId;
}

test.each(['getListingContacts', 'getTracking', 'getBillOfLading'] as const)(
  'before the booking %s answers 404',
  async (call) => {
    hold();
    const client = marketplace.open();
    const listingId = await marketplace.createListing(client);
    await expect(client[call](listingId)).rejects.toMatchObject({ status: 404, outcome: 'rejected' });
  },
);

test.each([
  ['pollContacts', 'getListingContacts'],
  ['watchTracking', 'getTracking'],
  ['pollBillOfLading', 'getBillOfLading'],
  ['pollTrackingLink', 'getTrackingLink'],
] as const)('%s counts a 403 and a 404 as not ready, and not as an error', async (name, endpoint) => {
  const client = marketplace.open({ web: webSignIn });
  for (const status of [403, 404]) {
    marketplace.sandbox.trouble({ when: endpoint, what: { kind: 'status', status }, times: 1 });
    const input = { account: ACCOUNT, listingId: '123456789', known: null, isDue: true, pace };
    const { outcome } = await runActivity(client, name, input);
    expect(outcome).toBeInstanceOf(ApplicationFailure);
    expect(outcome).toMatchObject({ type: 'NotYet', nonRetryable: false });
  }
});

test.each([
  ['watchListing', 'getListing'],
  ['watchTracking', 'getTracking'],
] as const)('%s waits for its pace before it reads again what was just read', async (name, endpoint) => {
  const client = marketplace.open();
  const listingId = await book(client);
  const looksBefore = marketplace.sandbox.requests(endpoint).length;
  const looks = () => marketplace.sandbox.requests(endpoint).length - looksBefore;
  const ofListing = {
    knownFingerprint: 'another',
    readBy: [],
    witnesses: [],
    tellAfterMs: null,
    failingSinceMs: null,
  };
  const ofTracking = { known: null, positionDueInMs: 0 };
  const input = { account: ACCOUNT, listingId, ...ofListing, ...ofTracking, isDue: false, pace };
  const early = await runActivity(client, name, input);
  expect(early.outcome).toMatchObject({ type: 'NotYet', nextRetryDelay: expect.any(Number) });
  expect(looks()).toBe(0);
  const later = await runActivity(client, name, input, 2);
  expect(later.outcome).not.toBeInstanceOf(Error);
  const due = await runActivity(client, name, { ...input, isDue: true });
  expect(due.outcome).not.toBeInstanceOf(Error);
  expect(looks()).toBe(2);
});

test('a refused tracking link counts as not ready, and without a web sign-in none is requested', async () => {
  const input = { account: ACCOUNT, listingId: '123456789' };
  const signedIn = await runActivity(marketplace.open({ web: webSignIn }), 'getTrackingLink', input);
  const without = await runActivity(marketplace.open(), 'pollTrackingLink', { ...input, pace });
  expect([signedIn.outcome, without.outcome]).toEqual([null, null]);
  expect(marketplace.sandbox.requests('signIn')).toHaveLength(1);
});

test.each([true, false])(
  'a booked listing has contacts, bill of lading, tracking link and tracking (recent location: %s)',
  async (recentLocation) => {
    marketplace.sandbox.setSwitches({ recentLocation, transit: 'manual' });
    const client = marketplace.open({ web: webSignIn });
    const listingId = await book(client);
    marketplace.sandbox.controls.advance(listingId, { to: 'PickedUp' });
    expect(await client.getListingContacts(listingId)).toEqual(
      expect.objectContaining({ Shipper: expect.any(Object) }),
    );
    const tracking = await client.getTracking(listingId);
    expect(tracking.statuses.at(-1)).toEqual({ status: 'PickedUp', setAt: expect.stringMatching(/Z$/) });
    expect(tracking.summary).toMatchObject({ transitStatus: { value: 'PickedUp' }, origin: 'Dallas' });
    expect(tracking.carrierContact).toMatchObject({ phoneNumber: '+1 555 0100' });
    expect(tracking.lastKnownPlace).toEqual(recentLocation ? 'Dallas, TX' : null);
    expect(typeof tracking.latitude).toBe(recentLocation ? 'number' : 'object');
    const link = (await client.getTrackingLink(listingId)) ?? '';
    expect((await fetch(link)).status).toBe(200);
    const input = { account: ACCOUNT, listingId, pace };
    const bill = await until(
      async () => (await runActivity(client, 'pollBillOfLading', input)).outcome,
      (outcome) => !(outcome instanceof ApplicationFailure),
    );
    expect(bill).toEqual({
      billOfLadingNumber: expect.stringMatching(/^\d+$/),
      contentType: 'application/pdf',
      fetchedAt: expect.stringMatching(/Z$/),
      fileName: expect.stringMatching(/\.pdf$/),
      sha256: expect.any(String),
      sizeInBytes: expect.any(Number),
    });
    // The address opens the document for whoever has it, so it stays out of the workflow's history.
    expect(JSON.stringify(bill)).not.toContain('http');
  },
);

test.each([
  [true, 200],
  [false, 404],
])(
  'a tracking link of a carrier that shares its location (%s) opens with %i',
  async (locationSharing, status) => {
    marketplace.sandbox.setSwitches({ locationSharing });
    const client = marketplace.open({ web: webSignIn });
    const link = (await client.getTrackingLink(await book(client))) ?? '';
    expect((await fetch(link)).status).toBe(status);
  },
);

test('a bill of lading that is never issued stays not ready, and the address of an issued one expires', async () => {
  marketplace.sandbox.setSwitches({ billOfLading: 'never' });
  const client = marketplace.open();
  const listingId = await book(client);
  await expect(client.getBillOfLading(listingId)).rejects.toMatchObject({ status: 404 });
  marketplace.sandbox.setSwitches({ billOfLading: 'normal', billOfLadingLinkLifetimeInSeconds: 0 });
  const other = await book(client);
  const bill = await until(
    async () => await client.getBillOfLading(other).catch(() => null),
    (found) => found !== null,
  );
  expect((await fetch(bill?.documentUrl ?? '')).status).toBe(403);
});

test.each([
  ['acceptsLater', 'Booked'],
  ['refuses', 'Active'],
  ['silent', 'Active'],
] as const)('a carrier that %s shows a pending request, then %s', async (carrierAnswer, end) => {
  marketplace.sandbox.setSwitches({ carrierAnswer });
  marketplace.sandbox.setClock({ steps: { booking: 100, carrierAnswer: 4_000, carrierWindow: 4_000 } });
  const client = marketplace.open();
  const listingId = await marketplace.createListing(client);
  const read = async () => await client.getListing(listingId);
  await until(read, ({ hasPendingBookingRequest }) => hasPendingBookingRequest === true);
  const ended = await until(read, ({ hasPendingBookingRequest }) => hasPendingBookingRequest === false);
  expect(ended.status).toBe(end);
});

test('attachments and their files reach a workflow through their activities', async () => {
  const client = marketplace.open();
  const listingId = await book(client);
  marketplace.sandbox.controls.addAttachment(listingId, { fileName: 'claim.pdf' });
  const attachmentId = String(marketplace.sandbox.controls.listing(listingId).files.at(-1)?.attachmentId);
  const attachment = await runActivity(client, 'getListingAttachment', {
    account: ACCOUNT,
    listingId,
    attachmentId,
  });
  expect(attachment.outcome).toMatchObject({ attachmentId, fileName: 'claim.pdf' });
  const input = { account: ACCOUNT, listingId, attachmentId, pace };
  const { outcome } = await runActivity(client, 'fetchListingAttachment', input);
  expect(outcome).toMatchObject({ attachmentId, fileName: 'claim.pdf', contentType: 'application/pdf' });
  // The address opens the file for whoever has it.
  expect(JSON.stringify(outcome)).not.toContain('http');
});

const OF_ENDPOINT = {
  getBillOfLading: 'billOfLading',
  getListingContacts: 'contacts',
  signIn: 'trackingLink',
} as const;
const wanted = ['billOfLading', 'contacts', 'trackingLink'] as const;

test.each([
  ['are there', null, { billOfLading: expect.any(Object), contacts: expect.any(Object) }],
  [
    'are there but for the bill of lading',
    { endpoint: 'getBillOfLading', status: 404 },
    { contacts: expect.any(Object), trackingLink: { url: expect.any(String) } },
  ],
  [
    'are there but for contacts of a marketplace in trouble',
    { endpoint: 'getListingContacts', status: 500 },
    { billOfLading: expect.any(Object), trackingLink: { url: expect.any(String) } },
  ],
  [
    'are there but for a link whose sign-in is refused',
    { endpoint: 'signIn', status: 401 },
    {
      ...{ billOfLading: expect.any(Object), contacts: expect.any(Object) },
      refused: [{ paper: 'trackingLink', reason: expect.stringContaining('401'), words: null }],
    },
  ],
] as const)('one activity fetches papers that %s', async (_, fault, papers) => {
  marketplace.sandbox.setSwitches({ transit: 'manual' });
  const client = marketplace.open({ web: webSignIn });
  const listingId = await book(client);
  await until(
    async () => await client.getBillOfLading(listingId).catch(() => null),
    (found) => found !== null,
  );
  if (fault !== null) {
    const { endpoint: when, status } = fault;
    marketplace.sandbox.trouble({ when, what: { kind: 'status', status } });
  }
  const { outcome } = await runActivity(client, 'pollPapers', { account: ACCOUNT, listingId, wanted, pace });
  expect(outcome).toMatchObject(papers);
  const left = fault === null ? [] : [fault.endpoint].map((endpoint) => OF_ENDPOINT[endpoint]);
  for (const paper of left) expect(outcome).not.toHaveProperty(paper);
});

test('papers that are all missing fail as not yet, and a refused key is account trouble', async () => {
  const client = marketplace.open({ web: webSignIn });
  const input = { account: ACCOUNT, listingId: '123456789', pace };
  const none = await runActivity(client, 'pollPapers', { ...input, wanted });
  expect(none.outcome).toMatchObject({
    type: 'NotYet',
    message: expect.stringMatching(/bill.*; contacts.*/),
  });
  marketplace.sandbox.trouble({ when: 'getListingContacts', what: { kind: 'status', status: 401 } });
  const refused = await runActivity(client, 'pollPapers', { ...input, wanted: ['contacts'] });
  expect(refused.outcome).toMatchObject({ type: 'AccountTrouble', nonRetryable: true });
});
