import type { FastifyInstance } from 'fastify';
import { badTrackingStatus } from '../bad-elements';
import type { SandboxContext } from '../context';
import { addEndpoint, addOpenEndpoint, type AccountCall, type Answer, type Call } from '../endpoint';
import { ApiProblem } from '../errors';
import type { Listing, Stop, StoredFile } from '../state';
import { stateWriter } from '../state-words';
import { switchesFor, type SandboxSwitches } from '../switches';
import { whereabouts } from '../whereabouts';

const listing = '/v2/listings/:listingId';

export function addAfterBookingRoutes(app: FastifyInstance, context: SandboxContext): void {
  addEndpoint(app, context, { operation: 'getContacts', method: 'GET', url: `${listing}/contacts` }, (call) =>
    getContacts(context, call),
  );
  addEndpoint(app, context, { operation: 'getTracking', method: 'GET', url: `${listing}/track` }, (call) =>
    getTracking(context, call),
  );
  addEndpoint(
    app,
    context,
    { operation: 'getBillOfLading', method: 'GET', url: `${listing}/billoflading` },
    (call) => getBillOfLading(context, call),
  );
  const attachment = `${listing}/attachments/:attachmentId`;
  addEndpoint(app, context, { operation: 'getAttachment', method: 'GET', url: attachment }, (call) =>
    getAttachment(context, call),
  );
  const document = '/documents/:listingId/:attachmentId/:fileName';
  addOpenEndpoint(app, context, { operation: 'getDocument', method: 'GET', url: document }, (call) =>
    getDocument(context, call),
  );
}

/** "Tracking and contacts are available only after the listing is booked." */
function bookedListing(context: SandboxContext, { account, param }: AccountCall): Listing {
  const found = context.store.listing(param('listingId'), account);
  if (found.bookedOn === undefined) throw new ApiProblem(404, 'Available after the listing is booked.');
  return found;
}

/** The inner fields are not shown; the capital of `Shipper` is. */
function getContacts(context: SandboxContext, call: AccountCall): Answer {
  const { draft, carrier, account } = bookedListing(context, call);
  const contactOf = (stop: Stop | undefined): unknown => ({ ...stop?.contact, address: stop?.address });
  return {
    status: 200,
    body: {
      Shipper: { userId: account.userId, displayName: account.name, ...draft.route[0]?.contact },
      serviceProvider: {
        userId: carrier?.userId,
        displayName: carrier?.displayName,
        companyName: carrier?.displayName,
        phoneNumber: '+1 555 0100',
        email: 'dispatch@carrier.example',
      },
      locations: { pickup: contactOf(draft.route[0]), delivery: contactOf(draft.route.at(-1)) },
    },
  };
}

function getTracking(context: SandboxContext, call: AccountCall): Answer {
  const found = bookedListing(context, call);
  const { wording } = context;
  const write = stateWriter(found, context);
  const { badElements } = switchesFor(found.draft, context.switches);
  const commodity = found.draft.items[0]?.commodity ?? 'HouseholdGoods';
  return {
    status: 200,
    body: {
      listingGeneratedId: found.listingId,
      listingTitle: found.draft.title,
      commodityCode: commodity,
      shipmentTrackingSummaryModel: {
        status: write(found.status),
        transitStatus: write(found.transitStatus) ?? null,
        origin: found.draft.route[0]?.address.majorMunicipality ?? null,
        destination: found.draft.route.at(-1)?.address.majorMunicipality ?? null,
        bookedOn: wording.instantOrNothing(found.bookedOn),
      },
      carrierContactModel: {
        name: found.carrier?.displayName,
        companyName: found.carrier?.displayName,
        phoneNumber: '+1 555 0100',
        email: 'dispatch@carrier.example',
      },
      shipmentTrackingStatuses: [
        ...badTrackingStatus(badElements),
        ...found.transitHistory.map(({ status, setOn }, index) => ({
          status: write(status),
          dateSet: wording.instant(setOn),
          sequence: index + 1,
        })),
      ],
      ...whereabouts(context, found),
    },
  };
}

/** 404 right after booking: the document is not ready yet. */
function getBillOfLading(context: SandboxContext, { account, param }: AccountCall): Answer {
  const found = context.store.listing(param('listingId'), account);
  const file = found.files.findLast(({ attachmentType }) => attachmentType === 'BillOfLading');
  if (file === undefined || !found.billOfLadingReady)
    throw new ApiProblem(404, 'There is no bill of lading yet.');
  const href = context.addresses.document(found, file);
  return { status: 200, body: { billOfLadingNumber: found.billOfLadingNumber, document: { href } } };
}

function getAttachment(context: SandboxContext, { account, param }: AccountCall): Answer {
  const found = context.store.listing(param('listingId'), account);
  const file = found.files.find(({ attachmentId }) => String(attachmentId) === param('attachmentId'));
  if (file === undefined) throw new ApiProblem(404, `There is no attachment ${param('attachmentId')}.`);
  return { status: 200, body: context.records.attachment(found, file) };
}

/** The pre-signed address: no key, but a signature, and only for a while. */
function getDocument(context: SandboxContext, { param, query }: Call): Answer {
  const path = `${param('listingId')}/${param('attachmentId')}`;
  if (!context.addresses.isSigned('document', path, query('signature') ?? '', query('expires') ?? '0'))
    throw new ApiProblem(403, 'The address has expired or its signature is wrong.');
  const found = context.store.listings.get(Number(param('listingId')));
  const file = found?.files.find(({ attachmentId }) => String(attachmentId) === param('attachmentId'));
  if (found === undefined || file === undefined) throw new ApiProblem(404, 'There is no such document.');
  file.downloads += 1;
  const spoilt = spoiltBillOfLading(switchesFor(found.draft, context.switches), file);
  return spoilt ?? { status: 200, headers: { 'content-type': file.fileType }, body: file.bytes };
}

/** The first downloads of a bill of lading under `emptyFirst`, `garbledFirst` and `htmlFirst`; each of them a 200. */
function spoiltBillOfLading(switches: SandboxSwitches, file: StoredFile): Answer | undefined {
  const { billOfLading, billOfLadingBadDownloads } = switches;
  if (file.attachmentType !== 'BillOfLading' || file.downloads > billOfLadingBadDownloads) return undefined;
  if (billOfLading === 'emptyFirst')
    return { status: 200, headers: { 'content-type': file.fileType }, body: Buffer.alloc(0) };
  if (billOfLading === 'garbledFirst')
    return { status: 200, headers: { 'content-type': file.fileType }, body: file.bytes.subarray(9, 60) };
  const page = '<!doctype html><title>Please wait</title><p>Your document is being prepared.</p>';
  return billOfLading === 'htmlFirst'
    ? { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: page }
    : undefined;
}
