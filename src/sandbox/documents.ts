import type { Listing, StoredFile } from './state';

/** What the pages of a bill of lading and of a proof of delivery say. */
export function documentLines(listing: Listing, type: StoredFile['attachmentType']): readonly string[] {
  const { draft } = listing;
  const place = (index: number): string => {
    const address = draft.route.at(index)?.address;
    return [address?.streetAddress, address?.majorMunicipality, address?.stateProvince, address?.postalCode]
      .filter((part) => part !== undefined)
      .join(', ');
  };
  return [
    type === 'ProofOfDelivery' ? 'PROOF OF DELIVERY (sandbox)' : 'BILL OF LADING (sandbox)',
    `Number: ${listing.billOfLadingNumber ?? ''}`,
    `Listing: ${listing.listingId}  ${draft.title}`,
    `Carrier: ${listing.carrier?.displayName ?? ''}`,
    `From: ${place(0)}`,
    `To: ${place(-1)}`,
    ...draft.referenceNumbers.map(({ type: kind, number }) => `${kind}: ${number}`),
    ...draft.items.map((item) => `${item.unitCount} x ${item.title ?? item.commodity ?? 'item'}`),
  ];
}
