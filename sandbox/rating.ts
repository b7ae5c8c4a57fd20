import { spoilRate } from './bad-elements';
import { carriers } from './carriers';
import type { SandboxClock } from './clock';
import { loadOf, ratePriceOf, routeDistanceInMeters } from './pricing';
import type { RandomPerSubject } from './random';
import { orderReferenceOf } from './references';
import type { Rate, RateRequest } from './state';
import type { Store } from './store';
import { switchesFor, type SandboxSwitches } from './switches';
import { countServices } from './validation/rate-request';
import type { Wording } from './wording';
import type { Records } from './records';

interface Parts {
  readonly clock: SandboxClock;
  readonly rateRandom: RandomPerSubject;
  readonly store: Store;
  readonly switches: Readonly<SandboxSwitches>;
}

/** Lets carriers answer a rate request one after the other, so that the list grows while it is polled. */
export function answerRateRequest(request: RateRequest, { clock, rateRandom, store, ...parts }: Parts): void {
  const switches = switchesFor(request.draft, parts.switches);
  if (switches.rates === 'none' || request.silentBecause !== undefined) return;
  const answering = carriers.slice(0, switches.ratesPerRequest);
  const load = loadOf(request.draft.items);
  const distance = routeDistanceInMeters(request.draft.route);
  const services = countServices(request.draft);
  const random = rateRandom.next(orderReferenceOf(request.draft.referenceNumbers));
  const wait = switches.rates === 'late' ? clock.lengthMs('ratesLate') : 0;
  const [first, last] = [clock.lengthMs('ratesFirst'), clock.lengthMs('ratesLast')];
  // The switch is read when the time has come.
  clock.afterMs(wait + last + clock.lengthMs('rateWithdrawn'), () =>
    withdrawRates(request.rates, switchesFor(request.draft, parts.switches).ratesWithdrawn),
  );
  answering.forEach((carrier, index) => {
    const share = answering.length === 1 ? 0 : index / (answering.length - 1);
    const amount = ratePriceOf(carrier, distance, load, services, random);
    clock.afterMs(wait + first + (last - first) * share, () => {
      const createdOn = new Date();
      const rate: Rate = {
        id: store.newRateId(),
        request,
        carrier,
        price: { amount, currencyType: request.account.currency },
        createdOn,
        expiresOn: new Date(createdOn.getTime() + switches.rateLifetimeInSeconds * 1000),
      };
      request.rates.push(rate);
      store.rates.set(rate.id, rate);
    });
  });
}

export const offeredRates = ({ rates }: RateRequest): readonly Rate[] =>
  rates.filter(({ withdrawnOn }) => withdrawnOn === undefined);

/** Carriers may take rates back before they expire. */
export function withdrawRates(rates: readonly Rate[], which: SandboxSwitches['ratesWithdrawn']): void {
  const amounts = rates.map(({ price }) => price.amount);
  for (const rate of rates)
    if (which === 'all' || (which === 'cheapest' && rate.price.amount === Math.min(...amounts)))
      rate.withdrawnOn = new Date();
}

/** What this read of the list shows. Under `rateFlicker` every second read misses a rate, each time another. */
export function visibleRates(request: RateRequest, switches: SandboxSwitches): readonly Rate[] {
  const { rateFlicker } = switchesFor(request.draft, switches);
  request.reads += 1;
  const offered = offeredRates(request);
  if (!rateFlicker || request.reads % 2 === 1) return offered;
  const missing = (request.reads / 2 - 1) % Math.max(1, offered.length);
  return offered.filter((_rate, index) => index !== missing);
}

/** Contract, "Rate object". */
export function rateRecord(
  rate: Rate,
  { wording, records, switches }: { wording: Wording; records: Records; switches: SandboxSwitches },
): Record<string, unknown> {
  const { carrier, price } = rate;
  const totalPrice = switches.rateCurrencyType
    ? wording.price(price.amount, price.currencyType)
    : wording.amount(price.amount, price.currencyType);
  const relative = wording.trio('Relative');
  const { badElements } = switchesFor(rate.request.draft, switches);
  const record = {
    id: rate.id,
    created: wording.instant(rate.createdOn),
    expires: wording.instant(rate.expiresOn),
    totalPrice,
    serviceType: wording.trio(carrier.serviceType),
    transportMode: wording.trio(carrier.transportMode),
    vehicleType: wording.trio(carrier.vehicleType),
    pickupTimeframe: { delay: 0, timeFrameType: relative },
    deliveryTimeframe: {
      delay: carrier.days,
      timeFrameType: carrier.days === null ? wording.trio('between') : relative,
    },
    additionalInformation: carrier.additionalInformation ?? null,
    bidder: records.carrier(carrier),
  };
  return spoilRate(record, rate.request.rates.indexOf(rate), badElements);
}
