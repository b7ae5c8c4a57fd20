import type { SandboxContext } from '../market/context';
import type { AccountCall } from './endpoint';
import type { Answer } from '../model/answer';
import { ApiProblem, codeRule, errorEntry } from '../model/errors';
import { readFormOrJson } from '../validation/form';
import { checksumOf } from '../records/records';
import type { Listing, ListingDraft } from '../model/state';
import { readListing, readListingChanges } from '../validation/listing';

export const listingActs = { createListing, getListing, updateListing, deleteListing };

async function createListing(context: SandboxContext, { account, request }: AccountCall): Promise<Answer> {
  const { listingBody, formNesting } = context.switches;
  const draft = readListing(readFormOrJson(request, listingBody, formNesting), context.switches);
  if (context.switches.duplicateListings === 'refused') refuseDuplicate(context, draft);
  const listing = context.store.addListing({
    ...{ account, createdBy: 'createListing', draft },
    price: draft.pricing?.price ?? { amount: 0, currencyType: account.currency },
  });
  await announceCreation(context, listing);
  return { status: 201, headers: { location: context.addresses.listingLocation(listing) } };
}

/** Under the switch `webhookEarly` receivers hear of the listing before its creator does. */
async function announceCreation(context: SandboxContext, listing: Listing): Promise<void> {
  const { webhookEarly } = context.switches;
  if (webhookEarly === 'created') context.events.announce('Listing.StatusChanged/v1', listing);
  if (webhookEarly === 'booked') context.carrier.offer(listing);
  else context.carrier.publish(listing);
  if (webhookEarly !== 'off') await context.webhooks.settled();
}

function refuseDuplicate(context: SandboxContext, draft: ListingDraft): void {
  const fingerprint = JSON.stringify(draft);
  for (const listing of context.store.listings.values())
    if (listing.deletedOn === undefined && JSON.stringify(listing.draft) === fingerprint)
      throw new ApiProblem(400, 'This listing exists already.', [
        errorEntry('listing', `duplicate of ${listing.listingId}`, codeRule),
      ]);
}

/** `?fields=a,b` returns only those. */
function getListing(context: SandboxContext, { account, param, query }: AccountCall): Answer {
  const isList = context.switches.listingAnswer === 'list';
  const found = context.store.findListing(param('listingId'), account);
  if (found === undefined && isList) return { status: 200, body: { totalCount: 0, items: [] } };
  const record = context.records.listing(found ?? context.store.listing(param('listingId'), account));
  const fields = query('fields')
    ?.split(',')
    .map((field) => field.trim());
  const chosen = fields?.flatMap((field) => (field in record ? [[field, record[field]]] : []));
  const body = chosen === undefined ? record : Object.fromEntries(chosen);
  return { status: 200, body: isList ? { totalCount: 1, items: [body] } : body };
}

function updateListing(context: SandboxContext, { account, body, param }: AccountCall): Answer {
  const listing = context.store.listing(param('listingId'), account);
  const { checksum, changes } = readListingChanges(body, context.switches);
  if (listing.bookedOn !== undefined) throw new ApiProblem(403, 'The listing is already booked.');
  if (checksum !== undefined && checksum !== checksumOf(listing))
    throw new ApiProblem(context.switches.staleChecksumStatus, 'The listing was changed since it was read.', [
      errorEntry('checksum', 'is not the present checksum', codeRule),
    ]);
  const before = listing.draft;
  listing.draft = { ...before, ...changes };
  listing.price = changes.pricing?.price ?? listing.price;
  context.history.touch(listing);
  announceChanges(context, listing, before);
  return { status: 204 };
}

function announceChanges(context: SandboxContext, listing: Listing, before: ListingDraft): void {
  const known = before.referenceNumbers.map((reference) => JSON.stringify(reference));
  for (const reference of listing.draft.referenceNumbers)
    if (!known.includes(JSON.stringify(reference)))
      context.events.announce('Listing.ReferenceNumberAdded/v1', listing, reference);
  const frames = [before, listing.draft].map(({ route }) => JSON.stringify(route.at(-1)?.timeFrame));
  if (frames[0] !== frames[1]) context.events.announce('Shipment.DeliveryTimeFrameUpdated/v1', listing);
}

function deleteListing(context: SandboxContext, { account, param }: AccountCall): Answer {
  const listing = context.store.listing(param('listingId'), account);
  if (listing.bookedOn !== undefined) throw new ApiProblem(403, 'The listing is already booked.');
  context.carrier.stop(listing);
  listing.hasPendingBookingRequest = false;
  listing.deletedOn = new Date();
  return { status: 204 };
}
