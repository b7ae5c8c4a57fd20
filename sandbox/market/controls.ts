import { z } from 'zod';
import { eventTypes, referenceTypes, transitStatuses } from '../model/codes';
import { ApiProblem } from '../model/errors';
import type { Listing } from '../model/state';
import { cents } from '../carrier/pricing';
import { writeAcceptance, writeListing, type LedgerAcceptance, type LedgerListing } from '../ledger/ledger';
import { totalCostOf } from '../records/records';
import type { SentEvent } from '../webhooks/deliveries';
import type { SandboxContext } from './context';

const advanceSchema = z.strictObject({
  to: z.string().min(1),
  /** Which of the two statuses a value that nobody knows is meant for. */
  kind: z.enum(['status', 'transit']).optional(),
  /** Changes only the word of the status: a booking goes on behind it. */
  keepBooking: z.boolean().optional(),
});
const priceText = { description: z.string().default('Adjustment') };
const priceSchema = z.union([
  /** Added to the price; below 0 it lowers it. */
  z.strictObject({ amount: z.number(), ...priceText }),
  /** What the shipment costs from now on. */
  z.strictObject({ total: z.number().nonnegative(), ...priceText }),
]);
/** How much of the way from pickup to delivery lies behind the goods. */
const locationSchema = z.strictObject({ share: z.number().min(0).max(1) });
const referenceSchema = z.strictObject({
  number: z.string().min(1),
  type: z.enum(referenceTypes),
  referenceNumberLabel: z.string().optional(),
});
const attachmentSchema = z.strictObject({ fileName: z.string().min(1), notes: z.string().optional() });
const deliveryTimeFrameSchema = z.strictObject({
  earliestArrival: z.string().optional(),
  latestArrival: z.string().optional(),
  timeFrameType: z.enum(['between', 'before', 'on']),
});
const eventSchema = z.union([
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
export type PriceInput = z.input<typeof priceSchema>;
export type LocationInput = z.input<typeof locationSchema>;
export type ReferenceInput = z.input<typeof referenceSchema>;
export type AttachmentInput = z.input<typeof attachmentSchema>;
export type DeliveryTimeFrameInput = z.input<typeof deliveryTimeFrameSchema>;
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
    if (!isTransit && keepBooking === true) this.context.carrier.say(listing, to);
    else if (!isTransit) this.context.carrier.setStatus(listing, to);
    else {
      if (listing.bookedOn === undefined) this.context.carrier.book(listing);
      this.context.carrier.moveTo(listing, to);
    }
    return writeListing(listing);
  }

  /** A reweigh, a reclass, an accessorial, or a correction of one: the price changes after the fact. */
  adjustPrice(listingId: number | string, input: PriceInput): LedgerListing {
    const wanted = priceSchema.parse(input);
    const listing = this.listing(listingId);
    const amount = 'total' in wanted ? cents(wanted.total - totalCostOf(listing)) : wanted.amount;
    if (totalCostOf(listing) + amount < 0) throw new ApiProblem(400, 'The price would be below 0.');
    this.context.papers.adjustPrice(listing, { description: wanted.description, amount });
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
    const { share } = locationSchema.parse(input);
    const listing = this.listing(listingId);
    listing.locationShare = share;
    this.context.history.touch(listing);
    return writeListing(listing);
  }

  addReference(listingId: number | string, input: ReferenceInput): LedgerListing {
    const reference = referenceSchema.parse(input);
    const listing = this.listing(listingId);
    this.context.papers.addReference(listing, reference);
    return writeListing(listing);
  }

  addAttachment(listingId: number | string, input: AttachmentInput): LedgerListing {
    const { fileName, notes } = attachmentSchema.parse(input);
    const listing = this.listing(listingId);
    this.context.papers.addDocument(listing, { fileName, attachmentType: 'Other', notes });
    return writeListing(listing);
  }

  changeDeliveryTimeFrame(listingId: number | string, input: DeliveryTimeFrameInput): LedgerListing {
    const { timeFrameType, ...days } = deliveryTimeFrameSchema.parse(input);
    const listing = this.listing(listingId);
    const timeFrame = { ...days, timeFrameType };
    const route = listing.draft.route.map((stop, index, stops) =>
      index === stops.length - 1 ? { ...stop, timeFrame } : stop,
    );
    listing.draft = { ...listing.draft, route };
    this.context.history.touch(listing);
    this.context.events.announce('Shipment.DeliveryTimeFrameUpdated/v1', listing);
    return writeListing(listing);
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
    if (data === undefined && eventTypes.some((known) => known === type))
      return this.context.events.announce(type, listing);
    return this.context.events.send(type, listing, data ?? {}, { id, time });
  }
}
