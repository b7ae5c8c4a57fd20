import type { Client } from '@temporalio/client';
import type { AccountPin } from '../domain/account-pin';
import type { FileStore } from '../platform/file-store';
import type { Marketplace } from '../marketplace/marketplace';

/** What the worker provides to activities. */
export interface ActivityDependencies {
  /**
   * The marketplace of an account.
   * @throws ApplicationFailure `AccountMismatch` when the account is not configured here, or for another environment
   * than the shipment's
   */
  readonly marketplaceOf: (account: AccountPin) => Marketplace;
  /** Marks writes before they are sent. */
  readonly client: Client;
  readonly files: FileStore;
}

/** Every input names the account. The worker looks its key up; the key never travels. */
export interface AccountInput {
  readonly account: AccountPin;
}

export interface ListingInput extends AccountInput {
  readonly listingId: string;
}
