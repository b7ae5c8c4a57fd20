import type { CancelTimer, ClockStep, SandboxClock } from './clock';
import { carriers } from './carriers';
import { transitStatuses } from './codes';
import type { Events } from './events';
import type { OrderHistory } from './order-history';
import { simplePdf } from './pdf';
import type { SeededRandom } from './random';
import type { Carrier, Listing, StoredFile } from './state';
import type { Store } from './store';
import type { SandboxSwitches } from './switches';

interface Parts {
  readonly clock: SandboxClock;
  readonly events: Events;
  readonly history: OrderHistory;
  readonly random: SeededRandom;
  readonly store: Store;
  readonly switches: Readonly<SandboxSwitches>;
}

const transitSteps: readonly ClockStep[] = ['readyForDispatch', 'dispatched', 'pickedUp', 'delivered'];

/** The carrier: books listings and moves them, each step when its time on the clock has come. */
export class ShipmentLife {
  readonly #next = new Map<number, CancelTimer>();

  constructor(private readonly parts: Parts) {}

  /** A furniture listing waits on the market until a carrier takes it. */
  publish(listing: Listing): void {
    this.#after('booking', listing, () => this.offer(listing, this.#anyCarrier()));
  }

  /** The carrier is asked; `carrierAnswer` says what it makes of it. */
  offer(listing: Listing, carrier: Carrier): void {
    const { carrierAnswer } = this.parts.switches;
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

  book(listing: Listing, carrier: Carrier = this.#anyCarrier()): void {
    listing.status = 'Booked';
    listing.hasPendingBookingRequest = false;
    listing.carrier = carrier;
    listing.bookedOn = new Date();
    listing.billOfLadingNumber ??= this.parts.store.newBillOfLadingNumber();
    this.touch(listing);
    this.parts.events.statusChanged(listing);
    this.parts.events.booked(listing);
    this.parts.clock.after('billOfLading', () => this.#issueBillOfLading(listing));
    this.#scheduleTransit(listing);
  }

  /** Sets the transit status, also to a value that nobody knows, and goes on from there. */
  moveTo(listing: Listing, transitStatus: string): void {
    listing.transitStatus = transitStatus;
    delete listing.locationShare;
    listing.transitHistory.push({ status: transitStatus, setOn: new Date() });
    this.touch(listing);
    this.parts.events.transitStatusChanged(listing);
    if (transitStatus === 'Delivered') {
      this.#deliver(listing);
    } else this.#scheduleTransit(listing);
  }

  /** Sets the listing status by hand. A final status stops the carrier. */
  setStatus(listing: Listing, status: string): void {
    if (status === 'Booked') {
      this.book(listing);
      return;
    }
    if (status === 'Completed') listing.completedOn = new Date();
    else if (status === 'Cancelled') listing.cancelledOn = new Date();
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
    listing.revision += 1;
    listing.lastUpdatedOn = new Date();
    this.parts.history.noteListing(listing);
  }

  addDocument(listing: Listing, file: Pick<StoredFile, 'fileName' | 'attachmentType' | 'notes'>): StoredFile {
    const stored = this.parts.store.addFile(listing, {
      ...file,
      fileType: 'application/pdf',
      uploaderId: listing.carrier?.userId ?? 0,
      bytes: simplePdf(documentLines(listing, file.attachmentType)),
    });
    this.touch(listing);
    this.parts.events.attachmentAdded(listing, stored);
    return stored;
  }

  #issueBillOfLading(listing: Listing): void {
    if (listing.status === 'Cancelled' || listing.billOfLadingReady) return;
    if (this.parts.switches.billOfLading === 'never') return;
    listing.billOfLadingReady = true;
    this.addDocument(listing, {
      fileName: `BOL-${listing.billOfLadingNumber}.pdf`,
      attachmentType: 'BillOfLading',
    });
  }

  #scheduleTransit(listing: Listing): void {
    this.stop(listing);
    if (this.parts.switches.transit === 'manual') return;
    const index = transitStatuses.findIndex((status) => status === listing.transitStatus) + 1;
    const [status, step] = [transitStatuses[index], transitSteps[index]];
    if (status === undefined || step === undefined) return;
    this.#after(step, listing, () => this.moveTo(listing, status));
  }

  #deliver(listing: Listing): void {
    this.stop(listing);
    listing.status = 'Completed';
    listing.completedOn = new Date();
    this.touch(listing);
    this.parts.events.statusChanged(listing);
    this.parts.clock.after('proofOfDelivery', () => {
      this.addDocument(listing, {
        fileName: `POD-${listing.billOfLadingNumber}.pdf`,
        attachmentType: 'ProofOfDelivery',
      });
    });
  }

  #after(step: ClockStep, listing: Listing, act: () => void): void {
    this.stop(listing);
    const cancel = this.parts.clock.after(step, () => {
      this.#next.delete(listing.listingId);
      act();
    });
    this.#next.set(listing.listingId, cancel);
  }

  #anyCarrier(): Carrier {
    const carrier = carriers[this.parts.random.integer(0, carriers.length - 1)];
    if (carrier === undefined) throw new Error('there is no carrier');
    return carrier;
  }
}

function documentLines(listing: Listing, type: StoredFile['attachmentType']): readonly string[] {
  const { draft } = listing;
  const place = (index: number): string => {
    const address = draft.route.at(index)?.address;
    return [address?.streetAddress, address?.majorMunicipality, address?.stateProvince, address?.postalCode]
      .filter((part) => part !== undefined)
      .join(', ');
  };
  return [
    type === 'ProofOfDelivery' ? 'PROOF OF DELIVERY (sandbox)' : 'BILL OF LADING (sandbox)',
    `Number: ${listing.billOfLadingNumber ?? ''}`,
    `Listing: ${listing.listingId}  ${draft.title}`,
    `Carrier: ${listing.carrier?.displayName ?? ''}`,
    `From: ${place(0)}`,
    `To: ${place(-1)}`,
    ...draft.referenceNumbers.map(({ type: kind, number }) => `${kind}: ${number}`),
    ...draft.items.map((item) => `${item.unitCount} x ${item.title ?? item.commodity ?? 'item'}`),
  ];
}
