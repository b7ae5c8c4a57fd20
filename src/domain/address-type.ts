/** A kind of place that the marketplace knows (contract: address types). The list is open. */
export interface AddressType {
  /** What orders name and requests send. */
  readonly value: string;
  /** For people, in the language of the account. No code decides by it. */
  readonly label: string;
}

/** How an order's address types compare with the marketplace's list. */
export interface AddressTypeCheck {
  readonly commodityCode: string;
  /** Not in the list. The marketplace may still accept them, or silently treat them as a residence. */
  readonly unlisted: readonly string[];
  /** Why the list could not be read; null when it was read. */
  readonly trouble: string | null;
}

/** The contract's short name means the same as its long name, whichever of the two is listed. */
const SHORT = 'BusinessWithoutLoadingDock';
const isSame = (listed: string, named: string): boolean =>
  listed === named || (listed.startsWith(SHORT) && named.startsWith(SHORT));

/**
 * The stops' address types that the marketplace does not list. An empty list says nothing, so the result is then
 * empty.
 */
export function unlistedAddressTypes(
  named: readonly (string | null)[],
  listed: readonly AddressType[],
): string[] {
  const given = [...new Set(named.filter((type) => type !== null))];
  return listed.length === 0 ? [] : given.filter((type) => !listed.some(({ value }) => isSame(value, type)));
}
