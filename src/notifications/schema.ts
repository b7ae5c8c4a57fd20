import { z } from 'zod';
import { NOTIFICATION_KINDS, ORDER_OUTCOMES, type NotificationKind } from '../domain/notifications';
import { described } from '../platform/described';

const moneySchema = z.object({
  minorUnits: described(z.int(), 'Amount in hundredths.'),
  currency: described(z.string(), 'ISO 4217 code.'),
});

const order = {
  account: described(z.string(), 'Name of the account in the accounts file.'),
  environment: described(z.enum(['sandbox', 'production']), 'Environment of the account.'),
  orderId: described(z.string(), 'Id of the order, as its document names it.'),
  shipmentKind: described(z.enum(['furniture', 'ltl']), 'Kind of the order.'),
  labels: described(z.record(z.string(), z.string()), 'Labels of the order document.'),
  phase: described(z.string(), 'Phase of the shipment; the list is open.'),
  listingId: described(z.string().nullable(), 'The listing that the order follows.'),
  price: described(moneySchema.nullable(), "Cost by the marketplace's record."),
  customerPrice: described(
    moneySchema.nullable(),
    'What the customer pays: the total of the fixed price, or the chosen rate.',
  ),
  billOfLadingNumber: described(z.string().nullable(), 'Number of the bill of lading.'),
  proNumber: described(z.string().nullable(), "The carrier's tracking number."),
};

const closedQuestionSchema = z.object({
  id: described(z.string(), 'Unique within the order.'),
  kind: described(
    z.string(),
    'Why a person is asked; docs/questions.md explains each kind. The list is open.',
  ),
});

const questionSchema = z.object({
  ...closedQuestionSchema.shape,
  text: described(z.string(), 'What happened, what is unknown, and what to do.'),
  answers: described(z.array(z.string()), 'What a person may answer.'),
  since: described(z.iso.datetime(), 'When the question was opened.'),
  listingIds: described(z.array(z.string()), 'Listings that the text names.'),
  offer: described(
    z
      .object({
        price: described(moneySchema, 'The price to approve.'),
        rateId: described(z.string().nullable(), 'The rate; null for furniture.'),
      })
      .nullable(),
    'The offer to approve.',
  ),
});

const documentSchema = z.object({
  kind: described(z.enum(['image', 'billOfLading', 'attachment']), 'Kind of the document.'),
  id: described(z.string(), "The bill of lading's number, or the attachment's id."),
  type: described(
    z.string().nullable(),
    "The marketplace's type of an attachment, such as `ProofOfDelivery`.",
  ),
  contentType: described(z.string(), 'Media type, by the content.'),
  sizeInBytes: described(z.int(), 'Size.'),
  sha256: described(z.string(), 'SHA-256 in hex; the name in the file store.'),
});

const NOTHING_MORE = {};

/** What `data` has besides the order, for each kind. */
const DATA: Readonly<Record<NotificationKind, z.ZodRawShape>> = {
  booked: NOTHING_MORE,
  pickedUp: NOTHING_MORE,
  delivered: NOTHING_MORE,
  priceChanged: {
    previousPrice: described(moneySchema.nullable(), 'The cost before; null when the record had none.'),
  },
  documentsReady: { documents: described(z.array(documentSchema).min(1), 'The new documents.') },
  questionClosed: { question: described(closedQuestionSchema, 'The question.') },
  questionOpened: { question: described(questionSchema, 'The question.') },
  ended: { outcome: described(z.enum(ORDER_OUTCOMES), 'How the order ended.') },
};

/** Type of the event of each kind. */
export const typeOf = (kind: NotificationKind): string => `consign.shipment.${kind}`;

/** Type of the event that `consign notifications test` sends. */
export const TEST_TYPE = 'consign.test';

/** An event in structured mode of CloudEvents 1.0. */
const envelope = {
  specversion: described(z.literal('1.0'), 'Version of CloudEvents.'),
  id: described(z.string().min(1), 'The same in each delivery of the event, and in `webhook-id`.'),
  source: described(z.string().min(1), '`/consign/` and the account.'),
  time: described(z.iso.datetime(), 'When it happened.'),
  datacontenttype: described(z.literal('application/json'), 'Media type of `data`.'),
};

const orderEnvelope = {
  ...envelope,
  subject: described(z.string().min(1), 'Id of the order.'),
  sequence: described(
    z.string().regex(/^\d{10}$/),
    'Number of the event within the order: sorts as text. A new run of a failed order begins again.',
  ),
  traceparent: described(
    z.string().regex(/^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/),
    'The trace in which the order was started, while Consign is traced (docs/tracing.md).',
  ).optional(),
};

/** One schema for each kind of notification. */
export const notificationSchemas = NOTIFICATION_KINDS.map((kind) => ({
  kind,
  schema: z.object({
    ...orderEnvelope,
    type: z.literal(typeOf(kind)),
    data: z.object({ ...order, ...DATA[kind] }),
  }),
}));

/** The event of `consign notifications test`. */
export const testEventSchema = z.object({
  ...envelope,
  type: z.literal(TEST_TYPE),
  data: z.object({ account: order.account, environment: order.environment }),
});
