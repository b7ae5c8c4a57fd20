import { z } from 'zod';
import { referenceTypes } from '../model/codes';
import { operations } from '../model/operations';
import { acceptanceTroubles, rateTroubles } from '../model/state';

/** At a request: what becomes of it and of its answer. */
const answerTroubles = [
  'status',
  'statusAfter',
  'delay',
  'delayBefore',
  'hangUpBefore',
  'hangUpAfter',
  'resetBefore',
  'resetAfter',
  'truncate',
  'stall',
  'garbage',
  'unreadable',
  'noLocation',
  'foreignLocation',
  'otherLocation',
  'outage',
  'falseAbsence',
  'ipRefused',
  'suspended',
  'cardDeclined',
  'cardExpired',
  'fieldError',
  'duplicate',
  'bookBefore',
] as const;

/** At an event that is about a listing. */
export const eventTroubles = [
  'twin',
  'reusedId',
  'unknownType',
  'unknownStatus',
  'lost',
  'doubled',
  'late',
] as const;

/** At the creation or the booking of a listing, or at once. */
export const listingTroubles = [
  'carrierCancels',
  'shipperCancels',
  'noShow',
  'hold',
  'resume',
  'close',
  'expire',
  'relist',
  'reactivate',
] as const;

/** Somebody does this, at once or after a request. */
export const deeds = ['rotateKey', 'expireTokens', 'endSessions', 'eventBurst', 'foreignListings'] as const;

const answer = z
  .strictObject({
    kind: z.enum(answerTroubles),
    status: z.int().min(200).max(599).optional(),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.unknown().optional(),
    /** Of the answer; a type of HTML without a body makes the answer a page. */
    contentType: z.string().min(1).optional(),
    /** How the answer is compressed, whatever the request accepts; `broken` claims gzip and ends too early. */
    encoding: z.enum(['gzip', 'deflate', 'br', 'broken']).optional(),
    /** In real time. */
    delayMs: z.number().nonnegative().optional(),
    /** Seconds of the `Retry-After` header. */
    retryAfter: z.int().nonnegative().optional(),
    retryAfterForm: z.enum(['seconds', 'date']).optional(),
    /** Code and field of the entry in the error body, where the kind has one. */
    code: z.int().min(40_000).max(50_000).optional(),
    field: z.string().min(1).optional(),
  })
  .superRefine(({ kind, status, delayMs }, issues) => {
    if (kind.startsWith('status') && status === undefined) issues.addIssue(`${kind} needs a status`);
    if (kind.startsWith('delay') && delayMs === undefined) issues.addIssue(`${kind} needs delayMs`);
  });
export type AnswerTrouble = z.infer<typeof answer>;

/** What `anything` draws from: trouble that a real service shows. */
export const usualTroubles: Readonly<Record<string, AnswerTrouble>> = {
  serverError: { kind: 'status', status: 500 },
  badGateway: { kind: 'status', status: 502 },
  unavailable: { kind: 'outage', retryAfter: 1 },
  gatewayTimeout: { kind: 'statusAfter', status: 504 },
  throttled: { kind: 'status', status: 429, retryAfter: 1 },
  hangUpBefore: { kind: 'hangUpBefore' },
  hangUpAfter: { kind: 'hangUpAfter' },
  slow: { kind: 'delay' },
  compressed: { kind: 'delay', encoding: 'gzip' },
  truncate: { kind: 'truncate' },
  garbage: { kind: 'garbage' },
  noLocation: { kind: 'noLocation' },
};

/** One of the usual troubles, drawn for each request that it strikes. */
const anything = z.strictObject({
  kind: z.literal('anything'),
  of: z
    .array(z.string().refine((name) => name in usualTroubles, 'is none of the usual troubles'))
    .min(1)
    .default(Object.keys(usualTroubles)),
  /** How long `slow` and `compressed` wait, in real time. */
  delayMs: z.number().nonnegative().default(200),
});
/** At a request for rates that is in order: what becomes of them. */
const rates = z.strictObject({ kind: z.enum(rateTroubles) });
/** At a request to accept a rate that is in order: what becomes of the acceptance. */
const acceptance = z.strictObject({ kind: z.enum(acceptanceTroubles) });
const event = z.strictObject({
  kind: z.enum(eventTroubles),
  /** How late, in real time. */
  delayMs: z.number().nonnegative().default(2000),
});
const listing = z.strictObject({
  kind: z.enum(listingTroubles),
  /** What a carrier that cancels or never comes leaves behind. Rebooked: Active, and then a carrier books it again. */
  leaves: z.enum(['Cancelled', 'Active', 'Rebooked']).default('Cancelled'),
});

