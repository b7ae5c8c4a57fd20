import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { request, type FormData } from 'undici';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox';

/** Deliberately not the client of the project: the sandbox is tested with bare HTTP. */
export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
  // Answers are read like a script would: loosely, and checked by the expectations.
  readonly body: Loose;
}
export interface Loose {
  readonly [name: string]: Loose;
}

export interface Ask {
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
  readonly json?: unknown;
  readonly form?: Record<string, string>;
  readonly multipart?: FormData;
}

const open = new Set<Sandbox>();

/** A hundred times as fast as a person would want to watch. */
export async function quickSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ ...options, clock: { speed: 100, ...options.clock } });
  open.add(sandbox);
  return sandbox;
}

export async function closeSandboxes(): Promise<void> {
  await Promise.all([...open].map((sandbox) => sandbox.close()));
  open.clear();
}

export async function ask(sandbox: Sandbox, method: string, path: string, how: Ask = {}): Promise<Reply> {
  const { key = 'sandbox-key', json, form, multipart } = how;
  const body = multipart ?? (form === undefined ? asJson(json) : new URLSearchParams(form).toString());
  const type =
    form !== undefined
      ? 'application/x-www-form-urlencoded'
      : json === undefined
        ? undefined
        : 'application/json';
  const answer = await request(path.startsWith('http') ? path : `${sandbox.url}${path}`, {
    method: method as 'GET',
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(type === undefined ? {} : { 'content-type': type }),
      ...how.headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.body.text();
  const isJson = asText(answer.headers['content-type'] ?? '').includes('json') && text !== '';
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text,
    body: (isJson ? JSON.parse(text) : {}) as Loose,
  };
}

const asJson = (json: unknown): string | undefined => (json === undefined ? undefined : JSON.stringify(json));

/** Asks until the answer is what is waited for; fails with the last one. */
export async function until<Value>(
  read: () => Value | Promise<Value>,
  isDone: (value: Value) => boolean,
): Promise<Value> {
  const deadline = Date.now() + 5000;
  for (;;) {
    const value = await read();
    if (isDone(value)) return value;
    if (Date.now() > deadline) throw new Error(`still not there: ${JSON.stringify(value)}`);
    await pause(5);
  }
}

/** A value of a loosely read answer as text. */
export const asText = (value: unknown): string => String(value);

export const dayAhead = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '/');

export const errorFields = (reply: Reply): string[] =>
  (reply.body['errors'] as unknown as { field: string }[]).map(({ field }) => field);

export const idOf = (reply: Reply): string => asText(reply.headers['location']).split('/').at(-1) ?? '';

const address = (postalCode: string, city: string) => ({
  streetAddress: '1 Main St',
  majorMunicipality: city,
  stateProvince: 'TX',
  postalCode,
  country: 'US',
});

export const fixedPriceBody = (changes: object = {}) => ({
  source: 'acme',
  originPostalCode: '75201',
  destinationPostalCode: '78703',
  items: [
    { heightInMeters: 0.86, lengthInMeters: 2.1, widthInMeters: 0.96, weightInGrams: 64_410, unitCount: 1 },
  ],
  ...changes,
});

export const listingBody = (changes: object = {}) => ({
  title: 'Sofa',
  description: 'A grey sofa',
  pricing: { namedPrice: { amount: 312.5, currencyType: 'USD' } },
  route: {
    items: [
      {
        address: { ...address('75201', 'Dallas'), type: 'StorageFacility' },
        timeFrame: { earliestArrival: dayAhead(3), latestArrival: dayAhead(5), timeFrameType: 'between' },
        contact: { name: 'Dock', phoneNumber: '555-0100' },
      },
      {
        address: { ...address('78703', 'Austin'), type: 'Residence' },
        timeFrame: { earliestArrival: dayAhead(3), latestArrival: dayAhead(12), timeFrameType: 'before' },
      },
    ],
  },
  items: [
    {
      Title: 'Sofa',
      Commodity: 'Furniture',
      unitCount: 1,
      lengthInMeters: 2.1,
      widthInMeters: 0.96,
      heightInMeters: 0.86,
      weightInGrams: 64_410,
    },
  ],
  referenceNumbers: [{ number: 'acme/o-1', type: 'ThirdPartyOrderNumber' }],
  ...changes,
});

export const pickupStop = (changes: object = {}) => ({
  address: { ...address('75201', 'Dallas'), type: 'BusinessWithLoadingDockOrForklift' },
  timeFrame: { earliestArrival: dayAhead(3), latestArrival: dayAhead(3), timeFrameType: 'on' },
  contact: { companyName: 'Acme', phoneNumber: '555-0100' },
  ...changes,
});

export const deliveryStop = (changes: object = {}) => ({
  address: { ...address('78703', 'Austin'), type: 'Residence' },
  accessorials: { liftgateRequired: true },
  ...changes,
});

export const ltlItem = (changes: object = {}) => ({
  commodity: 'GeneralFreight',
  handlingUnit: 'Pallets48X40Inches',
  unitCount: 1,
  lengthInMeters: 1.22,
  widthInMeters: 1.02,
  heightInMeters: 1.4,
  weightInGrams: 250_000,
  ...changes,
});

export const rateRequestBody = (changes: object = {}) => ({
  route: { items: [pickupStop(), deliveryStop()] },
  items: [ltlItem()],
  referenceNumbers: [{ number: 'acme/o-1', type: 'ThirdPartyOrderNumber' }],
  integratorId: 'acme-integration',
  thirdPartyId: 'o-1.1',
  ...changes,
});

/** Creates a listing and gives its id. */
export async function createListing(sandbox: Sandbox, changes: object = {}): Promise<string> {
  const reply = await ask(sandbox, 'POST', '/v2/listings', { json: listingBody(changes) });
  expect([reply.status, reply.text]).toEqual([201, '']);
  return idOf(reply);
}

export async function bookedListing(sandbox: Sandbox, changes: object = {}): Promise<string> {
  const listingId = await createListing(sandbox, changes);
  await until(
    () => ask(sandbox, 'GET', `/v2/listings/${listingId}`),
    ({ body }) => 'bookedOn' in body,
  );
  return listingId;
}

/** Asks for rates and waits until all have arrived. */
export async function collectRates(sandbox: Sandbox, changes: object = {}): Promise<Loose[]> {
  const reply = await ask(sandbox, 'POST', '/v2/raterequests', { json: rateRequestBody(changes) });
  expect([reply.status, reply.text]).toEqual([201, '']);
  const path = asText(reply.headers['location']);
  const list = await until(
    () => ask(sandbox, 'GET', path),
    ({ body }) => Number(body['totalCount']) >= 6,
  );
  return list.body['items'] as unknown as Loose[];
}

export async function acceptanceBody(sandbox: Sandbox, changes: object = {}) {
  const methods = await ask(sandbox, 'GET', '/v2/paymentmethods?topLevelCommodity=ltl');
  const [first] = methods.body['items'] as unknown as { id: string }[];
  return { paymentMethodId: first?.id, insurance: { coverage: null }, ...changes };
}

/** Takes a rate; gives the answer of the acceptance call. */
export async function accept(sandbox: Sandbox, rateId: unknown, changes: object = {}): Promise<Reply> {
  const json = await acceptanceBody(sandbox, changes);
  return await ask(sandbox, 'POST', `/v2/rates/${asText(rateId)}/acceptance`, { json });
}
