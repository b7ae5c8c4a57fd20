import type { Addresses } from './addresses';
import type { EventType } from './codes';
import type { Records } from './records';
import { totalCostOf } from './records';
import type { Listing, ReferenceNumber, StoredFile } from './state';
import type { Store } from './store';
import type { SandboxSwitches } from './switches';
import { orderReferenceOf } from './references';
import { unreachable } from './errors';
import { stateWriter } from './state-words';
import type { SentEvent, Webhooks } from './deliveries';
import type { Wording } from './wording';

type Wire = Record<string, unknown>;

interface Parts {
  readonly addresses: Addresses;
  readonly records: Records;
  readonly store: Store;
  readonly switches: SandboxSwitches;
  readonly webhooks: Webhooks;
  readonly wording: Wording;
}

/**
 * The seven events with as many data fields as the contract counts. Names inside data are not shown there; what is
 * known is that the references come first and that a booking carries the bill of lading and addresses of the listing.
 */
export class Events {
  constructor(private readonly parts: Parts) {}

  booked(listing: Listing): SentEvent {
    return this.send('Listing.Booked/v1', listing, {
      billOfLading: {
        billOfLadingNumber: listing.billOfLadingNumber,
        url: `${this.parts.addresses.listing(listing)}/billoflading`,
      },
      ...this.#pointers(listing, 2),
    });
  }

  statusChanged(listing: Listing): SentEvent {
    return this.send('Listing.StatusChanged/v1', listing, {
      status: stateWriter(listing, this.parts)(listing.status),
      ...this.#pointers(listing, 1),
    });
  }

  transitStatusChanged(listing: Listing): SentEvent {
    const write = stateWriter(listing, this.parts);
    return this.send('Shipment.TransitStatusChanged/v1', listing, {
      transitStatus: write(listing.transitStatus) ?? null,
      previousTransitStatus: write(listing.transitHistory.at(-2)?.status) ?? null,
      ...this.#pointers(listing, 1),
    });
  }

  referenceNumberAdded(listing: Listing, added: ReferenceNumber | undefined): SentEvent {
    return this.send('Listing.ReferenceNumberAdded/v1', listing, {
      addedReferenceNumber:
        added === undefined
          ? null
          : (this.parts.records.referenceNumbers(listing.draft, [added])?.at(-1) ?? null),
      ...this.#pointers(listing, 2),
    });
  }

  deliveryTimeFrameUpdated(listing: Listing): SentEvent {
    return this.send('Shipment.DeliveryTimeFrameUpdated/v1', listing, {
      deliveryTimeFrame: listing.draft.route.at(-1)?.timeFrame ?? null,
      ...this.#pointers(listing, 1),
    });
  }

  attachmentAdded(listing: Listing, file: StoredFile): SentEvent {
    const record = this.parts.records.attachment(listing, file);
    const { attachmentId, fileName, fileType, fileSize, dateCreated, attachmentType } = record;
    return this.send('Listing.Attachment.AttachmentAdded/v1', listing, {
      attachmentId,
      uri: `${this.parts.addresses.listing(listing)}/attachments/${file.attachmentId}`,
      fileName,
      fileType,
      fileSize,
      dateCreated,
      attachmentType,
    });
  }

  priceDetailsUpdated(listing: Listing): SentEvent {
    const { records, wording } = this.parts;
    return this.send('Listing.PriceDetailsUpdated/v1', listing, {
      priceDetails: records.priceDetails(listing),
      totalCost: wording.price(totalCostOf(listing), listing.price.currencyType),
      ...this.#pointers(listing, 1),
    });
  }

  /** Any event about the listing as it is now. */
  describe(type: EventType, listing: Listing): SentEvent {
    switch (type) {
      case 'Listing.Booked/v1':
        return this.booked(listing);
      case 'Listing.StatusChanged/v1':
        return this.statusChanged(listing);
      case 'Shipment.TransitStatusChanged/v1':
        return this.transitStatusChanged(listing);
      case 'Listing.ReferenceNumberAdded/v1':
        return this.referenceNumberAdded(listing, listing.draft.referenceNumbers.at(-1));
      case 'Shipment.DeliveryTimeFrameUpdated/v1':
        return this.deliveryTimeFrameUpdated(listing);
      case 'Listing.PriceDetailsUpdated/v1':
        return this.priceDetailsUpdated(listing);
      case 'Listing.Attachment.AttachmentAdded/v1': {
        const file = listing.files.at(-1);
        return file === undefined ? this.send(type, listing, {}) : this.attachmentAdded(listing, file);
      }
      default:
        return unreachable(type);
    }
  }

  /** An event with these data fields; a type nobody knows is possible, because receivers must survive one. */
  send(
    type: string,
    listing: Listing,
    data: Wire,
    overrides: { id?: string; time?: string } = {},
  ): SentEvent {
    const { addresses, records, store, switches, webhooks } = this.parts;
    const references = records.referenceNumbers(listing.draft);
    const isInSource = switches.webhookListingId === 'source';
    return webhooks.send(
      {
        specversion: '1.0',
        source: isInSource ? addresses.listing(listing) : addresses.base,
        id: overrides.id ?? store.newUuid(),
        time: overrides.time ?? this.parts.wording.instant(new Date()),
        type,
        data: switches.webhookReferences ? { referenceNumbers: references, ...data } : data,
      },
      {
        listingId: listing.listingId,
        reference: orderReferenceOf(listing.draft.referenceNumbers),
        integratorId: listing.createdBy === 'acceptance' ? (listing.integratorId ?? '') : null,
      },
    );
  }

  /** Where the listing can be found in an event, as the switch `webhookListingId` wants it. */
  #pointers(listing: Listing, count: 1 | 2): Wire {
    const { addresses, switches } = this.parts;
    if (switches.webhookListingId === 'listingId') return { listingId: listing.listingId };
    if (switches.webhookListingId !== 'uris') return {};
    const uris = { listingUri: addresses.listing(listing) };
    return count === 1 ? uris : { ...uris, listingPageUri: addresses.listingPage(listing) };
  }
}
