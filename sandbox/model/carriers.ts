const truck = {
  serviceType: 'LtlTransportOnly',
  transportMode: 'Trucking',
  vehicleType: 'Undefined',
  additionalInformation: undefined,
};
const van = { ...truck, vehicleType: 'Van' };
const rated = (percentPositive: number, starRating: number, reviews: number) => ({
  ...{ percentPositive, starRating, reviews },
});
const offering = (priceFactor: number, days: number | null) => ({ priceFactor, days });

/** Seven invented carriers that differ in price, rating, mode and delay: every rate policy has a choice. */
export const carriers = [
  { displayName: 'Blue Ridge Freight', ...rated(98.4, 4.8, 1204), ...offering(1.08, 4), ...truck },
  {
    ...{ displayName: 'Prairie Line LTL', ...rated(91.2, 4.1, 388), ...offering(0.86, 7), ...van },
    additionalInformation: 'Terminal handling included.',
  },
  {
    ...{ displayName: 'Two Rivers Trucking', ...rated(99.1, 4.9, 2750), ...offering(1.27, 2), ...truck },
    additionalInformation: 'Guaranteed by 17:00.',
  },
  {
    ...{ displayName: 'Northgate Rail Intermodal', ...rated(88.7, 3.9, 96), ...offering(0.8, 11), ...truck },
    transportMode: 'Rail',
  },
  {
    ...{ displayName: 'Sandhill Express', ...rated(94.3, 4.4, 512), ...offering(0.97, null), ...van },
    additionalInformation: 'Delivery day on request.',
  },
  {
    ...{ displayName: 'Cardinal White Glove', ...rated(97.5, 4.7, 640), ...offering(1.62, 5), ...van },
    serviceType: 'WhiteGlove',
    additionalInformation: 'Two-person team, inside delivery.',
  },
  {
    ...{ displayName: 'Open Deck Carriers', ...rated(93, 4.2, 151), ...offering(1.15, 3), ...truck },
    serviceType: 'FlatbedTransport',
    vehicleType: 'Auto_Carrier',
  },
].map((profile, index) => ({ userId: 900_101 + index, ...profile }));
export type CarrierProfile = Readonly<(typeof carriers)[number]>;
