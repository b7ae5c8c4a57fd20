import type { ShipmentPolicy } from '../domain/policy';

/** What an order needs to know about its account. */
export interface OrderAccount {
  readonly name: string;
  /** For stops that name no time zone. */
  readonly timeZone: string | null;
  /** Of its prices. An amount in another currency cannot be compared or covered. */
  readonly currency: string;
  readonly allowHazardous: boolean;
  /** What the marketplace requires of the liftgate of a stop without a dock. */
  readonly liftgateRule: 'mustBeTrue' | 'mustBeGiven';
  /** Where LTL may go; furniture is priced in the US and Canada only. */
  readonly ltlCountries: 'usAndCanada' | 'any';
  /** Whether carriers pick LTL up on Saturdays and Sundays. */
  readonly ltlWeekends: 'refused' | 'allowed';
  /** Without an integrator id there are no webhooks and no custom rates for LTL. */
  readonly hasIntegrator: boolean;
  /** Places by name, in the form of a stop. */
  readonly locations: Readonly<Record<string, unknown>>;
  readonly policy: ShipmentPolicy;
}
