import { spoilRate } from '../records/bad-elements';
import { carriers } from '../model/carriers';
import { loadOf, routeDistanceInMeters } from '../model/load';
import type { Parts } from './parts';
import { countServices, ratePriceOf } from './pricing';
import type { RandomPerSubject } from '../model/random';
import { rateTroubles, type Rate, type RateRequest, orderReferenceOf } from '../model/state';
import { switchesFor, type SandboxSwitches } from '../model/switches';
import type { Labels } from '../records/enum-labels';
import type { Records } from '../records/records';

/** Lets carriers answer a rate request one after another: the list grows while it is polled. */
export function answerRateRequest(
  request: RateRequest,
  { rateRandom, ...parts }: Parts & { readonly rateRandom: RandomPerSubject },
): void {
  const { clock, store } = parts;
  const switches = switchesFor(request, parts);
  const reference = orderReferenceOf(request.draft.referenceNumbers);
  const occasion = { request: 'createRateRequest', reference, account: request.account.name } as const;
  request.trouble = parts.troubles.strike(occasion, rateTroubles)?.kind;
  if (request.trouble === 'noRates' || request.silentBecause !== undefined) return;
  const answering = carriers.slice(0, switches.ratesPerRequest);
  const load = loadOf(request.draft.items);
  const distance = routeDistanceInMeters(request.draft.route);
  const services = countServices(request.draft);
  const random = rateRandom.next(reference);
  const wait = request.trouble === 'lateRates' ? clock.lengthMs('ratesLate') : 0;
  const [first, last] = [clock.lengthMs('ratesFirst'), clock.lengthMs('ratesLast')];
  const areAllWithdrawn = request.trouble === 'allRatesWithdrawn';
  if (areAllWithdrawn || request.trouble === 'cheapestRateWithdrawn')
    clock.afterMs(last + clock.lengthMs('rateWithdrawn'), () =>
      withdrawRates(request.rates, areAllWithdrawn),
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

/** Carriers may take rates back before they expire: all, or the cheapest. */
function withdrawRates(rates: readonly Rate[], areAll: boolean): void {
  const amounts = rates.map(({ price }) => price.amount);
  for (const rate of rates)
    if (areAll || rate.price.amount === Math.min(...amounts)) rate.withdrawnOn = new Date();
}

/** What this read of the list shows. With `flickeringRates` every second read misses a rate, each time another. */
export function visibleRates(request: RateRequest): readonly Rate[] {
  request.reads += 1;
  const offered = request.rates.filter(({ withdrawnOn }) => withdrawnOn === undefined);
  if (request.trouble !== 'flickeringRates' || request.reads % 2 === 1) return offered;
  const missing = (request.reads / 2 - 1) % Math.max(1, offered.length);
  return offered.filter((_rate, index) => index !== missing);
}

/** Contract, "Rate object". */
export function rateRecord(
  rate: Rate,
  { labels, records, switches }: { labels: Labels; records: Records; switches: SandboxSwitches },
): Record<string, unknown> {
  const { carrier, price } = rate;
  const totalPrice = switches.rateCurrencyType
    ? labels.price(price.amount, price.currencyType)
    : labels.amount(price.amount, price.currencyType);
  const relative = labels.trio('Relative');
  const { badElements } = switchesFor(rate.request, { switches });
  const record = {
    id: rate.id,
    created: labels.instant(rate.createdOn),
    expires: labels.instant(rate.expiresOn),
    totalPrice,
    serviceType: labels.trio(carrier.serviceType),
    transportMode: labels.trio(carrier.transportMode),
    vehicleType: labels.trio(carrier.vehicleType),
    pickupTimeframe: { delay: 0, timeFrameType: relative },
    deliveryTimeframe: {
      delay: carrier.days,
      timeFrameType: carrier.days === null ? labels.trio('between') : relative,
    },
    additionalInformation: carrier.additionalInformation ?? null,
    bidder: records.carrier(carrier),
  };
  return spoilRate(record, rate.request.rates.indexOf(rate), badElements);
}
