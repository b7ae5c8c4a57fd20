import { z } from 'zod';
import type { LtlRate, RateCarrier } from '../../domain/rate';
import type { RateDecision, RateLoss } from '../../domain/rate-choice';
import type { RateCause } from '../../domain/rate-cause';
import type { FixedPriceAnswer } from '../../domain/fixed-price';
import type { ListedDocument } from '../../domain/documents';
import type { DueDays } from '../../domain/delivery-days';
import type { DeliveryLine } from '../../domain/notification-delivery';
import { NOTIFICATION_KINDS } from '../../domain/notifications';
import { RATE_PREFERENCES } from '../../domain/policy';
import type { Money } from '../../domain/money';
import { QUESTION_KINDS, type Question } from '../../domain/question';
import type { Withdrawal } from '../../domain/shipment-result';
import type { TimelineEntry } from '../../domain/shipment-state';
import type { Fix, Problem } from '../../orders/problem';
import type { UnroutedEventResult } from '../../contract/workflow-input';
import type { AccountOverview } from '../client/account-overview';
import type { AttentionEntry, AttentionReason, StuckQueue } from '../client/attention';
import type { FailingCall } from '../client/failing-calls';
import type { DueEntry, DueReport } from '../client/due-shipments';
import type { EventPage, EventSummary, LateEvent } from '../client/event-client';
import type { ShipmentPage, ShipmentSummary } from '../client/list-shipments';
import type { StuckEndpoint, WaitingNotification } from '../client/notifications';
import type { TestedEndpoint } from '../client/test-notifications';
import type { Receipt } from '../client/request';
import type { Revision, RevisionPreview } from '../client/revise-order';
import type { StartedShipment } from '../client/start-order';
import type { RowOutcome } from '../client/import-orders';
import type { PlacedProblem } from '../../orders/order-rows';
import { EVENT_KINDS, PHASES } from './request-schemas';

// What the API answers, for its OpenAPI document. `satisfies` holds each schema to the type that the client library
// returns. Answers are not checked against them: a field that a newer worker adds must not fail a read.

const instant = z.iso.datetime();
const nullableText = z.string().nullable();

const money = z
  .strictObject({ minorUnits: z.number().int(), currency: z.string() })
  .meta({ id: 'Money', description: 'An amount in hundredths of its currency.' }) satisfies z.ZodType<Money>;

const fieldProblem = z
  .strictObject({
    path: z.string().describe('JSON path, such as `$.items[0].size`.'),
    problem: z.string().describe('What is wrong.'),
    remedy: z.string().describe('What would be right.'),
  })
  .meta({ id: 'FieldProblem' });

export const problemDetails = z
  .looseObject({
    type: z.string().describe('The documentation of the code, which this server has.'),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    code: z.string().describe('What happened, for programs.'),
    errors: z.array(fieldProblem).optional().describe('Every problem of the request, at once.'),
  })
  .meta({ id: 'Problem', description: 'A problem as RFC 9457 describes it.' });

const fix = z.union([
  z.strictObject({ path: z.string(), value: z.unknown() }),
  z.strictObject({ path: z.string(), asText: z.literal(true) }),
  z.strictObject({ path: z.string(), renameTo: z.string() }),
  z.strictObject({ path: z.string(), remove: z.literal(true) }),
]) satisfies z.ZodType<Fix>;

const orderProblem = z
  .strictObject({
    ...fieldProblem.shape,
    fix: fix.optional().describe('The only correction that is possible, if there is only one.'),
  })
  .meta({ id: 'OrderProblem' }) satisfies z.ZodType<Problem>;

export const validation = z
  .strictObject({
    ok: z.boolean(),
    problems: z.array(orderProblem).describe('All of them; empty for a valid order.'),
    warnings: z.array(orderProblem),
  })
  .meta({ id: 'Validation' });

const rateDescription = {
  serviceType: nullableText,
  transportMode: nullableText,
  vehicleType: nullableText,
  additionalInformation: nullableText,
};

const rateCarrier = z.strictObject({
  userId: nullableText,
  displayName: z.string(),
  feedbackCount: z.number().nullable(),
  percentPositive: z.number().nullable(),
  starRating: z.number().nullable(),
}) satisfies z.ZodType<RateCarrier>;

