import type { CarrierProfile } from '../model/carriers';
import { createHash } from 'node:crypto';
import type { Addresses } from '../model/addresses';
import { transitStatuses } from '../model/codes';
import { spoilAttachment } from './bad-elements';
import { compact, type JsonObject } from '../model/json';
import { loadOf, routeDistanceInMeters } from '../model/load';
import { itemRecord, linksOf, stopRecord } from './record-parts';
import { writeReferences } from './reference-forms';
import { isLiveBooking, type Listing, type StoredFile } from '../model/state';
import { stateWriter } from './state-words';
import { switchesFor, type SandboxSwitches } from '../model/switches';
import type { Labels } from './enum-labels';

interface Parts {
  readonly labels: Labels;
  readonly addresses: Addresses;
  readonly switches: SandboxSwitches;
}

/** Changes with every change of the listing: a PUT with an old one is refused. */
export const checksumOf = (listing: Listing): string =>
  createHash('sha256').update(`${listing.listingId}/${listing.revision}`).digest('hex').slice(0, 16);

export const totalCostOf = (listing: Listing): number =>
  Math.round(listing.priceAdjustments.reduce((sum, { amount }) => sum + amount, listing.price.amount) * 100) /
  100;

/** Writes what the sandbox remembers in the shapes of the contract, "Listing record" and its neighbours. */
export class Records {
  constructor(private readonly parts: Parts) {}

  listing(listing: Listing): JsonObject {
    return compact({
      ...this.#identity(listing),
      ...this.#states(listing),
      ...this.#flags(listing),
      ...this.#prices(listing),
      ...this.#dates(listing),
      ...this.#contents(listing),
      links: linksOf(listing),
    });
  }

