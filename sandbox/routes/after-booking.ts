import type { CarrierProfile } from '../model/carriers';
import { badTrackingStatus } from '../records/bad-elements';
import type { SandboxContext } from '../market/context';
import type { AccountCall } from './endpoint';
import type { Answer } from '../model/answer';
import { ApiProblem } from '../model/errors';
import type { Listing, Stop } from '../model/state';
import { stateWriter } from '../records/state-words';
import { switchesFor } from '../model/switches';
import { whereabouts } from '../carrier/whereabouts';

export const afterBookingActs = { getListingContacts, getTracking, getBillOfLading, getListingAttachment };

/** "Tracking and contacts are available only after the listing is booked." */
function bookedListing(context: SandboxContext, { account, param }: AccountCall): Listing {
  const found = context.store.listing(param('listingId'), account);
  if (found.bookedOn === undefined) throw new ApiProblem(404, 'Available after the listing is booked.');
  return found;
}

const dispatcherOf = (carrier: CarrierProfile | undefined): object => ({
  companyName: carrier?.displayName,
  phoneNumber: '+1 555 0100',
  email: 'dispatch@carrier.example',
});

/** The inner fields are not shown; the capital of `Shipper` is. */
function getListingContacts(context: SandboxContext, call: AccountCall): Answer {
  const { draft, carrier, account } = bookedListing(context, call);
  const contactOf = (stop: Stop | undefined): unknown => ({ ...stop?.contact, address: stop?.address });
  return {
    status: 200,
    body: {
      Shipper: { userId: account.userId, displayName: account.name, ...draft.route[0]?.contact },
      serviceProvider: {
        userId: carrier?.userId,
        displayName: carrier?.displayName,
        ...dispatcherOf(carrier),
      },
      locations: { pickup: contactOf(draft.route[0]), delivery: contactOf(draft.route.at(-1)) },
    },
  };
}

function getTracking(context: SandboxContext, call: AccountCall): Answer {
  const found = bookedListing(context, call);
  const { labels } = context;
  const write = stateWriter(found, context);
  const { badElements } = switchesFor(found, context);
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
        bookedOn: found.bookedOn && labels.instant(found.bookedOn),
      },
      carrierContactModel: { name: found.carrier?.displayName, ...dispatcherOf(found.carrier) },
      shipmentTrackingStatuses: [
        ...badTrackingStatus(badElements),
        ...found.transitHistory.map(({ status, setOn }, index) => ({
          status: write(status),
          dateSet: labels.instant(setOn),
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

function getListingAttachment(context: SandboxContext, { account, param }: AccountCall): Answer {
  const found = context.store.listing(param('listingId'), account);
  const file = found.files.find(({ attachmentId }) => String(attachmentId) === param('attachmentId'));
  if (file === undefined) throw new ApiProblem(404, `There is no attachment ${param('attachmentId')}.`);
  return { status: 200, body: context.records.attachment(found, file) };
}
