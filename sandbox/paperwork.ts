import type { SentEvent } from './deliveries';
import type { Events } from './events';
import type { OrderHistory } from './order-history';
import { simplePdf } from './pdf';
import type { Listing, ReferenceNumber, StoredFile } from './state';
import type { Store } from './store';
import { switchesFor, type SandboxSwitches } from './switches';

interface Parts {
  readonly events: Events;
  readonly history: OrderHistory;
  readonly store: Store;
  readonly switches: Readonly<SandboxSwitches>;
}

/** What a shipment leaves on paper: documents, and corrections of its price. */
export class Paperwork {
  constructor(private readonly parts: Parts) {}

  addDocument(listing: Listing, file: Pick<StoredFile, 'fileName' | 'attachmentType' | 'notes'>): SentEvent {
    const stored = this.parts.store.addFile(listing, {
      ...file,
      fileType: 'application/pdf',
      uploaderId: listing.carrier?.userId ?? 0,
      bytes: simplePdf(documentLines(listing, file.attachmentType)),
    });
    this.parts.history.touch(listing);
    return this.parts.events.attachmentAdded(listing, stored);
  }

  issueBillOfLading(listing: Listing): void {
    const { billOfLading } = switchesFor(listing.draft, this.parts.switches);
    if (listing.billOfLadingReady || billOfLading === 'never') return;
    listing.billOfLadingReady = true;
    this.addDocument(listing, {
      fileName: `BOL-${listing.billOfLadingNumber}.pdf`,
      attachmentType: 'BillOfLading',
    });
  }

  /** Once for each booking. */
  addProNumber(listing: Listing): void {
    this.addReference(listing, { number: `77${listing.billOfLadingNumber}`, type: 'ThirdPartyTracking' });
  }

  addReference(listing: Listing, reference: ReferenceNumber): void {
    listing.draft = {
      ...listing.draft,
      referenceNumbers: [...listing.draft.referenceNumbers, reference],
    };
    this.parts.history.touch(listing);
    this.parts.events.referenceNumberAdded(listing, reference);
  }

  adjustPrice(listing: Listing, line: { readonly description: string; readonly amount: number }): void {
    listing.priceAdjustments.push(line);
    this.parts.history.touch(listing);
    this.parts.events.priceDetailsUpdated(listing);
  }
}

/** What the pages of a bill of lading and of a proof of delivery say. */
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
