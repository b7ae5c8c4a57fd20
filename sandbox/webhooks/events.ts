import type { Addresses } from '../model/addresses';
import { eventTypes, type EventType } from '../model/codes';
import type { Records } from '../records/records';
import { totalCostOf } from '../records/records';
import type { Listing } from '../model/state';
import type { Store } from '../model/store';
import type { SandboxSwitches } from '../model/switches';
import { orderReferenceOf } from '../model/references';
import { stateWriter } from '../records/state-words';
import type { SentEvent, Webhooks } from './deliveries';
import type { Labels } from '../records/enum-labels';

type Wire = Record<string, unknown>;

interface Parts {
  readonly addresses: Addresses;
  readonly records: Records;
  readonly store: Store;
  readonly switches: SandboxSwitches;
  readonly webhooks: Webhooks;
  readonly labels: Labels;
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

  referenceNumberAdded(listing: Listing, added = listing.draft.referenceNumbers.at(-1)): SentEvent {
    const written = added && this.parts.records.referenceNumbers(listing.draft, [added])?.at(-1);
    return this.send('Listing.ReferenceNumberAdded/v1', listing, {
      addedReferenceNumber: written ?? null,
      ...this.#pointers(listing, 2),
    });
  }

  deliveryTimeFrameUpdated(listing: Listing): SentEvent {
    return this.send('Shipment.DeliveryTimeFrameUpdated/v1', listing, {
      deliveryTimeFrame: listing.draft.route.at(-1)?.timeFrame ?? null,
      ...this.#pointers(listing, 1),
    });
  }

  attachmentAdded(listing: Listing, file = listing.files.at(-1)): SentEvent {
    const type = 'Listing.Attachment.AttachmentAdded/v1';
    if (file === undefined) return this.send(type, listing, {});
    const { records, addresses } = this.parts;
    const {
      uri: _uri,
      uploaderId: _uploader,
      notes: _notes,
      links: _links,
      ...record
    } = records.attachment(listing, file);
    const uri = `${addresses.listing(listing)}/attachments/${file.attachmentId}`;
    return this.send(type, listing, { uri, ...record });
  }

  priceDetailsUpdated(listing: Listing): SentEvent {
    const { records, labels } = this.parts;
    return this.send('Listing.PriceDetailsUpdated/v1', listing, {
      priceDetails: records.priceDetails(listing),
      totalCost: labels.price(totalCostOf(listing), listing.price.currencyType),
      ...this.#pointers(listing, 1),
    });
  }

  /** An event of the type about the listing as it is now; of a type that nobody knows, with nothing but references. */
  announce(type: string, listing: Listing): SentEvent {
    const known = eventTypes.find((eventType) => eventType === type);
    if (known === undefined) return this.send(type, listing, {});
    const announcing: Readonly<Record<EventType, () => SentEvent>> = {
      'Listing.Booked/v1': () => this.booked(listing),
      'Listing.StatusChanged/v1': () => this.statusChanged(listing),
      'Shipment.TransitStatusChanged/v1': () => this.transitStatusChanged(listing),
      'Listing.ReferenceNumberAdded/v1': () => this.referenceNumberAdded(listing),
      'Shipment.DeliveryTimeFrameUpdated/v1': () => this.deliveryTimeFrameUpdated(listing),
      'Listing.PriceDetailsUpdated/v1': () => this.priceDetailsUpdated(listing),
      'Listing.Attachment.AttachmentAdded/v1': () => this.attachmentAdded(listing),
    };
    return announcing[known]();
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
        time: overrides.time ?? this.parts.labels.instant(new Date()),
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
