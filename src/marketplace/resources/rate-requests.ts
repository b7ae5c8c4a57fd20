import type { LtlRate } from '../../domain/rate';
import type { LtlItem, LtlShipment } from '../../domain/shipment';
import type { MarketplaceAccount, MarketplaceSettings } from '../account';
import type { Api } from '../api';
import { toLocalClock } from '../clock-skew';
import { rateRequestIdOf } from '../location';
import type { Marketplace } from '../marketplace';
import { rateRequestSchema, type LtlItemWire, type RateRequestWire } from '../schemas/rate-requests';
import { rateSchema, type RateWire } from '../schemas/rates';
import { toAdditionalServices } from './additional-services';
import { toOptionalMoney } from './money';
import { toRateRequestReferences } from './references';
import { toLtlRoute } from './route';

/**
 * The contract says that the weight of a line is "of the item or unit". With one line for each unit, both readings
 * agree. The other form, a setting, sends the weight of one unit and the count.
 */
function toLtlItems(item: LtlItem, units: MarketplaceSettings['ltlUnits']): LtlItemWire[] {
  const line: LtlItemWire = {
    commodity: item.commodity,
    unitCount: units === 'linePerUnit' ? 1 : item.quantity,
    handlingUnit: item.handlingUnit,
    packaging: item.packaging ?? undefined,
    stackable: item.stackable,
    hazardous: item.hazardous,
    lengthInMeters: item.lengthInMeters ?? undefined,
    widthInMeters: item.widthInMeters ?? undefined,
    heightInMeters: item.heightInMeters ?? undefined,
    weightInGrams: item.weightInGrams ?? undefined,
    freightClass: item.freightClass === null ? undefined : Number(item.freightClass),
    title: item.title ?? undefined,
    description: item.description ?? undefined,
  };
  return units === 'linePerUnit' ? Array.from({ length: item.quantity }, () => line) : [line];
}

function toRateRequest(shipment: LtlShipment, attempt: number, account: MarketplaceAccount): RateRequestWire {
  return {
    route: toLtlRoute(shipment, account.settings),
    items: shipment.items.flatMap((item) => toLtlItems(item, account.settings.ltlUnits)),
    referenceNumbers: toRateRequestReferences(shipment),
    integratorId: account.integratorId ?? undefined,
    accessorials: toAdditionalServices(shipment.services, account.settings),
    thirdPartyId: `${shipment.orderId}.${attempt}`,
  };
}

interface RateReading {
  readonly currency: string;
  /** How many milliseconds the marketplace's clock is ahead. Expiries are compared with Consign's own clock. */
  readonly skewMs: number;
}

/** @returns null for a rate without a price, which the schema refuses */
function toRate(wire: RateWire, { currency, skewMs }: RateReading): LtlRate | null {
  const totalPrice = toOptionalMoney(wire.totalPrice, currency);
  if (totalPrice === null) return null;
  const { bidder } = wire;
  const userId = bidder?.userId ?? null;
  return {
    rateId: wire.id,
    createdAt: wire.created === null ? null : toLocalClock(wire.created, skewMs),
    expiresAt: toLocalClock(wire.expires, skewMs),
    totalPrice,
    accountCurrency: currency,
    serviceType: wire.serviceType,
    transportMode: wire.transportMode,
    vehicleType: wire.vehicleType,
    pickupDelayInDays: wire.pickupTimeframe,
    deliveryDelayInDays: wire.deliveryTimeframe,
    additionalInformation: wire.additionalInformation,
    carrier: {
      userId,
      displayName: bidder?.displayName ?? (userId === null ? 'unnamed carrier' : `carrier ${userId}`),
      feedbackCount: bidder?.feedback?.count ?? null,
      percentPositive: bidder?.feedback?.percentPositive ?? null,
      starRating: bidder?.feedback?.starRating ?? null,
    },
  };
}

/** Contract: `POST /v2/raterequests` and `GET /v2/raterequests/{id}/rates`. */
export function createRateRequestCalls(
  api: Api,
  account: MarketplaceAccount,
): Pick<Marketplace, 'createRateRequest' | 'listRates'> {
  const { affiliate, currency, development } = account.settings;
  return {
    async createRateRequest({ shipment, attempt }, call) {
      const answer = await api.call(
        {
          operation: 'createRateRequest',
          method: 'POST',
          path: '/v2/raterequests',
          query: { development },
          headers: { 'x-affiliate': affiliate },
          body: { kind: 'json', schema: rateRequestSchema, value: toRateRequest(shipment, attempt, account) },
        },
        call,
      );
      // Any host is accepted: a foreign request has no rates to read.
      const rateRequestId = rateRequestIdOf(answer.location.ofAnyHost);
      if (rateRequestId === null) throw answer.withoutLocation('the rate request');
      return { rateRequestId };
    },

    async listRates(rateRequestId, call) {
      const answer = await api.call(
        {
          operation: 'listRates',
          method: 'GET',
          path: '/v2/raterequests/{rateRequestId}/rates',
          params: { rateRequestId },
          query: { development },
        },
        call,
      );
      const { items, leftOut } = answer.list(rateSchema);
      const { skewMs } = answer;
      const rates = items
        .map((rate) => toRate(rate, { currency, skewMs: skewMs ?? 0 }))
        .filter((rate) => rate !== null);
      return { rates, leftOut, clock: skewMs === null ? 'marketplace' : 'worker' };
    },
  };
}
