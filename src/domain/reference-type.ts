/** Reference types of the contract. The list is open. */
export const REFERENCE_TYPES: readonly string[] = [
  ...['Pickup', 'Delivery', 'Invoice', 'PurchaseOrder', 'SalesOrder', 'Other', 'Lot', 'Release'],
  ...['ThirdPartyTracking', 'VIN', 'SKU'],
];