const rate = z
  .strictObject({
    rateId: z.string(),
    createdAt: nullableText,
    expiresAt: z.string(),
    totalPrice: money,
    accountCurrency: z.string(),
    pickupDelayInDays: z.number().nullable(),
    deliveryDelayInDays: z.number().nullable(),
    carrier: rateCarrier,
    ...rateDescription,
  })
  .meta({ id: 'Rate' }) satisfies z.ZodType<LtlRate>;

const rateLoss = z.strictObject({
  rateId: z.string(),
  carrier: z.string(),
  price: z.string(),
  why: z.string(),
  isExpired: z.boolean(),
  ...rateDescription,
}) satisfies z.ZodType<RateLoss>;

const rateDecision = z
  .strictObject({
    decidedAt: z.string(),
    rule: z
      .enum([...RATE_PREFERENCES, 'person'])
      .describe("What chose: the policy's preference, or a person because no rate fits the policy."),
    chosen: rate.nullable(),
    losses: z.array(rateLoss),
  })
  .meta({ id: 'RateDecision' }) satisfies z.ZodType<RateDecision>;

const rateCause = z.strictObject(fieldProblem.shape) satisfies z.ZodType<RateCause>;

const answeredPrice = { price: money, listPrice: money, priceCorrelationId: nullableText };
const fixedPrice = z.union([
  z.strictObject({ ...answeredPrice, premium: money.nullable(), total: money }),
  z.strictObject({ ...answeredPrice, premium: z.literal('unknown'), isListedAtTotal: z.boolean() }),
]) satisfies z.ZodType<FixedPriceAnswer>;

export const quote = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('furniture'), fixedPrice }),
    z.strictObject({
      kind: z.literal('ltl'),
      possibleCauses: z.array(rateCause).describe('Why no rate arrived, as far as it is known.'),
      requestedAt: z.string(),
      rates: z.array(rate),
      leftOut: z.looseObject({}).describe('Offers that could not be read.'),
      decision: rateDecision,
    }),
  ])
  .meta({ id: 'Quote' });

export const startedShipment = z
  .strictObject({
    workflowId: z.string(),
    runId: z.string(),
    outcome: z
      .enum(['started', 'already', 'restarted'])
      .describe('`already`: the same order was started before, and this is its shipment.'),
  })
  .meta({ id: 'StartedShipment' }) satisfies z.ZodType<StartedShipment>;

const placedProblem = z.strictObject({
  line: z.number().int(),
  column: z.number().int().nullable().describe('Which cell of the line, from 1 on; null in JSON lines.'),
  name: z.string().describe('The column, or the JSON path; empty when it is about the whole line.'),
  problem: z.string(),
  remedy: z.string(),
}) satisfies z.ZodType<PlacedProblem>;

const checkedRow = {
  line: z.number().int(),
  account: nullableText,
  orderId: nullableText,
  warnings: z.array(placedProblem),
};
const runningRow = {
  ...{ line: z.number().int(), account: z.string(), orderId: z.string(), workflowId: z.string() },
};

const rowOutcome = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('valid'), ...checkedRow }),
    z.strictObject({ kind: z.literal('invalid'), ...checkedRow, problems: z.array(placedProblem) }),
    z.strictObject({
      kind: z.enum(['started', 'already', 'restarted']),
      ...runningRow,
      runId: z.string(),
    }),
    z.strictObject({
      kind: z.literal('conflict'),
      ...runningRow,
      reason: z.enum(['otherDocument', 'withdrawn', 'endedUnclearly']),
      message: z.string(),
    }),
    z.strictObject({ kind: z.literal('refused'), ...runningRow, message: z.string() }),
  ])
  .meta({
    id: 'RowOutcome',
    description: 'What became of one order of a file.',
  }) satisfies z.ZodType<RowOutcome>;

export const importLine = z
  .union([rowOutcome, z.looseObject({ kind: z.literal('problem'), ...problemDetails.shape })])
  .meta({ id: 'ImportLine' });

const summary = z
  .strictObject({
    workflowId: z.string(),
    account: z.string(),
    orderId: z.string(),
    kind: nullableText,
    phase: nullableText,
    status: z.string(),
    needsAttention: z.boolean(),
    listingId: nullableText,
    waitingFor: nullableText,
    waitsFor: nullableText,
    startedAt: instant,
  })
  .meta({ id: 'ShipmentSummary' }) satisfies z.ZodType<ShipmentSummary>;

export const shipmentPage = z
  .strictObject({
    shipments: z.array(summary).describe('May be fewer than the limit, even none, although `next` is set.'),
    next: nullableText.describe('The cursor of the next page; null on the last one.'),
  })
  .meta({ id: 'ShipmentPage' }) satisfies z.ZodType<ShipmentPage>;

