import { z } from 'zod';
import { eventTypes, referenceTypes, transitStatuses, type EventType } from './codes';
import type { SandboxContext } from './context';
import { ApiProblem } from './errors';
import {
  announce,
  burstSchema,
  crowdedSchema,
  floodWithForeign,
  foreignSchema,
  sendBurst,
  sendCrowded,
} from './event-floods';
import { writeAcceptance, writeListing, type LedgerAcceptance, type LedgerListing } from './ledger';
import { cents } from './pricing';
import { totalCostOf } from './records';
import type { Listing } from './state';
import type { SentEvent } from './deliveries';
import { mishapKindSchema, mishapOutcomeSchema } from './mishap-kinds';

export const advanceSchema = z.strictObject({
  to: z.string().min(1),
  /** Which of the two statuses a value that nobody knows is meant for. */
  kind: z.enum(['status', 'transit']).optional(),
  /** Changes only the word of the status: a booking goes on behind it. */
  keepBooking: z.boolean().optional(),
});
export const mishapSchema = z.strictObject({
  kind: mishapKindSchema,
  leaves: mishapOutcomeSchema.default('Cancelled'),
});
const priceText = { description: z.string().default('Adjustment') };
export const priceSchema = z.union([
  /** Added to the price; below 0 it lowers it. */
  z.strictObject({ amount: z.number(), ...priceText }),
  /** What the shipment costs from now on. */
  z.strictObject({ total: z.number().nonnegative(), ...priceText }),
]);
/** How much of the way from pickup to delivery lies behind the goods. */
export const locationSchema = z.strictObject({ share: z.number().min(0).max(1) });
export const referenceSchema = z.strictObject({
  number: z.string().min(1),
  type: z.enum(referenceTypes),
  referenceNumberLabel: z.string().optional(),
});
export const attachmentSchema = z.strictObject({ fileName: z.string().min(1), notes: z.string().optional() });
export const deliveryTimeFrameSchema = z.strictObject({
  earliestArrival: z.string().optional(),
  latestArrival: z.string().optional(),
  timeFrameType: z.enum(['between', 'before', 'on']),
});
export const eventSchema = z.union([
  z.strictObject({
    type: z.string().min(1),
    listingId: z.number(),
    data: z.record(z.string(), z.unknown()).optional(),
    id: z.string().optional(),
    time: z.string().optional(),
  }),
  /** The same event again, with the same id. */
  z.strictObject({ resend: z.string() }),
  /** Posted as it is, also when it is no event at all. */
  z.strictObject({ envelope: z.record(z.string(), z.unknown()) }),
]);
export type AdvanceInput = z.input<typeof advanceSchema>;
export type MishapInput = z.input<typeof mishapSchema>;
export type PriceInput = z.input<typeof priceSchema>;
export type LocationInput = z.input<typeof locationSchema>;
export type ReferenceInput = z.input<typeof referenceSchema>;
export type AttachmentInput = z.input<typeof attachmentSchema>;
export type DeliveryTimeFrameInput = z.input<typeof deliveryTimeFrameSchema>;
export type BurstInput = z.input<typeof burstSchema>;
export type CrowdedInput = z.input<typeof crowdedSchema>;
export type ForeignInput = z.input<typeof foreignSchema>;
export type EventInput = z.input<typeof eventSchema>;

/** What a test or a person does to the marketplace by hand; behind both the control routes and the library. */
export class Controls {
  /** @internal */
  constructor(private readonly context: SandboxContext) {}

  /** @internal The record itself, which a change of it would change. */
  listing(listingId: number | string): Listing {
    const listing = this.context.store.listings.get(Number(listingId));
    if (listing === undefined) throw new ApiProblem(404, `There is no listing ${listingId}.`);
    return listing;
  }

  /** Forces a status; the carrier goes on from there. A transit status books the listing first if need be. */
  advance(listingId: number | string, input: AdvanceInput): LedgerListing {
    const { to, kind, keepBooking } = advanceSchema.parse(input);
    const listing = this.listing(listingId);
    const isTransit = transitStatuses.some((status) => status === to) || kind === 'transit';
    if (!isTransit && keepBooking === true) this.context.life.say(listing, to);
    else if (!isTransit) this.context.life.setStatus(listing, to);
    else {
      if (listing.bookedOn === undefined) this.context.life.book(listing);
      this.context.life.moveTo(listing, to);
    }
    return writeListing(listing);
  }

  /** What becomes of a shipment apart from being delivered. */
  mishap(listingId: number | string, input: MishapInput): LedgerListing {
    const { kind, leaves } = mishapSchema.parse(input);
    const listing = this.listing(listingId);
    this.context.mishaps.happen(listing, kind, leaves);
    return writeListing(listing);
  }

