import type { SandboxContext } from '../market/context';
import type { Call } from './endpoint';
import { htmlType, type Answer } from '../model/answer';
import { ApiProblem } from '../model/errors';
import type { Listing } from '../model/state';

/** What needs no key: pages of the marketplace's web site that an integration meets, and pre-signed documents. */
export const webActs = { getTrackingLink, openTrackingLink, cancelBooking, getDocument };

/** "The link is obtained while authenticated; viewing the link needs no authentication." */
function getTrackingLink(context: SandboxContext, { request, param }: Call): Answer {
  const account = context.accounts.accountOfCookie(request.headers.cookie);
  const listing = context.store.listing(param('listingId'), account);
  return { status: 200, body: { TrackingLinkUrl: context.addresses.tracking(listing) } };
}

/** 404 before the booking, and while the carrier does not share its location. Shows the city, no more. */
function openTrackingLink(context: SandboxContext, call: Call): Answer {
  const listing = signedListing(context, call, 'track');
  if (listing.bookedOn === undefined || !context.switches.locationSharing)
    throw new ApiProblem(404, 'There is nothing to see yet.');
  const city = listing.draft.route[0]?.address.majorMunicipality ?? 'an unknown city';
  return page(
    `<h1>${escapeHtml(listing.draft.title)}</h1><p>${listing.transitStatus ?? 'Booked'}, near ${escapeHtml(city)}</p>`,
  );
}

/** Booked shipments are cancelled here and not by DELETE. */
function cancelBooking(context: SandboxContext, call: Call): Answer {
  const listing = signedListing(context, call, 'cancel');
  if (call.request.method === 'GET')
    return page(
      `<form method="post"><p>${escapeHtml(listing.draft.title)}</p><button>Cancel the booking</button></form>`,
    );
  if (listing.status !== 'Booked') throw new ApiProblem(409, 'Only a booked listing can be cancelled.');
  context.carrier.setStatus(listing, 'Cancelled');
  return page('<p>The booking is cancelled.</p>');
}

/** The pre-signed address: no key, but a signature, and only for a while. */
function getDocument(context: SandboxContext, { param, query }: Call): Answer {
  const path = `${param('listingId')}/${param('attachmentId')}`;
  if (!context.addresses.isSigned('document', path, query('signature') ?? '', query('expires') ?? '0'))
    throw new ApiProblem(403, 'The address has expired or its signature is wrong.');
  const found = context.store.listings.get(Number(param('listingId')));
  const file = found?.files.find(({ attachmentId }) => String(attachmentId) === param('attachmentId'));
  if (found === undefined || file === undefined) throw new ApiProblem(404, 'There is no such document.');
  return { status: 200, headers: { 'content-type': file.fileType }, body: file.bytes };
}

function signedListing(context: SandboxContext, { param, query }: Call, what: 'track' | 'cancel'): Listing {
  const id = param('listingId');
  const listing = context.store.listings.get(Number(id));
  if (listing === undefined || !context.addresses.isSigned(what, id, query('signature') ?? ''))
    throw new ApiProblem(404, 'There is no such page.');
  return listing;
}

const page = (content: string): Answer => ({
  status: 200,
  headers: { 'content-type': htmlType },
  body: `<!doctype html><title>Sandbox marketplace</title>${content}`,
});

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/gu, (character) => `&#${character.codePointAt(0)};`);
