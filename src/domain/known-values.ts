/**
 * Values of the marketplace's open lists, as far as they were seen. Any other is kept, shown and counted, and stops
 * nothing (`unknown-values.ts`).
 */
export const LISTING_SERVICE_TYPES = ['BlanketWrap', 'LtlTransportOnly', 'LtlFreightPackaging'] as const;
export const RATE_SERVICE_TYPES = ['LtlTransportOnly', 'FlatbedTransport', 'WhiteGlove'] as const;
export const TRANSPORT_MODES = ['Trucking', 'Rail'] as const;
export const VEHICLE_TYPES = ['Undefined', 'Van', 'Auto_Carrier'] as const;
/** None is documented: those that the sandbox shows. */
export const PAYMENT_STATUSES = ['Unpaid', 'Paid'] as const;
export const CANCELLATION_STATUSES = ['Cancelled'] as const;
