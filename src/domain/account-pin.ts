/**
 * The account as a workflow stores it. The environment is pinned: editing the accounts file never sends an open
 * sandbox shipment to production.
 */
export interface AccountPin {
  readonly name: string;
  readonly environment: 'sandbox' | 'production';
}
