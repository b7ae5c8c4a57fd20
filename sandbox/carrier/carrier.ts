import type { CancelTimer, ClockStep } from '../model/clock';
import { transitStatuses } from '../model/codes';
import { ApiProblem } from '../model/errors';
import type { RandomPerSubject } from '../model/random';
import { isLiveBooking, orderReferenceOf, type Listing } from '../model/state';
import { switchesFor } from '../model/switches';
import { listingTroubles, type ListingTrouble } from '../troubles/trouble';
import { beginBooking, complete, leaveBooking } from './booking';
import { carriers, type CarrierProfile } from '../model/carriers';
import type { Papers } from './papers';
import type { Parts } from './parts';

const transitSteps: readonly ClockStep[] = ['readyForDispatch', 'dispatched', 'pickedUp', 'delivered'];

/** What these troubles make of a listing. */
const statusAfter: Partial<Record<ListingTrouble['kind'], string>> = {
  shipperCancels: 'Cancelled',
  hold: 'OnHold',
  close: 'Closed',
  expire: 'Expired',
  relist: 'Expired',
};

/** The carrier: books listings and moves them, each step when its time on the clock has come, unless trouble strikes. */
export class Carrier {
  readonly #next = new Map<number, CancelTimer>();
  /** What was planned for a listing at its creation or its first booking: nothing else is planned for it. */
  readonly #planned = new Map<number, ListingTrouble>();

  /** @param random draws the carriers, each order's own */
  constructor(
    private readonly parts: Parts,
    private readonly papers: Papers,
    private readonly random: RandomPerSubject,
  ) {}

  /** A furniture listing waits on the market until a carrier takes it, or until something else happens to it. */
  publish(listing: Listing): void {
    const trouble = this.#plan(listing, 'created');
    if (trouble === undefined) this.#after('booking', listing, () => this.offer(listing));
    else this.#after('trouble', listing, () => this.befall(listing, trouble));
  }