  #identity(listing: Listing): JsonObject {
    const { draft, account } = listing;
    const images = listing.files.filter(({ attachmentType }) => attachmentType === 'Image');
    return {
      listingId: listing.listingId,
      title: draft.title,
      description: draft.description,
      confidentialDescription: draft.confidentialDescription,
      checksum: checksumOf(listing),
      importSource: draft.importSource,
      thirdParty: listing.thirdParty && { ...listing.thirdParty, revision: String(listing.revision) },
      quoteRequestId: listing.rateRequestId,
      billOfLadingNumber: listing.billOfLadingNumber,
      cancellationLink: listing.status === 'Booked' ? this.parts.addresses.cancellation(listing) : undefined,
      gallery: [...draft.gallery, ...images.map((image) => this.parts.addresses.document(listing, image))],
      imageUrl: images[0] && this.parts.addresses.document(listing, images[0]),
      lister: { userId: account.userId, displayName: account.name, links: [] },
      serviceProvider: listing.carrier && this.carrier(listing.carrier),
    };
  }

  #states(listing: Listing): JsonObject {
    const write = stateWriter(listing, this.parts);
    const index = transitStatuses.findIndex((status) => status === listing.transitStatus);
    const isMoving = isLiveBooking(listing);
    const isCancelled = listing.cancelledOn !== undefined;
    return {
      status: write(listing.status),
      paymentStatus: write(listing.completedOn === undefined ? 'Unpaid' : 'Paid'),
      transitStatus: write(listing.transitStatus),
      nextTransitStatus: isMoving ? write(transitStatuses[index + 1]) : undefined,
      previousTransitStatus: write(listing.transitHistory.at(-2)?.status),
      availableTransitStatuses: isMoving ? transitStatuses.slice(index + 1).map(write) : [],
      cancellationStatus: isCancelled ? write('Cancelled') : undefined,
    };
  }

  #flags(listing: Listing): JsonObject {
    return {
      hasPendingBookingRequest: listing.hasPendingBookingRequest,
      isCharitable: false,
      isAuction: listing.draft.pricing?.kind === 'offerPrice',
      isDutchAuction: false,
      isDefaultImage: !listing.files.some(({ attachmentType }) => attachmentType === 'Image'),
      isWatched: false,
      isBrokered: false,
      isReadyForPickup: listing.transitStatus === 'ReadyForDispatch',
      isItineraryMandatory: false,
      isExclusiveListing: false,
    };
  }

  #prices(listing: Listing): JsonObject {
    const { price, draft } = listing;
    const inWords = (amount: number): unknown => this.parts.labels.price(amount, price.currencyType);
    const isOffer = draft.pricing?.kind === 'offerPrice';
    return {
      namedPrice: inWords(price.amount),
      offerPrice: isOffer ? { price: inWords(price.amount) } : undefined,
      acceptedBidPrice: listing.bookedOn && inWords(price.amount),
      totalCost: listing.bookedOn && inWords(totalCostOf(listing)),
      priceDetails: this.priceDetails(listing),
    };
  }

  priceDetails(listing: Listing): JsonObject {
    const { price, priceAdjustments } = listing;
    const lines = [{ description: 'Transport', amount: price.amount }, ...priceAdjustments];
    const inWords = (amount: number): unknown => this.parts.labels.price(amount, price.currencyType);
    return {
      lineItems: lines.map(({ description, amount }) => ({ description, amount: inWords(amount) })),
      total: inWords(totalCostOf(listing)),
    };
  }

  #dates(listing: Listing): JsonObject {
    const write = (date: Date | undefined): unknown => date && this.parts.labels.instant(date);
    return {
      createdOn: write(listing.createdOn),
      activatedOn: write(listing.createdOn),
      lastUpdatedOn: write(listing.lastUpdatedOn),
      expiresOn: write(new Date(listing.createdOn.getTime() + 60 * 86_400_000)),
      bookedOn: write(listing.bookedOn),
      completedOn: write(listing.completedOn),
      cancelledOn: write(listing.cancelledOn),
    };
  }

  #contents(listing: Listing): JsonObject {
    const { draft } = listing;
    const { labels } = this.parts;
    const commodity = draft.items.find((item) => item.commodity !== undefined)?.commodity ?? 'HouseholdGoods';
    const topLevel = listing.createdBy === 'acceptance' ? 'LtlFreight' : 'HouseholdGoods';
    return {
      commodity,
      commodityType: labels.trio(commodity),
      topLevelCommodity: topLevel,
      topLevelCommodityType: labels.trio(topLevel),
      questionsAsked: 0,
      activeBidsPlaced: 0,
      totalBidsPlaced: listing.bookedOn === undefined ? 0 : 1,
      serviceTypes: draft.serviceTypes.map((type) => labels.trio(type)),
      accessorials: draft.accessorials.map((name) => labels.trio(name)),
      attributes: draft.attributes,
      route: {
        items: draft.route.map((stop) => stopRecord(stop, labels)),
        distanceInMeters: routeDistanceInMeters(draft.route),
      },
      items: draft.items.map((item) => itemRecord(item, labels)),
      totalWeightInGrams: labels.weight(loadOf(draft.items).weightInGrams),
      referenceNumbers: writeReferences(listing, this.parts),
    };
  }

  carrier(carrier: CarrierProfile): JsonObject {
    return {
      userId: carrier.userId,
      displayName: carrier.displayName,
      imageUrl: `${this.parts.addresses.base}/images/carriers/${carrier.userId}.png`,
      feedback: {
        count: carrier.reviews,
        percentPositive: carrier.percentPositive,
        starRating: carrier.starRating,
      },
      links: [{ rel: 'self', verb: 'GET', href: `/users/${carrier.userId}`, title: carrier.displayName }],
    };
  }

  attachment(listing: Listing, file: StoredFile): JsonObject {
    const { badElements } = switchesFor(listing, this.parts);
    const record = {
      attachmentId: String(file.attachmentId),
      uri: this.parts.addresses.document(listing, file),
      fileName: file.fileName,
      fileType: file.fileType,
      fileSize: file.bytes.length,
      dateCreated: this.parts.labels.instant(file.createdOn),
      uploaderId: file.uploaderId,
      attachmentType: this.parts.labels.trio(file.attachmentType),
      notes: file.notes,
      links: [
        {
          rel: 'self',
          verb: 'GET',
          href: `/v2/listings/${listing.listingId}/attachments/${file.attachmentId}`,
          title: file.fileName,
        },
      ],
    };
    return spoilAttachment(record, badElements);
  }
}
