import { z } from 'zod';
import { referenceTypes, transitStatuses } from '../model/codes';
import { ApiProblem } from '../model/errors';
import type { Listing } from '../model/state';
import { cents } from '../carrier/pricing';
import { writeAcceptance, writeListing, type LedgerAcceptance, type LedgerListing } from '../ledger/ledger';
import { totalCostOf } from '../records/records';
import type { SentEvent } from '../webhooks/deliveries';
import { isEventType } from '../webhooks/events';
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
  readonly advance = this.#ofListing(advanceSchema, (listing, { to, kind, keepBooking }) => {
    const { carrier } = this.context;
    const isTransit = transitStatuses.includes(to) || kind === 'transit';
    if (!isTransit && keepBooking === true) carrier.say(listing, to);
    else if (!isTransit) carrier.setStatus(listing, to);
    else {
      if (listing.bookedOn === undefined) carrier.book(listing);
      carrier.moveTo(listing, to);
    }
  });

  /** A reweigh, a reclass, an accessorial, or a correction of one: the price changes after the fact. */
  readonly adjustPrice = this.#ofListing(priceSchema, (listing, wanted) => {
    const amount = 'total' in wanted ? cents(wanted.total - totalCostOf(listing)) : wanted.amount;
    if (totalCostOf(listing) + amount < 0) throw new ApiProblem(400, 'The price would be below 0.');
    this.context.papers.adjustPrice(listing, { description: wanted.description, amount });
  });

  /** The carrier takes a rate back before it expires. */
  readonly withdrawRate = (rateId: string) => {
    const rate = this.context.store.rates.get(rateId);
    if (rate === undefined) throw new ApiProblem(404, `There is no rate ${rateId}.`);
    rate.withdrawnOn ??= new Date();
    return { rateId, withdrawnOn: rate.withdrawnOn.toISOString() };
  };

  /** The marketplace takes back an acceptance that waits for its carrier. */
  readonly withdrawAcceptance = (executionId: string): LedgerAcceptance =>
    writeAcceptance(this.context.acceptances.withdraw(executionId));

  /** Puts the goods on the map until the next transit status. */
  readonly setLocation = this.#ofListing(locationSchema, (listing, { share }) => {
    listing.locationShare = share;
    this.context.history.touch(listing);
  });

  readonly addReference = this.#ofListing(referenceSchema, (listing, reference) => {
    this.context.papers.addReference(listing, reference);
  });

  readonly addAttachment = this.#ofListing(attachmentSchema, (listing, { fileName, notes }) => {
    this.context.papers.addDocument(listing, { fileName, attachmentType: 'Other', notes });
  });

  readonly changeDeliveryTimeFrame = this.#ofListing(deliveryTimeFrameSchema, (listing, timeFrame) => {
    const route = listing.draft.route.map((stop, index, stops) =>
      index === stops.length - 1 ? { ...stop, timeFrame } : stop,
    );
    listing.draft = { ...listing.draft, route };
    this.context.history.touch(listing);
    this.context.events.announce('Shipment.DeliveryTimeFrameUpdated/v1', listing);
  });

  sendEvent(input: EventInput): SentEvent {
    const { events, webhooks } = this.context;
    const wanted = eventSchema.parse(input);
    if ('envelope' in wanted) return webhooks.send(wanted.envelope, null);
    if ('resend' in wanted) {
      const event = webhooks.resend(wanted.resend);
      if (event === undefined) throw new ApiProblem(404, `There is no event ${wanted.resend}.`);
      return event;
    }
    const { type, listingId, data, id, time } = wanted;
    const listing = this.listing(listingId);
    if (data === undefined && isEventType(type)) return events.announce(type, listing);
    return events.send(type, listing, data ?? {}, { id, time });
  }

  #ofListing<Schema extends z.ZodType>(
    schema: Schema,
    act: (listing: Listing, input: z.output<Schema>) => void,
  ) {
    return (listingId: number | string, input: z.input<Schema>): LedgerListing => {
      const wanted = schema.parse(input);
      const listing = this.listing(listingId);
      act(listing, wanted);
      return writeListing(listing);
    };
  }
}
