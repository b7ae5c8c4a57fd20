import type { Client } from '@temporalio/client';
import type { AccountPin } from '../domain/account-pin';
import type { FileStore } from '../platform/file-store';
import type { Marketplace } from '../marketplace/marketplace';

/** What activities need from the worker that runs them. */
export interface ActivityDependencies {
  /**
   * The marketplace of an account.
   * @throws ApplicationFailure `AccountMismatch` when the account is not configured here, or is configured for
   * another environment than the shipment was started for
   */
  readonly marketplaceOf: (account: AccountPin) => Marketplace;
  /** Marks writes before they are sent. */
  readonly client: Client;
  readonly files: FileStore;
}

/** Every input names the account; its key is looked up here and never travels. */
export interface AccountInput {
  readonly account: AccountPin;
}

export interface ListingInput extends AccountInput {
  readonly listingId: string;
}