const ANSWERS = [
  ...(['approve', 'premium', 'selectRate', 'adopt', 'resend', 'abandon', 'retry', 'postpone'] as const),
  ...(['revise', 'rebook', 'close', 'cancel'] as const),
] as const;

const question = z
  .strictObject({
    id: z.string().describe('Name it as `questionId` when you answer.'),
    kind: z.enum(QUESTION_KINDS),
    text: z.string().describe('What happened, what is unknown, and what to do.'),
    answers: z.array(z.enum(ANSWERS)).describe('`cancel` and `revise` are other paths.'),
    since: z.string(),
    resendFrom: z.string().optional(),
    listingIds: z.array(z.string()),
    offer: z.strictObject({ price: money, rateId: nullableText }).nullable(),
    supportAddress: nullableText,
  })
  .meta({ id: 'Question' }) satisfies z.ZodType<Question>;

const timelineEntry = z.strictObject({ at: z.string(), what: z.string() }) satisfies z.ZodType<TimelineEntry>;

const state = z
  .looseObject({
    at: z.looseObject({ phase: z.enum(PHASES) }),
    phaseSince: nullableText,
    question: question.nullable(),
    timeline: z.array(timelineEntry),
    notices: z.array(z.string()).describe('What a person should know although nothing waits for it.'),
    listing: z.looseObject({}).nullable().describe("The marketplace's record."),
    bookedAt: nullableText,
    lastSeen: nullableText,
  })
  .meta({ id: 'ShipmentState', description: 'Everything that the shipment knows; further fields may come.' });

const withdrawal = z.strictObject({
  by: z.string(),
  reason: z.string(),
  at: z.string(),
  listingIds: z.array(z.string()),
}) satisfies z.ZodType<Withdrawal>;

export const shipmentView = z
  .strictObject({
    workflowId: z.string(),
    runId: z.string(),
    status: z
      .string()
      .describe('`RUNNING`, `COMPLETED`, `FAILED`, `CANCELLED`, `TERMINATED` or `TIMED_OUT`.'),
    waitingFor: nullableText,
    state: state.nullable().describe('Null while no worker answers; `waitingFor` is available even then.'),
    failure: nullableText,
    withdrawal: withdrawal
      .nullable()
      .describe('Who withdrew the order, and why; null unless it ended by that.'),
  })
  .meta({ id: 'Shipment' });

export const receipt = z
  .strictObject({
    outcome: z.enum(['accepted', 'doneBefore']).describe('`doneBefore`: nothing was left to do.'),
  })
  .meta({ id: 'Receipt' }) satisfies z.ZodType<Receipt>;

export const revision = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('answer') }),
    z.strictObject({
      kind: z.literal('change'),
      report: z.looseObject({ status: z.enum(['underWay', 'done', 'refused']), what: z.string() }),
    }),
  ])
  .meta({ id: 'Revision' }) satisfies z.ZodType<Revision>;

const revisedFields = {
  fields: z.array(z.string()).describe('The parts of the order that change, and `policy`.'),
};

export const revisionPreview = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('answer'), questionId: z.string(), ...revisedFields }),
    z.strictObject({
      kind: z.literal('change'),
      questionId: z.null(),
      plan: z
        .enum(['nothing', 'recordOnly', 'change', 'relist'])
        .describe('`relist`: the listing is taken down, and the order is listed anew.'),
      isPriced: z.boolean().describe('A new price is asked for first.'),
      ...revisedFields,
    }),
  ])
  .meta({
    id: 'RevisionPreview',
    description: 'Send `questionId` with the revision.',
  }) satisfies z.ZodType<RevisionPreview>;

const listedDocument = z
  .strictObject({
    kind: z.enum(['image', 'billOfLading', 'attachment']),
    id: z.string(),
    type: nullableText,
    fileName: z.string(),
    contentType: z.string(),
    sizeInBytes: z.number().int(),
    sha256: z.string(),
    fetchedAt: nullableText,
  })
  .meta({ id: 'Document' }) satisfies z.ZodType<ListedDocument>;

export const shipmentDocuments = z
  .strictObject({
    stored: z.array(listedDocument),
    billOfLading: z
      .union([z.looseObject({ billOfLadingNumber: z.string() }), z.literal('unavailable')])
      .nullable(),
    wantedAttachments: z.array(z.strictObject({ attachmentId: z.string(), since: z.string() })),
  })
  .meta({ id: 'ShipmentDocuments' });

