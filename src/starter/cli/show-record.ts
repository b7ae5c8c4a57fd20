import { EXTRA_PRICES, type ListingExtras } from '../../domain/listing-extras';
import type { ListingRecord } from '../../domain/listing';
import { formatMoney, type Money } from '../../domain/money';
import type { ShipmentState } from '../../domain/shipment-state';
import { printable } from './printable';
import { minuteText } from './time-text';
import { detailLines, section } from './show-details';

export type Fact = [string, string | null | undefined];

const nothing = (text: string): string | null => (text === '' ? null : text);

/** Every price that the record has, each with its name. */
function pricesOf({ namedPrice, acceptedPrice, totalCost, extras }: ListingRecord): string | null {
  const named: [string, Money | null | undefined][] = [
    ['named', namedPrice],
    ['accepted', acceptedPrice],
    ['total', totalCost],
    ...Object.entries(EXTRA_PRICES).map(([name, words]): [string, Money | undefined] => [
      words,
      Object.entries(extras.prices).find(([of]) => of === name)?.[1],
    ]),
  ];
  return nothing(
    named.flatMap(([words, price]) => (price == null ? [] : [`${words} ${formatMoney(price)}`])).join(', '),
  );
}

const DATES = {
  created: 'createdOn',
  'on the market': 'activatedOn',
  booked: 'bookedOn',
  completed: 'completedOn',
  cancelled: 'cancelledOn',
  archived: 'archivedOn',
  'last changed': 'lastUpdatedOn',
} as const;

/** Every date that the record has. */
function datesOf(listing: ListingRecord): string | null {
  const dates = { ...listing.extras, ...listing };
  return nothing(
    Object.entries(DATES)
      .flatMap(([words, field]) => {
        const date = dates[field];
        return date == null ? [] : [`${words} ${minuteText(date)}`];
      })
      .join(', '),
  );
}

function transitOf({ nextTransitStatus, availableTransitStatuses }: ListingExtras): string | null {
  const others = availableTransitStatuses.filter((status) => status !== nextTransitStatus).join(', ');
  if (nextTransitStatus === null) return nothing(others);
  return others === '' ? nextTransitStatus : `${nextTransitStatus} (or ${others})`;
}

function carriersAsk({ questionsAsked, activeBidsPlaced }: ListingExtras): string | null {
  const asked = [
    (questionsAsked ?? 0) > 0 ? `${questionsAsked} asked (answer on the marketplace's website)` : '',
    (activeBidsPlaced ?? 0) > 0 ? `${activeBidsPlaced} bids` : '',
  ];
  return nothing(asked.filter((part) => part !== '').join(', '));
}

/** What the marketplace's record says beside its status. */
export function recordFacts(listing: ListingRecord | null): Fact[] {
  if (listing === null) return [];
  const { cancellationStatus, hasPendingBookingRequest, expiresOn, extras } = listing;
  const references = listing.referenceNumbers.map(({ type, number }) => `${type} ${number}`).join(', ');
  return [
    ['Cancellation', cancellationStatus],
    ['Pending booking', hasPendingBookingRequest === true ? 'a carrier is considering it' : null],
    ['Expires', expiresOn],
    ['Prices', pricesOf(listing)],
    ['Dates', datesOf(listing)],
    ['References', nothing(references)],
    ...extraFacts(extras),
  ];
}

function extraFacts(extras: ListingExtras): Fact[] {
  const { quoteRequestId, importSource, privateNetwork, serviceTypes } = extras;
  return [
    ['Next transit', transitOf(extras)],
    ['Services', nothing(serviceTypes.join(', '))],
    ['Questions', carriersAsk(extras)],
    ['Quote request', quoteRequestId],
    ['Network', privateNetwork === null ? null : printable(privateNetwork)],
    ['Imported from', importSource === null ? null : printable(importSource)],
  ];
}

/** The parts of the record whose fields are not documented. */
export function recordLines({ listing }: ShipmentState): string[] {
  const { priceDetails = null, thirdParty = null } = listing?.extras ?? {};
  return [
    ...section('Price details', detailLines(priceDetails)),
    ...section('Third party', detailLines(thirdParty)),
  ];
}
