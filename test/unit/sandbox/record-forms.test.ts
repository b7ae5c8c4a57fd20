import { afterEach, expect, test } from '@jest/globals';
import type { SwitchChanges } from '../../../sandbox';
import {
  ask,
  asText,
  bookedListing,
  closeSandboxes,
  createListing,
  listingBody,
  quickSandbox,
  rateRequestBody,
} from './marketplace-client';

afterEach(closeSandboxes);

const slow = { steps: { readyForDispatch: 1e9 } };

async function recordUnder(switches: SwitchChanges) {
  const sandbox = await quickSandbox({ switches: { transit: 'manual', ...switches } });
  const listingId = await bookedListing(sandbox);
  sandbox.controls.advance(listingId, { to: 'PickedUp' });
  const { body } = await ask(sandbox, 'GET', `/v2/listings/${listingId}`);
  const tracking = await ask(sandbox, 'GET', `/v2/listings/${listingId}/track`);
  return { body, tracking: tracking.body };
}

test.each([
  ['trio', { value: 'Booked', label: 'Booked', shortLabel: 'Booked' }, { value: 'PickedUp' }],
  ['bare', 'Booked', 'PickedUp'],
  ['lowerCase', 'booked', 'pickedup'],
  ['idName', { id: 3, name: 'Booked', translation: 'Booked' }, { id: 2, name: 'PickedUp' }],
  ['numberLabel', { value: 3, label: 'Booked' }, { value: 2, label: 'Picked Up' }],
  ['words', { value: 'Assigned To Carrier' }, { value: 'Picked-up' }],
  ['unknown', { value: 'Reconsidered' }, { value: 'Reconsidered' }],
] as const)(
  'under statusForm %s a booked record has the status %j',
  async (statusForm, status, transitStatus) => {
    const { body, tracking } = await recordUnder({ statusForm });
    expect(body).toMatchObject({ status, transitStatus });
    expect(tracking).toMatchObject({ shipmentTrackingStatuses: [{ status: transitStatus }] });
    // The other fields go on saying that it is booked.
    expect(body).toMatchObject({ bookedOn: expect.any(String), billOfLadingNumber: expect.any(Number) });
  },
);

test('the own words of a marketplace name a completed shipment too', async () => {
  const sandbox = await quickSandbox({ switches: { statusForm: 'words' } });
  const listingId = await createListing(sandbox);
  sandbox.controls.advance(listingId, { to: 'Delivered' });
  const { body } = await ask(sandbox, 'GET', `/v2/listings/${listingId}`);
  expect(body).toMatchObject({
    status: { value: 'Complete' },
    transitStatus: { value: 'Delivered To Consignee' },
  });
});

test('events carry the status in the form of the record', async () => {
  const sandbox = await quickSandbox({ switches: { statusForm: 'bare' }, clock: slow });
  await bookedListing(sandbox);
  const [event] = sandbox.events();
  expect(event?.envelope['data']).toMatchObject({ status: 'Booked' });
});

const number = 'acme/o-1';
test.each([
  ['trio', [{ number, type: { value: 'ThirdPartyOrderNumber' } }]],
  ['name', [{ number, type: 'ThirdPartyOrderNumber' }]],
  ['number', [{ number, type: 11 }]],
  ['untyped', [{ number, referenceNumberLabel: null }]],
  ['renamed', [{ number, type: { value: 'PartnerThirdPartyOrderNumber' } }]],
] as const)(
  'under referenceForm %s a record and its events have the references %j',
  async (form, references) => {
    const sandbox = await quickSandbox({ switches: { referenceForm: form }, clock: slow });
    const listingId = await bookedListing(sandbox);
    const { body, text } = await ask(sandbox, 'GET', `/v2/listings/${listingId}`);
    expect(body['referenceNumbers']).toMatchObject(references);
    expect(text.includes('"ThirdPartyOrderNumber"') || text.includes('"type":11')).toBe(
      form !== 'untyped' && form !== 'renamed',
    );
    expect(sandbox.events()[0]?.envelope['data']).toMatchObject({ referenceNumbers: references });
    expect(sandbox.order(number).liveBookings).toBe(1);
  },
);

test('under referenceForm none neither the record nor its events name the order', async () => {
  const sandbox = await quickSandbox({ switches: { referenceForm: 'none' }, clock: slow });
  const listingId = await bookedListing(sandbox);
  const { text } = await ask(sandbox, 'GET', `/v2/listings/${listingId}`);
  expect(text + JSON.stringify(sandbox.events())).not.toContain(number);
  expect(sandbox.order(number).liveBookings).toBe(1);
});

test('the forms of one order leave the others as they are', async () => {
  const sandbox = await quickSandbox({
    switches: { orders: { 'acme/o-2': { statusForm: 'bare', referenceForm: 'untyped' } } },
    clock: { steps: { booking: 1e9 } },
  });
  const named = (text: string) => ({ referenceNumbers: [{ number: text, type: 'ThirdPartyOrderNumber' }] });
  const ids = [
    await createListing(sandbox, named('acme/o-2')),
    await createListing(sandbox, named('acme/o-3')),
  ];
  const [mine, other] = await Promise.all(
    ids.map(async (id) => await ask(sandbox, 'GET', `/v2/listings/${id}`)),
  );
  expect(mine?.body).toMatchObject({ status: 'Active' });
  expect(other?.body).toMatchObject({
    status: { value: 'Active' },
    referenceNumbers: [{ type: { value: 'ThirdPartyOrderNumber' } }],
  });
});

test.each([
  [{ locationHost: 'api.example' }, /^https:\/\/api\.example\/v2\/listings\/\d{9}$/u],
  [{ locationSession: true }, /^http:\/\/127.*\/v2\/listings\/\d{9};jsessionid=\w+$/u],
  [{ locationSession: true, location: 'bare' }, /^\d{9};jsessionid=\w+$/u],
  [{ rateRequestLocationHost: 'rates.example' }, /^http:\/\/127/u],
] as const)('under %j the Location of a listing is like %s', async (switches, form) => {
  const sandbox = await quickSandbox({ switches });
  const reply = await ask(sandbox, 'POST', '/v2/listings', { json: listingBody() });
  expect(asText(reply.headers['location'])).toMatch(form);
});

test.each([
  [
    { rateRequestLocationHost: 'rates.example' },
    /^https:\/\/rates\.example\/v2\/raterequests\/\w{24}\/rates$/u,
  ],
  [{ locationHost: 'api.example' }, /^http:\/\/127/u],
  [{ locationSession: true }, /\/rates;jsessionid=\w+$/u],
] as const)('under %j the Location of a rate request is like %s', async (switches, form) => {
  const sandbox = await quickSandbox({ switches });
  const reply = await ask(sandbox, 'POST', '/v2/raterequests', { json: rateRequestBody() });
  expect(asText(reply.headers['location'])).toMatch(form);
});
