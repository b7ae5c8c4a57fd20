/** One kind of place that the marketplace knows (contract: address types). The list is open. */
export interface AddressType {
  /** What orders name and requests send. */
  readonly value: string;
  /** For people, in the language of the account. Decides nothing. */
  readonly label: string;
}