const attentionReason = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.enum(['question', 'taskFailure', 'endedUnclearly', 'undecryptable']),
    text: z.string(),
  }),
  z.strictObject({ kind: z.literal('unreadable'), text: z.string(), since: z.string() }),
]) satisfies z.ZodType<AttentionReason>;

const attentionEntry = z.strictObject({
  shipment: summary,
  reasons: z.array(attentionReason),
}) satisfies z.ZodType<AttentionEntry>;

const stuckQueue = z.strictObject({
  queue: z.string(),
  workers: z.number().nullable(),
  build: nullableText,
  shipments: z.number(),
  since: z.string(),
}) satisfies z.ZodType<StuckQueue>;

const failingCall = z.strictObject({
  account: z.string(),
  call: z.string().describe("The endpoint's name, such as `getFixedPrice`."),
  reason: z.string().describe('How the last attempt ended.'),
  failures: z.number().int().describe('How often it failed in a row.'),
  shipments: z.number().int().describe('Shipments that wait for it.'),
}) satisfies z.ZodType<FailingCall>;

const stuckEndpoint = z.strictObject({
  account: z.string(),
  endpoint: z.string().describe('Its name in the accounts file.'),
  since: z.string(),
  reason: z.string().describe('How it answered.'),
  isPaused: z.boolean().describe('Nothing is sent until somebody asks for it.'),
  orders: z.number().int().describe('Orders whose notifications wait for it.'),
}) satisfies z.ZodType<StuckEndpoint>;

export const attentionReport = z
  .strictObject({
    entries: z.array(attentionEntry),
    endpoints: z.array(stuckEndpoint).describe('Endpoints that accept no notifications.'),
    calls: z.array(failingCall).describe('Calls that the marketplace keeps failing.'),
    queues: z.array(stuckQueue).describe('Task queues whose tasks no worker takes.'),
    looked: z.number().describe('How many open shipments were checked.'),
    open: z.number().describe('All open shipments of these accounts.'),
  })
  .meta({ id: 'AttentionReport' });

const notificationKind = z.enum(NOTIFICATION_KINDS);

const deliveryLine = z.strictObject({
  id: z.string(),
  kind: notificationKind,
  endpoint: z.string(),
  outcome: z.enum(['delivered', 'dropped']),
  at: z.string(),
  attempts: z.number().int(),
  status: z.number().int().nullable().describe('HTTP status of the last answer; null without one.'),
}) satisfies z.ZodType<DeliveryLine>;

const waitingNotification = z.strictObject({
  id: z.string(),
  kind: notificationKind,
  endpoint: z.string(),
  at: z.string().describe('When it happened.'),
  attempts: z.number().int(),
  reason: nullableText.describe('How the last attempt ended; null before the first.'),
  isPaused: z.boolean().describe('Nothing is sent until somebody asks for it.'),
}) satisfies z.ZodType<WaitingNotification>;

const notification = z.looseObject({
  id: z.string(),
  number: z.number().int(),
  at: z.string(),
  order: z.looseObject({ account: z.string(), orderId: z.string() }),
  news: z.looseObject({ kind: notificationKind }),
});

export const notificationLog = z
  .strictObject({
    deliveries: z.array(deliveryLine).describe('The newest 50, the newest last.'),
    waiting: z.array(waitingNotification),
    notifications: z.array(notification).describe('Those that can be replayed, the newest last.'),
    leftOut: z.number().int().describe('How many were dropped, because too many waited.'),
  })
  .meta({ id: 'NotificationLog' });

export const replayedNotifications = z
  .strictObject({ count: z.number().int().describe('How many are sent again.') })
  .meta({ id: 'ReplayedNotifications' });

export const retriedNotifications = z
  .strictObject({ orders: z.number().int().describe('For how many orders endpoints are tried again.') })
  .meta({ id: 'RetriedNotifications' });

const testedEndpoint = z.strictObject({
  endpoint: z.string(),
  isAccepted: z.boolean(),
  answer: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('answered'),
      status: z.number().int(),
      text: z.string().describe('The first 300 characters.'),
    }),
    z.strictObject({ kind: z.literal('noAnswer'), reason: z.string() }),
  ]),
}) satisfies z.ZodType<TestedEndpoint>;

export const testedNotifications = z
  .strictObject({ endpoints: z.array(testedEndpoint) })
  .meta({ id: 'TestedNotifications' });