  /** A reweigh, a reclass, an accessorial, or a correction of one: the price changes after the fact. */
  adjustPrice(listingId: number | string, input: PriceInput): LedgerListing {
    const wanted = priceSchema.parse(input);
    const listing = this.listing(listingId);
    const amount = 'total' in wanted ? cents(wanted.total - totalCostOf(listing)) : wanted.amount;
    if (totalCostOf(listing) + amount < 0) throw new ApiProblem(400, 'The price would be below 0.');
    this.context.paperwork.adjustPrice(listing, { description: wanted.description, amount });
    return writeListing(listing);
  }

  /** The carrier takes a rate back before it expires. */
  withdrawRate(rateId: string): { readonly rateId: string; readonly withdrawnOn: string } {
    const rate = this.context.store.rates.get(rateId);
    if (rate === undefined) throw new ApiProblem(404, `There is no rate ${rateId}.`);
    rate.withdrawnOn ??= new Date();
    return { rateId, withdrawnOn: rate.withdrawnOn.toISOString() };
  }

  /** The marketplace takes back an acceptance that waits for its carrier. */
  withdrawAcceptance(executionId: string): LedgerAcceptance {
    return writeAcceptance(this.context.acceptances.withdraw(executionId));
  }

  /** Puts the goods on the map until the next transit status. */
  setLocation(listingId: number | string, input: LocationInput): LedgerListing {
    const listing = this.listing(listingId);
    listing.locationShare = locationSchema.parse(input).share;
    this.context.life.touch(listing);
    return writeListing(listing);
  }

  addReference(listingId: number | string, input: ReferenceInput): LedgerListing {
    const listing = this.listing(listingId);
    const { referenceNumberLabel, ...reference } = referenceSchema.parse(input);
    const added = { ...reference, ...(referenceNumberLabel === undefined ? {} : { referenceNumberLabel }) };
    this.context.paperwork.addReference(listing, added);
    return writeListing(listing);
  }

  addAttachment(listingId: number | string, input: AttachmentInput): LedgerListing {
    const { fileName, notes } = attachmentSchema.parse(input);
    const listing = this.listing(listingId);
    this.context.paperwork.addDocument(listing, {
      fileName,
      attachmentType: 'Other',
      ...(notes === undefined ? {} : { notes }),
    });
    return writeListing(listing);
  }

  changeDeliveryTimeFrame(listingId: number | string, input: DeliveryTimeFrameInput): LedgerListing {
    const { timeFrameType, ...days } = deliveryTimeFrameSchema.parse(input);
    const listing = this.listing(listingId);
    const given = Object.entries(days).filter(([, day]) => day !== undefined);
    const timeFrame = { ...Object.fromEntries(given), timeFrameType };
    const route = listing.draft.route.map((stop, index, stops) =>
      index === stops.length - 1 ? { ...stop, timeFrame } : stop,
    );
    listing.draft = { ...listing.draft, route };
    return this.#announce(listing, 'Shipment.DeliveryTimeFrameUpdated/v1');
  }

  sendEvent(input: EventInput): SentEvent {
    const wanted = eventSchema.parse(input);
    if ('envelope' in wanted) return this.context.webhooks.send(wanted.envelope, null);
    if ('resend' in wanted) {
      const event = this.context.webhooks.resend(wanted.resend);
      if (event === undefined) throw new ApiProblem(404, `There is no event ${wanted.resend}.`);
      return event;
    }
    const { type, listingId, data, id, time } = wanted;
    const listing = this.listing(listingId);
    const isKnown = eventTypes.some((eventType) => eventType === type);
    if (data === undefined && isKnown) return announce(this.context, listing, type);
    const overrides = { ...(id === undefined ? {} : { id }), ...(time === undefined ? {} : { time }) };
    return this.context.events.send(type, listing, data ?? {}, overrides);
  }

  /** Many events of one listing at once, each with an id of its own. */
  sendBurst(input: BurstInput): readonly SentEvent[] {
    const burst = burstSchema.parse(input);
    return sendBurst(this.context, this.listing(burst.listingId), burst);
  }

  /** One event that names hundreds of other listings and orders. */
  sendCrowded(input: CrowdedInput): SentEvent {
    const crowd = crowdedSchema.parse(input);
    return sendCrowded(this.context, this.listing(crowd.listingId), crowd);
  }

  /** Listings that somebody made by hand, and events about them. */
  createForeign(input: ForeignInput): {
    listings: readonly LedgerListing[];
    events: readonly SentEvent[];
  } {
    const { listings, events } = floodWithForeign(this.context, foreignSchema.parse(input));
    return { listings: listings.map(writeListing), events };
  }

  #announce(listing: Listing, type: EventType): LedgerListing {
    this.context.life.touch(listing);
    this.context.events.describe(type, listing);
    return writeListing(listing);
  }
}
