/**
 * Known values of the marketplace's open lists. Consign keeps, shows and counts any other value, and stops nothing
 * because of it (`unknown-values.ts`).
 */
export const LISTING_SERVICE_TYPES = ['BlanketWrap', 'LtlTransportOnly', 'LtlFreightPackaging'] as const;
export const RATE_SERVICE_TYPES = ['LtlTransportOnly', 'FlatbedTransport', 'WhiteGlove'] as const;
export const TRANSPORT_MODES = ['Trucking', 'Rail'] as const;
export const VEHICLE_TYPES = ['Undefined', 'Van', 'Auto_Carrier'] as const;
/** Not documented: these are the sandbox's values. */
export const PAYMENT_STATUSES = ['Unpaid', 'Paid'] as const;
export const CANCELLATION_STATUSES = ['Cancelled'] as const;