const eventSummary = z
  .strictObject({
    kind: z.enum(EVENT_KINDS),
    account: z.string(),
    listingId: nullableText,
    orderId: nullableText,
    status: z.string(),
    needsAttention: z.boolean(),
    says: nullableText,
    startedAt: instant,
  })
  .meta({ id: 'EventSummary' }) satisfies z.ZodType<EventSummary>;

const lateEvent = z
  .strictObject({ ...eventSummary.shape, cancellationLink: nullableText })
  .meta({ id: 'LateEvent' }) satisfies z.ZodType<LateEvent>;

export const eventPage = z
  .strictObject({
    events: z.array(eventSummary),
    next: nullableText.describe('The cursor of the next page; null on the last one.'),
  })
  .meta({ id: 'EventPage' }) satisfies z.ZodType<EventPage>;
export const lateEventList = z.strictObject({ events: z.array(lateEvent) }).meta({ id: 'LateEventList' });

export const tokenFacts = z
  .strictObject({
    name: z.string().describe('Who decides, in timelines.'),
    scopes: z.array(z.enum(['read', 'start', 'decide'])),
    accounts: z.array(z.string()),
  })
  .meta({ id: 'Token' });

const orderStop = z.looseObject({
  address: z.looseObject({
    ...{ street: z.string(), unit: nullableText, city: z.string(), state: z.string() },
    ...{ postalCode: z.string(), country: z.string() },
    ...{ latitude: z.number().nullable(), longitude: z.number().nullable() },
  }),
  addressType: nullableText,
  timeZone: z.string(),
  contact: z.looseObject({
    ...{ name: z.string(), companyName: nullableText, phone: z.string(), email: nullableText },
  }),
});

export const shipmentOrder = z
  .looseObject({
    account: z.string(),
    orderId: z.string(),
    kind: z.enum(['furniture', 'ltl']),
    title: z.string(),
    origin: orderStop,
    destination: orderStop,
    references: z.array(z.looseObject({ type: z.string(), number: z.string(), label: nullableText })),
  })
  .meta({ id: 'ShipmentOrder', description: 'The order in metric units; further fields may come.' });

const dueDays = z.strictObject({
  earliest: nullableText,
  latest: nullableText,
}) satisfies z.ZodType<DueDays>;

const dueEntry = z.strictObject({
  shipment: summary,
  pickup: dueDays,
  delivery: dueDays.nullable(),
  isPickupDue: z.boolean().describe('Not picked up yet, and the day of the pickup has come.'),
  isDeliveryDue: z.boolean().describe('On the truck, and the first day of the delivery has come.'),
  late: nullableText,
  missingPapers: z.array(z.enum(['billOfLading', 'contacts'])),
  carrier: nullableText,
  carrierPhone: nullableText,
  from: z.string().describe('City and state.'),
  to: z.string(),
}) satisfies z.ZodType<DueEntry>;

export const dueReport = z
  .strictObject({
    on: z.string(),
    entries: z.array(dueEntry),
    looked: z.number().describe('Open shipments that were asked: the newest ones, when there are more.'),
    unanswered: z.number().describe('Of these, the ones for which no worker answered.'),
    open: z.number().describe('All open shipments whose pickup is near or past.'),
  })
  .meta({ id: 'DueReport' }) satisfies z.ZodType<DueReport>;

const accountOverview = z.strictObject({
  account: z.string(),
  open: z.number(),
  paused: nullableText.describe('Why shipments wait for the account, and what to do.'),
  events: z
    .strictObject({
      shipments: z.number().describe('How many shipments were read: the newest ones.'),
      taken: z.number(),
      doubled: z.number().describe('They came more than once.'),
      quarantined: z.number().describe('Refused: an event with the same id and other content came before.'),
      repairs: z.number().describe('Changes that a read found and no event announced.'),
    })
    .describe('What became of the events of these shipments.'),
}) satisfies z.ZodType<AccountOverview>;

export const accountList = z.strictObject({ accounts: z.array(accountOverview) }).meta({ id: 'AccountList' });

export const replayedEvent = z
  .strictObject({
    workflowId: nullableText.describe('Null: the listing belongs to no order of Consign.'),
    events: z.number().int(),
  })
  .meta({ id: 'ReplayedEvent' }) satisfies z.ZodType<UnroutedEventResult>;

export const health = z.strictObject({ status: z.literal('up') }).meta({ id: 'Health' });
export const readiness = z.strictObject({ temporal: z.enum(['up', 'down']) }).meta({ id: 'Readiness' });
