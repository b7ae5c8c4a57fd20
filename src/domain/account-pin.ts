/**
 * The account of a shipment as its workflow knows it. The environment is pinned, so that editing an account
 * never sends an open sandbox shipment to production.
 */
export interface AccountPin {
  readonly name: string;
  readonly environment: 'sandbox' | 'production';
}
