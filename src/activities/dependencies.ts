import type { Client } from '@temporalio/client';
import type { AccountPin } from '../domain/account-pin';
import type { CloudEvent } from '../notifications/cloud-event';
import type { NotificationEndpoint } from '../notifications/endpoint';
import type { EndpointAnswer } from '../notifications/send';
import type { FileStore } from '../platform/file-store';
import type { Marketplace } from '../marketplace/marketplace';

/** What the worker provides to the delivery of notifications. */
export interface NotificationSender {
  /**
   * The endpoints of an account.
   * @throws ApplicationFailure `AccountMismatch`, as `marketplaceOf`
   */
  readonly endpointsOf: (account: AccountPin) => readonly NotificationEndpoint[];
  /** Sends one event once. */
  readonly send: (
    account: AccountPin,
    endpoint: NotificationEndpoint,
    event: CloudEvent,
  ) => Promise<EndpointAnswer>;
}

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
  readonly notifications: NotificationSender;
}

/** Every input names the account. The worker looks its key up; the key never travels. */
export interface AccountInput {
  readonly account: AccountPin;
}

export interface ListingInput extends AccountInput {
  readonly listingId: string;
}
