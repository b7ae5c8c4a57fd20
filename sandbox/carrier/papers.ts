import type { ClockStep } from '../model/clock';
import { isLiveBooking, type Listing, type ReferenceNumber, type StoredFile } from '../model/state';
import { switchesFor, type SandboxSwitches } from '../model/switches';
import type { SentEvent } from '../webhooks/deliveries';
import type { Parts } from './parts';
import { simplePdf } from './pdf';

/** What a shipment leaves on paper: documents, the carrier's number, and corrections of its price. */
export class Papers {
  constructor(private readonly parts: Parts) {}

  booked(listing: Listing): void {
    if (switchesFor(listing, this.parts).billOfLading !== 'afterPickup') this.#issueBillOfLading(listing);
    this.#assignProNumber(listing, 'booked');
  }

  pickedUp(listing: Listing): void {
    if (switchesFor(listing, this.parts).billOfLading === 'afterPickup') this.#issueBillOfLading(listing);
    this.#assignProNumber(listing, 'pickedUp');
  }

  /** Called before the delivery is reported: a correction can come with it. */
  delivered(listing: Listing): void {
    const { priceCorrections, priceCorrectionsFrom } = switchesFor(listing, this.parts);
    const atOnce = priceCorrectionsFrom === 'delivery' ? priceCorrections.slice(0, 1) : [];
    for (const amount of atOnce) this.adjustPrice(listing, { description: 'Correction', amount });
    this.#correctPrice(listing, priceCorrections.slice(atOnce.length));
    this.#assignProNumber(listing, 'delivered');
    this.#afterInBooking('proofOfDelivery', listing, () => {
      this.addDocument(listing, {
        fileName: `POD-${listing.billOfLadingNumber}.pdf`,
        attachmentType: 'ProofOfDelivery',
      });
    });
  }

  addDocument(listing: Listing, file: Pick<StoredFile, 'fileName' | 'attachmentType' | 'notes'>): SentEvent {
    this.parts.store.addFile(listing, {
      ...file,
      fileType: 'application/pdf',
      uploaderId: listing.carrier?.userId ?? 0,
      bytes: simplePdf(documentLines(listing, file.attachmentType)),
    });
    this.parts.history.touch(listing);
    return this.parts.events.announce('Listing.Attachment.AttachmentAdded/v1', listing);
  }

  addReference(listing: Listing, reference: ReferenceNumber): void {
    const { draft } = listing;
    listing.draft = { ...draft, referenceNumbers: [...draft.referenceNumbers, reference] };
    this.parts.history.touch(listing);
    this.parts.events.announce('Listing.ReferenceNumberAdded/v1', listing);
  }

  adjustPrice(listing: Listing, line: { readonly description: string; readonly amount: number }): void {
    listing.priceAdjustments.push(line);
    this.parts.history.touch(listing);
    this.parts.events.announce('Listing.PriceDetailsUpdated/v1', listing);
  }

  #issueBillOfLading(listing: Listing): void {
    this.#afterInBooking('billOfLading', listing, () => {
      if (listing.billOfLadingReady || switchesFor(listing, this.parts).billOfLading === 'never') return;
      listing.billOfLadingReady = true;
      this.addDocument(listing, {
        fileName: `BOL-${listing.billOfLadingNumber}.pdf`,
        attachmentType: 'BillOfLading',
      });
    });
  }

  /** The carrier's own number comes as one more reference, where the switch `proNumber` says. */
  #assignProNumber(listing: Listing, moment: SandboxSwitches['proNumber']): void {
    if (switchesFor(listing, this.parts).proNumber !== moment) return;
    this.#afterInBooking('proNumber', listing, () => {
      this.addReference(listing, { number: `77${listing.billOfLadingNumber}`, type: 'ThirdPartyTracking' });
    });
  }

  /** One correction after the other, as the switch `priceCorrections` lists them. */
  #correctPrice(listing: Listing, [amount, ...rest]: readonly number[]): void {
    if (amount === undefined) return;
    this.#afterInBooking('priceCorrection', listing, () => {
      this.adjustPrice(listing, { description: 'Correction', amount });
      this.#correctPrice(listing, rest);
    });
  }

  /** Does nothing when the booking has ended by then, also if there is another one. */
  #afterInBooking(step: ClockStep, listing: Listing, act: () => void): void {
    const booking = listing.counts.booked;
    this.parts.clock.after(step, () => {
      if (listing.counts.booked === booking && isLiveBooking(listing)) act();
    });
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
