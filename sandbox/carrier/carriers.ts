import type { CarrierProfile } from '../model/state';

type Reputation = Pick<CarrierProfile, 'percentPositive' | 'starRating' | 'reviews'>;
type Service = Pick<
  CarrierProfile,
  'serviceType' | 'transportMode' | 'vehicleType' | 'additionalInformation'
>;

const truck = { transportMode: 'Trucking', vehicleType: 'Undefined', serviceType: 'LtlTransportOnly' };
const van = { ...truck, vehicleType: 'Van' };
const rated = (percentPositive: number, starRating: number, reviews: number): Reputation => ({
  ...{ percentPositive, starRating, reviews },
});

function carrier(
  displayName: string,
  reputation: Reputation,
  [priceFactor, days]: readonly [number, number | null],
  service: Service,
): Omit<CarrierProfile, 'userId'> {
  return { displayName, ...reputation, priceFactor, days, ...service };
}

/** Seven invented carriers that differ in price, rating, mode and delay: every rate policy has a choice. */
export const carriers: readonly CarrierProfile[] = [
  carrier('Blue Ridge Freight', rated(98.4, 4.8, 1204), [1.08, 4], truck),
  carrier('Prairie Line LTL', rated(91.2, 4.1, 388), [0.86, 7], {
    ...van,
    additionalInformation: 'Terminal handling included.',
  }),
  carrier('Two Rivers Trucking', rated(99.1, 4.9, 2750), [1.27, 2], {
    ...truck,
    additionalInformation: 'Guaranteed by 17:00.',
  }),
  carrier('Northgate Rail Intermodal', rated(88.7, 3.9, 96), [0.8, 11], { ...truck, transportMode: 'Rail' }),
  carrier('Sandhill Express', rated(94.3, 4.4, 512), [0.97, null], {
    ...van,
    additionalInformation: 'Delivery day on request.',
  }),
  carrier('Cardinal White Glove', rated(97.5, 4.7, 640), [1.62, 5], {
    ...van,
    serviceType: 'WhiteGlove',
    additionalInformation: 'Two-person team, inside delivery.',
  }),
  carrier('Open Deck Carriers', rated(93, 4.2, 151), [1.15, 3], {
    ...truck,
    serviceType: 'FlatbedTransport',
    vehicleType: 'Auto_Carrier',
  }),
].map((profile, index) => ({ userId: 900_101 + index, ...profile }));
