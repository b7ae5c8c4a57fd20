import { compact, keysOf, type JsonObject } from '../model/json';
import type { Addresses } from '../model/addresses';
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
const dataOf = {
  'Listing.Booked/v1': (parts, listing) => ({
    billOfLading: {
      billOfLadingNumber: listing.billOfLadingNumber,
      url: `${parts.addresses.listing(listing)}/billoflading`,
    },
    ...pointers(parts, listing, 2),
  }),
  'Listing.StatusChanged/v1': (parts, listing) => ({
    status: stateWriter(listing, parts)(listing.status),
    ...pointers(parts, listing, 1),
  }),
  'Shipment.TransitStatusChanged/v1': (parts, listing) => {
    const write = stateWriter(listing, parts);
    return {
      transitStatus: write(listing.transitStatus) ?? null,
      previousTransitStatus: write(listing.transitHistory.at(-2)?.status) ?? null,
      ...pointers(parts, listing, 1),
    };
  },
  'Listing.ReferenceNumberAdded/v1': (parts, listing, added) => ({
    addedReferenceNumber: (added && writeReferences(listing, parts, [added])?.at(-1)) ?? null,
    ...pointers(parts, listing, 2),
  }),
  'Shipment.DeliveryTimeFrameUpdated/v1': (parts, listing) => ({
    deliveryTimeFrame: listing.draft.route.at(-1)?.timeFrame ?? null,
    ...pointers(parts, listing, 1),
  }),
  'Listing.PriceDetailsUpdated/v1': (parts, listing) => ({
    priceDetails: parts.records.priceDetails(listing),
    totalCost: parts.labels.price(totalCostOf(listing), listing.price.currencyType),
    ...pointers(parts, listing, 1),
  }),
  'Listing.Attachment.AttachmentAdded/v1': ({ addresses, records }, listing) => {
    const file = listing.files.at(-1);
    if (file === undefined) return {};
    const uri = `${addresses.listing(listing)}/attachments/${file.attachmentId}`;
    const left = { uploaderId: undefined, notes: undefined, links: undefined };
    return compact({ ...records.attachment(listing, file), ...left, uri });
  },
} satisfies Record<string, (parts: Parts, listing: Listing, added?: ReferenceNumber) => JsonObject>;

export const eventTypes = keysOf(dataOf);
export const isEventType = (type: string): type is keyof typeof dataOf => Object.hasOwn(dataOf, type);

/** Where the listing can be found in an event, as the switch `webhookListingId` wants it. */
function pointers({ addresses, switches }: Parts, listing: Listing, count: 1 | 2): JsonObject {
  if (switches.webhookListingId === 'listingId') return { listingId: listing.listingId };
  if (switches.webhookListingId !== 'uris') return {};
  const uris = { listingUri: addresses.listing(listing) };
  return count === 1 ? uris : { ...uris, listingPageUri: addresses.listingPage(listing) };
}

export class Events {
  constructor(private readonly parts: Parts) {}

  /**
   * An event of the type about the listing as it is now; of a type that nobody knows, with nothing but references.
   * @param added the reference that an event about a new one names
   */
  announce(type: string, listing: Listing, added = listing.draft.referenceNumbers.at(-1)): SentEvent {
    return this.send(type, listing, isEventType(type) ? dataOf[type](this.parts, listing, added) : {});
  }

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
        id: given.id ?? store.ids.uuid(),
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
}