const eventType = z.string().min(1).default('Listing.StatusChanged/v1');
const deed = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('rotateKey'), key: z.string().min(1) }),
  z.strictObject({ kind: z.enum(['expireTokens', 'endSessions']) }),
  z.strictObject({
    kind: z.literal('eventBurst'),
    count: z.int().min(1).max(5000),
    type: eventType,
  }),
  z.strictObject({
    kind: z.literal('foreignListings'),
    count: z.int().min(1).max(1000).default(1),
    eventsEach: z.int().min(0).max(1000).default(1),
    type: eventType,
    status: z.string().min(1).default('Active'),
    referenceNumbers: z
      .array(z.strictObject({ number: z.string().min(1), type: z.enum(referenceTypes) }))
      .default([]),
    /** With the route and the items of this listing: what is posted a second time. */
    like: z.int().optional(),
  }),
]);

const whatSchema = z.discriminatedUnion('kind', [answer, anything, rates, acceptance, event, listing, deed]);
export type What = z.infer<typeof whatSchema>;
export type ListingTrouble = z.infer<typeof listing>;
export type Deed = z.infer<typeof deed>;
export type EventTrouble = z.infer<typeof event>;

const whenSchema = z.strictObject({
  /** At requests of this endpoint; the asterisk is every one. */
  request: z.enum([...operations, '*']).optional(),
  /** At this moment of a listing: its creation on the market, or its first booking. */
  listing: z.enum(['created', 'booked']).optional(),
  /** At events of this type; the asterisk is every one. */
  event: z.string().min(1).optional(),
  /** How many of them pass before the first that it strikes. */
  after: z.int().nonnegative().default(0),
  /** Only requests whose path or body contains this text. */
  match: z.string().min(1).optional(),
  /** It ends by itself so long after it was added, in real time. */
  forMs: z.number().positive().optional(),
  /** Share of them that it strikes, 0 to 1; drawn by the seed. */
  chance: z.number().min(0).max(1).optional(),
  seed: z.union([z.string(), z.number()]).default(1),
  /** After so many in a row on one endpoint of one order the next request passes. */
  mostInARow: z.int().positive().optional(),
});

const whomSchema = z.strictObject({
  /** The order's reference; also requests that name the order only by a listing or a rate. */
  order: z.string().min(1).optional(),
  listing: z.coerce.number().optional(),
  account: z.string().min(1).optional(),
});

/** A name alone stands for the object whose most important field it is. */
const named = <Schema extends z.ZodType>(field: string, schema: Schema) =>
  z.preprocess((value) => (typeof value === 'string' ? { [field]: value } : value), schema);

/** Something that goes wrong: when, with whom, what, and how often. */
export const troubleSchema = z
  .strictObject({
    when: named('request', whenSchema).optional(),
    whom: named('order', whomSchema).optional(),
    what: named('kind', whatSchema),
    times: z.int().positive().optional(),
  })
  .superRefine(({ when, what: { kind } }, issues) => {
    const places = placesOf(kind);
    const place = placeOf(when);
    if (places.includes(place)) return;
    issues.addIssue({
      code: 'custom',
      path: ['when'],
      message: `${kind} needs one of: ${places.join(', ')}`,
    });
  });

type Place = 'request' | 'listing' | 'event' | 'no when';
const placeOf = (when: z.infer<typeof whenSchema> | undefined): Place =>
  (['request', 'listing', 'event'] as const).find((place) => when?.[place] !== undefined) ?? 'no when';
const has = (kinds: readonly string[], kind: string): boolean => kinds.includes(kind);
function placesOf(kind: What['kind']): readonly Place[] {
  if (has(eventTroubles, kind)) return ['event'];
  if (has(listingTroubles, kind)) return ['listing', 'no when'];
  return has(deeds, kind) ? ['request', 'no when'] : ['request'];
}

export type Trouble = z.infer<typeof troubleSchema>;
export type WhenInput = z.input<typeof whenSchema>;
export type WhomInput = Readonly<{ order?: string; listing?: number | string; account?: string }>;
export type WhatInput = z.input<typeof whatSchema>;

/** A trouble as it is given to the sandbox: a text stands for `{request}`, `{order}` and `{kind}`. */
export interface TroubleInput {
  readonly when?: WhenInput | NonNullable<WhenInput['request']>;
  readonly whom?: WhomInput | string;
  readonly what: WhatInput | WhatInput['kind'];
  readonly times?: number;
}

export type WhatOf<Kind> = Extract<What, { readonly kind: Kind }>;
export const isOneOf = <Kind extends What['kind']>(
  what: What,
  kinds: readonly Kind[],
): what is WhatOf<Kind> => has(kinds, what.kind);
/** What strikes requests: one answer, or any. */
export const requestTroubles = [...answerTroubles, 'anything'] as const;
export const isAnswerTrouble = (what: What): what is WhatOf<(typeof requestTroubles)[number]> =>
  isOneOf(what, requestTroubles);