  /** A carrier is asked; the switch `carrierAnswer` says what it makes of it. */
  offer(listing: Listing, carrier: CarrierProfile = this.#anyCarrierFor(listing)): void {
    const { carrierAnswer } = switchesFor(listing, this.parts);
    if (carrierAnswer === 'accepts') {
      this.book(listing, carrier);
      return;
    }
    listing.hasPendingBookingRequest = true;
    this.parts.history.touch(listing);
    if (carrierAnswer === 'acceptsLater')
      this.#after('carrierAnswer', listing, () => this.book(listing, carrier));
    else
      this.#after(carrierAnswer === 'refuses' ? 'carrierAnswer' : 'carrierWindow', listing, () => {
        listing.hasPendingBookingRequest = false;
        this.tell(listing);
      });
  }

  /** A new booking gets its own carrier and bill of lading; a booking that continues is only reported again. */
  book(listing: Listing, carrier: CarrierProfile = this.#anyCarrierFor(listing)): void {
    const isNew = !isLiveBooking(listing);
    const isSaid = isNew || listing.status === 'Booked';
    if (isNew) beginBooking(listing, carrier, this.parts.store.newBillOfLadingNumber());
    delete listing.completedOn;
    listing.status = 'Booked';
    listing.hasPendingBookingRequest = false;
    this.tell(listing);
    if (isSaid) this.parts.events.announce('Listing.Booked/v1', listing);
    if (isNew) {
      this.papers.booked(listing);
      this.#planBooked(listing);
    }
    this.#scheduleTransit(listing);
  }

  /** Sets the transit status, also to a value that nobody knows, and goes on from there. */
  moveTo(listing: Listing, transitStatus: string): void {
    listing.transitStatus = transitStatus;
    delete listing.locationShare;
    listing.transitHistory.push({ status: transitStatus, setOn: new Date() });
    this.parts.history.touch(listing);
    this.parts.events.announce('Shipment.TransitStatusChanged/v1', listing);
    if (transitStatus === 'PickedUp') this.papers.pickedUp(listing);
    if (transitStatus !== 'Delivered') {
      this.#scheduleTransit(listing);
      return;
    }
    this.stop(listing);
    complete(listing);
    this.papers.delivered(listing);
    this.tell(listing);
  }

  /** Sets the listing status by hand. Every status but Booked stops the carrier, and some end the booking. */
  setStatus(listing: Listing, status: string): void {
    if (status === 'Booked') {
      this.book(listing);
      return;
    }
    leaveBooking(listing, status);
    this.say(listing, status);
  }

  /** Only the word of the status: a booking goes on behind it. */
  say(listing: Listing, status: string): void {
    listing.status = status;
    listing.hasPendingBookingRequest = false;
    this.stop(listing);
    this.tell(listing);
  }

  /** Makes a trouble of a listing happen now. A 409 refuses what needs a booking that has not ended. */
  befall(listing: Listing, { kind, leaves }: ListingTrouble): void {
    const isBooking = isLiveBooking(listing) && listing.completedOn === undefined;
    if (['carrierCancels', 'noShow', 'shipperCancels'].includes(kind) && !isBooking)
      throw new ApiProblem(409, `${kind} needs a listing that is booked and not completed.`);
    listing.troubles.push(kind);
    const status = statusAfter[kind];
    const relisted = leaves === 'Rebooked' ? leaves : 'Active';
    if (status !== undefined) this.setStatus(listing, status);
    else if (kind === 'resume') this.setStatus(listing, isLiveBooking(listing) ? 'Booked' : 'Active');
    else this.#leave(listing, kind === 'reactivate' ? relisted : leaves);
    if (kind === 'relist') this.#after('relisted', listing, () => this.#leave(listing, relisted));
  }

  stop(listing: Listing): void {
    this.#next.get(listing.listingId)?.();
    this.#next.delete(listing.listingId);
  }

  /** To be called when the status has changed, or stands and was not told. */
  tell(listing: Listing): void {
    this.parts.history.touch(listing);
    this.parts.events.announce('Listing.StatusChanged/v1', listing);
  }

  #leave(listing: Listing, leaves: ListingTrouble['leaves']): void {
    this.setStatus(listing, leaves === 'Cancelled' ? 'Cancelled' : 'Active');
    if (leaves === 'Rebooked') this.publish(listing);
  }

  #plan(listing: Listing, moment: 'created' | 'booked'): ListingTrouble | undefined {
    const { listingId, account, draft } = listing;
    if (this.#planned.has(listingId)) return undefined;
    const reference = orderReferenceOf(draft.referenceNumbers);
    const occasion = { listing: moment, reference, listingId, account: account.name };
    const trouble = this.parts.troubles.strike(occasion, listingTroubles);
    if (trouble !== undefined) this.#planned.set(listingId, trouble);
    return trouble;
  }

  /** Only the first booking of a listing meets what was planned: a second one succeeds. */
  #planBooked(listing: Listing): void {
    const { counts } = listing;
    const trouble = counts.booked === 1 ? this.#plan(listing, 'booked') : undefined;
    if (trouble === undefined) return;
    this.parts.clock.after(trouble.kind === 'noShow' ? 'pickupDayPasses' : 'trouble', () => {
      if (counts.booked === 1 && isLiveBooking(listing) && listing.completedOn === undefined)
        this.befall(listing, trouble);
    });
  }

  #scheduleTransit(listing: Listing): void {
    this.stop(listing);
    if (switchesFor(listing, this.parts).transit === 'manual') return;
    const index = transitStatuses.findIndex((status) => status === listing.transitStatus) + 1;
    const [status, step] = [transitStatuses[index], transitSteps[index]];
    if (status === undefined || step === undefined) return;
    const isNoShow = this.#planned.get(listing.listingId)?.kind === 'noShow' && listing.counts.booked === 1;
    if (status === 'PickedUp' && isNoShow) return;
    this.#after(step, listing, () => this.moveTo(listing, status));
  }

  /** Unless something else happens to the listing before. */
  #after(step: ClockStep, listing: Listing, act: () => void): void {
    this.stop(listing);
    const cancel = this.parts.clock.after(step, () => {
      this.#next.delete(listing.listingId);
      act();
    });
    this.#next.set(listing.listingId, cancel);
  }

  #anyCarrierFor({ draft }: Listing): CarrierProfile {
    const random = this.random.next(orderReferenceOf(draft.referenceNumbers));
    const carrier = carriers[random.integer(0, carriers.length - 1)];
    if (carrier === undefined) throw new Error('there is no carrier');
    return carrier;
  }
}
