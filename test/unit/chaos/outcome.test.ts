import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure, RetryState } from '@temporalio/common';
import type { ScriptedPerson } from '../../../chaos/answering';
import { readOutcome, type ChaosOutcome } from '../../../chaos/outcome';
import { Tally } from '../../../chaos/tally';
import { FailureType } from '../../../src/domain/failure-type';
import type { Ledger, Sandbox, StandingTrouble } from '../../../sandbox';
import { ShipmentFailedError, ShipmentNotFoundError } from '../../../src/starter/client/errors';
import type { ShipmentClient } from '../../../src/starter/client/shipment-client';
import type { StartableOrder } from '../../../src/starter/client/start-order';
import { aCandidate } from '../../support/builders';

const SINCE = '2027-03-01T12:00:00.000Z';
const REASON = 'POST /v2/listings answered 400';
const REFUSAL = { operation: 'createListing', status: 400, codes: ['40001'], fields: ['title'] };
const question = { kind: 'listingEnded', id: 'q-1' };

/** Of the tracking link. */
const page = createServer((_, answer) => answer.end());
beforeAll(async () => {
  page.listen(0, '127.0.0.1');
  await once(page, 'listening');
});
afterAll(() => void page.close());

/** How each order stands: delivered, refused, withdrawn, asking, and one that was never started. */
const ENDS: Readonly<
  Record<string, { status: string; state: object; failure?: ApplicationFailure; result?: object }>
> = {
  'C-1': {
    status: 'COMPLETED',
    state: {
      at: { phase: 'settled', listingId: '71', deliveredAt: '2035-03-09T08:00:00.000Z' },
      question: null,
      repairs: 2,
      trackingLink: {
        get url() {
          return `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
        },
      },
      candidates: [
        aCandidate('73', { second: { since: SINCE, isDelivered: true } }),
        aCandidate('74', { second: { since: SINCE, isDelivered: false } }),
      ],
    },
  },
  'C-2': {
    status: 'FAILED',
    state: { at: { phase: 'listing' }, question: null, repairs: 1, candidates: [] },
    failure: ApplicationFailure.nonRetryable(REASON, FailureType.FailedBeforeBooking, REFUSAL),
  },
  'C-3': {
    status: 'COMPLETED',
    state: { at: { phase: 'cancelled' }, question: null, repairs: 0, candidates: [] },
    result: { kind: 'withdrawn', by: 'Pat', reason: 'no more wanted', listingIds: [] },
  },
  'C-4': {
    status: 'RUNNING',
    state: { at: { phase: 'booked', listingId: '74' }, question, repairs: 0, candidates: [] },
  },
};

const shipments = {
  get: async (_: string, orderId: string) => {
    const end = ENDS[orderId];
    if (end === undefined) throw new ShipmentNotFoundError('none');
    return await Promise.resolve(end);
  },
  result: async (_: string, orderId: string) => {
    const failure = ENDS[orderId]?.failure;
    if (failure !== undefined)
      throw new ShipmentFailedError('it failed', failure.type ?? null, {
        cause: new WorkflowFailedError('it failed', failure, RetryState.MAXIMUM_ATTEMPTS_REACHED),
      });
    return await Promise.resolve(ENDS[orderId]?.result ?? { kind: 'delivered', listingId: '71' });
  },
};

const stranger = { listingId: 99, createdBy: 'createListing', status: 'Booked', isDeleted: false };
const ledger = {
  orders: {},
  unreferenced: { reference: '', listings: [stranger], acceptances: [] },
  ...{ requests: { createListing: 4 }, troubleHits: { createListing: 1 } },
} as unknown as Ledger;
const refusal = {
  ...{ when: { request: 'createListing' }, whom: { order: 'acme/C-2' }, hits: 1 },
  what: { kind: 'status', status: 400 },
};

/** One question, which was answered. */
const tally = new Tally();
tally.note({ asker: 'order', orderId: 'C-4', id: 'q-1', kind: 'listingEnded' }, 'accepted');

const read = async (): Promise<ChaosOutcome> =>
  await readOutcome(
    ['C-1', 'C-2', 'C-3', 'C-4', 'C-5'].map((orderId) => ({ shipment: { orderId } }) as StartableOrder),
    {
      shipments: shipments as unknown as ShipmentClient,
      sandbox: {
        ledger: () => ledger,
        deliveries: () => ({ counts: { events: 5 }, toldListings: [] }),
        troubles: () => [refusal] as unknown as StandingTrouble[],
      } as unknown as Sandbox,
      person: {
        tally,
        circleOf: () => null,
        wasAskedAboutSecond: (orderId: string) => orderId === 'C-1',
        reportedLate: (orderId: string) => new Set(orderId === 'C-1' ? ['72'] : []),
        endingsOf: (orderId: string) => (orderId === 'C-3' ? ['withdraw'] : []),
      } as unknown as ScriptedPerson,
      kills: { worker: 0, webhooks: 0, temporal: 0, database: 0, crashes: 0 },
      accepted: new Set(['C-1', 'C-2', 'C-3', 'C-4']),
      taskFailures: new Set(['shipment/acme/C-4', 'unroutedEvent/acme/71']),
      ...{ mishaps: new Map(), done: new Set<string>(), outages: {} },
    },
  );

test('the end of every order is read with what it closed with, what refused it and who ended it', async () => {
  const { cases } = await read();
  const told = Object.fromEntries(cases.map((one) => [one.orderId, one]));
  expect(told['C-1']).toMatchObject({
    end: { followed: ['71'], deliveredToo: ['73', '72'], failure: null },
    ...{ refusals: [], endings: [], wasAskedAboutSecond: true },
  });
  expect(told['C-2']).toMatchObject({
    end: { failure: { type: FailureType.FailedBeforeBooking, reason: REASON, refusal: REFUSAL } },
    refusals: [{ operation: 'createListing', status: 400, fields: [] }],
  });
  expect(told['C-3']).toMatchObject({
    end: { status: 'WITHDRAWN', failure: null },
    endings: ['withdraw'],
  });
  expect(told['C-4']).toMatchObject({ end: { status: 'RUNNING', question }, hadTaskFailures: true });
  expect(told['C-5']).toMatchObject({ end: null, isAccepted: false });
});

test('what belongs to no order is read beside, and so is what really went wrong', async () => {
  expect(await read()).toMatchObject({
    failingWorkflows: ['unroutedEvent/acme/71'],
    strangers: [{ reference: '', what: 'listing 99 (Booked)' }],
    ...{ repairs: 3, questions: { listingEnded: 1 }, answered: 1 },
    ...{ requests: { createListing: 4 }, troubleHits: { createListing: 1 }, deliveries: { events: 5 } },
    trackingLinks: { given: 1, opened: 1 },
  });
});
