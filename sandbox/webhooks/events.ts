import type { JsonObject } from '../model/json';
import type { Addresses } from '../model/addresses';
import { eventTypes, type EventType } from '../model/codes';
import type { Records } from '../records/records';
import { totalCostOf } from '../records/records';
import { orderReferenceOf, type Listing, type ReferenceNumber } from '../model/state';
import type { Store } from '../model/store';
import type { SandboxSwitches } from '../model/switches';
import { writeReferences } from '../records/reference-forms';
import { stateWriter } from '../records/state-words';
import type { SentEvent, Webhooks } from './deliveries';
import type { Labels } from '../records/enum-labels';

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

  /**
   * An event of the type about the listing as it is now; of a type that nobody knows, with nothing but references.
   * @param added the reference that an event about a new one names
   */
  announce(type: string, listing: Listing, added = listing.draft.referenceNumbers.at(-1)): SentEvent {
    const known = eventTypes.find((eventType) => eventType === type);
    return this.send(type, listing, known === undefined ? {} : this.#data[known](listing, added));
  }

  readonly #data: Readonly<Record<EventType, (listing: Listing, added?: ReferenceNumber) => JsonObject>> = {
    'Listing.Booked/v1': (listing) => ({
      billOfLading: {
        billOfLadingNumber: listing.billOfLadingNumber,
        url: `${this.parts.addresses.listing(listing)}/billoflading`,
      },
      ...this.#pointers(listing, 2),
    }),
    'Listing.StatusChanged/v1': (listing) => ({
      status: stateWriter(listing, this.parts)(listing.status),
      ...this.#pointers(listing, 1),
    }),
    'Shipment.TransitStatusChanged/v1': (listing) => {
      const write = stateWriter(listing, this.parts);
      return {
        transitStatus: write(listing.transitStatus) ?? null,
        previousTransitStatus: write(listing.transitHistory.at(-2)?.status) ?? null,
        ...this.#pointers(listing, 1),
      };
    },
    'Listing.ReferenceNumberAdded/v1': (listing, added) => ({
      addedReferenceNumber: (added && writeReferences(listing, this.parts, [added])?.at(-1)) ?? null,
      ...this.#pointers(listing, 2),
    }),
    'Shipment.DeliveryTimeFrameUpdated/v1': (listing) => ({
      deliveryTimeFrame: listing.draft.route.at(-1)?.timeFrame ?? null,
      ...this.#pointers(listing, 1),
    }),
    'Listing.PriceDetailsUpdated/v1': (listing) => ({
      priceDetails: this.parts.records.priceDetails(listing),
      totalCost: this.parts.labels.price(totalCostOf(listing), listing.price.currencyType),
      ...this.#pointers(listing, 1),
    }),
    'Listing.Attachment.AttachmentAdded/v1': (listing) => {
      const file = listing.files.at(-1);
      if (file === undefined) return {};
      const { records, addresses } = this.parts;
      const {
        uri: _uri,
        uploaderId: _uploader,
        notes: _notes,
        links: _links,
        ...record
      } = records.attachment(listing, file);
      const uri = `${addresses.listing(listing)}/attachments/${file.attachmentId}`;
      return { uri, ...record };
    },
  };

  /** An event with these data fields; a type nobody knows is possible, because receivers must survive one. */
  send(
    type: string,
    listing: Listing,
    data: JsonObject,
    given: { id?: string; time?: string } = {},
  ): SentEvent {
    const { addresses, labels, store, switches, webhooks } = this.parts;
    const referenceNumbers = writeReferences(listing, this.parts);
    const isInSource = switches.webhookListingId === 'source';
    return webhooks.send(
      {
        specversion: '1.0',
        source: isInSource ? addresses.listing(listing) : addresses.base,
        id: given.id ?? store.newUuid(),
        time: given.time ?? labels.instant(new Date()),
        type,
        data: switches.webhookReferences ? { referenceNumbers, ...data } : data,
      },
      {
        listingId: listing.listingId,
        reference: orderReferenceOf(listing.draft.referenceNumbers),
        integratorId: listing.createdBy === 'acceptance' ? (listing.integratorId ?? '') : null,
      },
    );
  }

  /** Where the listing can be found in an event, as the switch `webhookListingId` wants it. */
  #pointers(listing: Listing, count: 1 | 2): JsonObject {
    const { addresses, switches } = this.parts;
    if (switches.webhookListingId === 'listingId') return { listingId: listing.listingId };
    if (switches.webhookListingId !== 'uris') return {};
    const uris = { listingUri: addresses.listing(listing) };
    return count === 1 ? uris : { ...uris, listingPageUri: addresses.listingPage(listing) };
  }
}
