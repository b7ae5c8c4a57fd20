import { z } from 'zod';
import type { ImportFormat } from '../../orders/order-rows';
import { ACCOUNT_NAME, ORDER_ID } from '../../domain/workflow-id';
import { METERED_SHIPMENTS } from '../client/account-overview';
import { described } from '../../platform/described';

const account = described(z.string().regex(ACCOUNT_NAME), 'The name of an account of the accounts file.');
const orderId = described(z.string().regex(ORDER_ID), 'The id of the order.');
const text = (description: string, longest: number) =>
  described(z.string().trim().min(1).max(longest), description);
const reason = text('Why; it goes into the timeline of the shipment.', 1_000);
const listingId = described(z.string().regex(/^\d{1,12}$/), 'The id of a listing at the marketplace.');

export const accountParams = z.object({ account });
export const orderParams = z.object({ account, orderId });
export const listingParams = z.object({ account, listingId });
export const documentParams = orderParams.extend({
  sha256: described(
    z.string().regex(/^[0-9a-f]{64}$/),
    'The SHA-256 of the document, from the list of documents.',
  ),
});

/** The client library checks the whole document: it reports every problem at once, in the terms of its author. */
export const orderDocument = z.record(z.string(), z.unknown()).meta({ id: 'Order' });

export const quoteBody = z.strictObject({
  order: orderDocument,
  maximumWaitSeconds: described(
    z.number().int().min(1).max(55).default(30),
    'How long to wait for LTL rates: many proxies end a request after a minute.',
  ),
});

const checked = text('What was checked with the marketplace or the carrier.', 2_000);
const questionId = text('The question that was read; by default the open one.', 100);

export const restartBody = z.strictObject({ order: orderDocument, checked });
const revision = {
  order: orderDocument,
  keepUnnamed: described(
    z.boolean().default(false),
    "Whether the order keeps its policy and its images where the document names none. By default the account's policy counts, and the document must name all images.",
  ),
};
export const previewBody = z.strictObject(revision);
export const reviseBody = z.strictObject({
  ...revision,
  reason,
  questionId: described(
    z.string().trim().min(1).max(100).nullable(),
    'The question that was read; by default the open one. `null` only changes the open listing, and answers no question.',
  ).optional(),
});
export const statementBody = z.strictObject({ reason });
export const acknowledgeBody = z.strictObject({ reason, listingId: listingId.optional() });

const statement = { reason, questionId: questionId.optional(), checked: checked.optional() };
const kind = <K extends string>(name: K) => ({ kind: z.literal(name), ...statement });
/** They state that nothing exists: a later question may be about something else. */
const named = { questionId: text('The question that was read.', 100) };

export const answerBody = z.discriminatedUnion('kind', [
  z.strictObject(kind('approve')),
  z.strictObject({
    ...kind('premium'),
    premiumMinorUnits: described(z.number().int().min(0), "In hundredths of the price's currency."),
  }),
  z.strictObject({ ...kind('selectRate'), rateId: text('The rate to accept.', 200) }),
  z.strictObject({ ...kind('adopt'), listingId }),
  z.strictObject({ ...kind('resend'), ...named }),
  z.strictObject({ ...kind('abandon'), ...named }),
  z.strictObject(kind('retry')),
  z.strictObject(kind('postpone')),
  z.strictObject(kind('rebook')),
  z.strictObject(kind('close')),
]);

/** What the reader of CSV and JSON lines makes of a body. */
export const importBody = z
  .custom<{ readonly text: string; readonly format: ImportFormat }>((body) => body != null)
  .meta({ type: 'string', description: 'One order in each row, or in each line.' });

export const importQuery = z.strictObject({
  skipInvalid: described(
    z.enum(['true', 'false']),
    'Whether the valid orders start when others are invalid; by default nothing starts then.',
  ).optional(),
});

const limit = (usual: number) =>
  described(
    z.coerce.number().int().min(1).max(200).default(usual),
    'The maximum number of entries, 1 to 200.',
  );
const cursor = described(
  z.string().regex(/^[\w-]{1,4000}\.[0-9a-f]{16}$/),
  'The `next` of the page before. Send it with the same filters.',
).optional();
const ofAccount = described(account, 'Only this account; by default all accounts of the token.').optional();

export const PHASES = [
  ...(['validating', 'quoting', 'listing', 'awaitingBooking', 'collectingRates', 'accepting'] as const),
  ...(['booked', 'inTransit', 'delivered', 'settled', 'cancelled'] as const),
] as const;

export const listQuery = z.strictObject({
  account: ofAccount,
  kind: described(z.enum(['furniture', 'ltl']), 'Only this kind of order.').optional(),
  phase: described(z.enum(PHASES), 'Only shipments in this phase.').optional(),
  state: described(z.enum(['open', 'ended']), 'Only shipments that go on, or that have ended.').optional(),
  needsAttention: described(
    z.enum(['true', 'false']),
    'Only shipments that need a person, or that need none.',
  ).optional(),
  listingId: listingId.optional(),
  search: described(
    z
      .string()
      .trim()
      .regex(/^[\w .,:;/#+()&@-]{2,100}$/),
    'The beginning of an order id; or a whole listing id, reference, bill-of-lading or PRO number.',
  ).optional(),
  limit: limit(50),
  cursor,
});

export const replayQuery = z.strictObject({
  from: described(
    z.string().regex(/^[\w.-]{1,100}$/),
    'The id of a notification: only this one and those after it; by default all that are known.',
  ).optional(),
});

export const endpointQuery = z.strictObject({
  endpoint: described(
    z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/),
    'The name of an endpoint in the accounts file; by default all of the account.',
  ).optional(),
});

export const overviewQuery = z.strictObject({
  account: ofAccount,
  shipments: described(
    z.coerce.number().int().min(1).max(1_000).default(METERED_SHIPMENTS),
    'At how many of the newest shipments of each account the events are measured, 1 to 1000. A worker is asked for each.',
  ),
});

export const accountQuery = z.strictObject({ account: ofAccount });

export const dueQuery = z.strictObject({
  account: ofAccount,
  on: described(z.iso.date(), 'The day; by default today in UTC.').optional(),
});

export const EVENT_KINDS = ['foreign', 'unrouted', 'late'] as const;

export const eventsQuery = z.strictObject({
  account: ofAccount,
  kind: described(z.enum(EVENT_KINDS), 'Only this kind of event.').optional(),
  limit: limit(50),
  cursor,
});

/** The other headers stay as they are. */
export const startHeaders = z.looseObject({
  'idempotency-key': described(
    z.string().regex(/^[\x21-\x7e]{1,255}$/),
    'Any text of at most 255 visible characters. The same request with the same key gets the same answer.',
  ).optional(),
});

export const eventStreamHeaders = z.looseObject({
  'last-event-id': described(z.string().max(100), 'The id of the last event that arrived.').optional(),
});
