/** One kind of place that the marketplace knows (contract: address types). The list is open. */
export interface AddressType {
  /** What orders name and requests send. */
  readonly value: string;
  /** For people, in the language of the account. Decides nothing. */
  readonly label: string;
}

/** What the marketplace's list says of the address types that an order names. */
export interface AddressTypeCheck {
  readonly commodityCode: string;
  /** May be taken all the same, or silently become a residence. */
  readonly unlisted: readonly string[];
  /** Why they could not be looked up; null when they were. */
  readonly trouble: string | null;
}

/** The short form of one type stands for the long one, whichever of both is listed. */
const SHORT = 'BusinessWithoutLoadingDock';
const isSame = (listed: string, named: string): boolean =>
  listed === named || (listed.startsWith(SHORT) && named.startsWith(SHORT));

/** The address types of stops that the marketplace does not list; none of an empty list, which says nothing. */
export function unlistedAddressTypes(
  named: readonly (string | null)[],
  listed: readonly AddressType[],
): string[] {
  const given = [...new Set(named.filter((type) => type !== null))];
  return listed.length === 0 ? [] : given.filter((type) => !listed.some(({ value }) => isSame(value, type)));
}
