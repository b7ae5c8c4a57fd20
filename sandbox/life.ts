import type { CancelTimer, ClockStep, SandboxClock } from './clock';
import { carriers } from './carriers';
import { beginBooking, complete, leaveBooking } from './booking';
import { transitStatuses } from './codes';
import type { Events } from './events';
import type { OrderHistory } from './order-history';
import type { PaperSteps } from './paper-steps';
import type { RandomPerSubject } from './random';
import { isLiveBooking, orderReferenceOf } from './references';
import type { Carrier, Listing } from './state';
import type { Store } from './store';
import { switchesFor, type SandboxSwitches } from './switches';

interface Parts {
  readonly clock: SandboxClock;
  readonly events: Events;
  readonly history: OrderHistory;
  readonly paperSteps: PaperSteps;
  /** Draws the carriers, each order's own. */
  readonly random: RandomPerSubject;
  readonly store: Store;
  readonly switches: SandboxSwitches;
}

const transitSteps: readonly ClockStep[] = ['readyForDispatch', 'dispatched', 'pickedUp', 'delivered'];

/** The carrier: books listings and moves them, each step when its time on the clock has come. */
export class ShipmentLife {
  readonly #next = new Map<number, CancelTimer>();

  #whenBooked: (listing: Listing) => void = () => undefined;
  #whenUntaken: (listing: Listing) => void = () => undefined;

  constructor(private readonly parts: Parts) {}

  /** Called after every new booking. */
  whenBooked(act: (listing: Listing) => void): void {
    this.#whenBooked = act;
  }

  /** Called when the time has come of a listing that is planned to expire. */
  whenUntaken(act: (listing: Listing) => void): void {
    this.#whenUntaken = act;
  }

  /** Unless something else happens to the listing before. */
  later(step: ClockStep, listing: Listing, act: () => void): void {
    this.#after(step, listing, act);
  }

  /** A furniture listing waits on the market until a carrier takes it, or until it expires. */
  publish(listing: Listing): void {
    this.#drawMishap(listing);
    const isToExpire = listing.mishap?.kind === 'expire' || listing.mishap?.kind === 'relist';
    if (isToExpire && listing.isMishapOver !== true)
      this.#after('mishap', listing, () => {
        listing.isMishapOver = true;
        this.#whenUntaken(listing);
      });
    else this.#after('booking', listing, () => this.offer(listing, this.#anyCarrierFor(listing)));
  }

  /** A carrier takes it in the moment of its creation. */
  takeAtOnce(listing: Listing): void {
    this.#drawMishap(listing);
    this.offer(listing, this.#anyCarrierFor(listing));
  }

  /** The carrier is asked; `carrierAnswer` says what it makes of it. */
  offer(listing: Listing, carrier: Carrier): void {
    const { carrierAnswer } = this.#switchesOf(listing);
    if (carrierAnswer === 'accepts') {
      this.book(listing, carrier);
      return;
    }
    listing.hasPendingBookingRequest = true;
    this.touch(listing);
    if (carrierAnswer === 'acceptsLater')
      this.#after('carrierAnswer', listing, () => this.book(listing, carrier));
    else
      this.#after(carrierAnswer === 'refuses' ? 'carrierAnswer' : 'carrierWindow', listing, () => {
        listing.hasPendingBookingRequest = false;
        this.touch(listing);
        this.parts.events.statusChanged(listing);
      });
  }

  /** Nobody took it: it stands on the market, which is told like every other status. */
  leaveOpen(listing: Listing): void {
    this.touch(listing);
    this.parts.events.statusChanged(listing);
  }

  /** A new booking, with a carrier and a bill of lading of its own; a booking that goes on is only said again. */
  book(listing: Listing, carrier: Carrier = this.#anyCarrierFor(listing)): void {
    const isNew = !isLiveBooking(listing);
    const isSaid = isNew || listing.status === 'Booked';
    if (isNew) beginBooking(listing, carrier, this.parts.store.newBillOfLadingNumber());
    delete listing.completedOn;
    listing.status = 'Booked';
    listing.hasPendingBookingRequest = false;
    this.touch(listing);
    this.parts.events.statusChanged(listing);
    if (isSaid) this.parts.events.booked(listing);
    if (isNew) {
      this.#drawMishap(listing);
      this.parts.paperSteps.booked(listing);
      this.#whenBooked(listing);
    }
    this.#scheduleTransit(listing);
  }

  /** Sets the transit status, also to a value that nobody knows, and goes on from there. */
  moveTo(listing: Listing, transitStatus: string): void {
    listing.transitStatus = transitStatus;
    delete listing.locationShare;
    listing.transitHistory.push({ status: transitStatus, setOn: new Date() });
    this.touch(listing);
    this.parts.events.transitStatusChanged(listing);
    if (transitStatus === 'PickedUp') this.parts.paperSteps.pickedUp(listing);
    if (transitStatus === 'Delivered') this.#deliver(listing);
    else this.#scheduleTransit(listing);
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
    this.touch(listing);
    this.parts.events.statusChanged(listing);
  }

  stop(listing: Listing): void {
    this.#next.get(listing.listingId)?.();
    this.#next.delete(listing.listingId);
  }

  touch(listing: Listing): void {
    this.parts.history.touch(listing);
  }

  #scheduleTransit(listing: Listing): void {
    this.stop(listing);
    if (this.#switchesOf(listing).transit === 'manual') return;
    const index = transitStatuses.findIndex((status) => status === listing.transitStatus) + 1;
    const [status, step] = [transitStatuses[index], transitSteps[index]];
    if (status === undefined || step === undefined) return;
    if (status === 'PickedUp' && listing.mishap?.kind === 'noShow' && listing.counts.booked === 1) return;
    this.#after(step, listing, () => this.moveTo(listing, status));
  }

  #deliver(listing: Listing): void {
    this.stop(listing);
    complete(listing);
    this.parts.paperSteps.delivered(listing);
    this.touch(listing);
    this.parts.events.statusChanged(listing);
  }

  #after(step: ClockStep, listing: Listing, act: () => void): void {
    this.stop(listing);
    const cancel = this.parts.clock.after(step, () => {
      this.#next.delete(listing.listingId);
      act();
    });
    this.#next.set(listing.listingId, cancel);
  }

  /** Once for each listing: the next of the script, or what the switch says. */
  #drawMishap(listing: Listing): void {
    const { mishap, mishapScript, mishapLeaves } = this.#switchesOf(listing);
    if (listing.isMishapDrawn) return;
    listing.isMishapDrawn = true;
    const kind = mishapScript.shift() ?? mishap;
    if (kind !== 'none') listing.mishap = { kind, outcome: mishapLeaves };
  }

  #switchesOf({ draft }: Listing): SandboxSwitches {
    return switchesFor(draft, this.parts.switches);
  }

  #anyCarrierFor({ draft }: Listing): Carrier {
    const random = this.parts.random.next(orderReferenceOf(draft.referenceNumbers));
    const carrier = carriers[random.integer(0, carriers.length - 1)];
    if (carrier === undefined) throw new Error('there is no carrier');
    return carrier;
  }
}
