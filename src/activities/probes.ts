import { endpointReport } from '../conformance/endpoints';
import type { EndpointReport } from '../domain/conformance';
import type { FurnitureShipment, LtlShipment } from '../domain/shipment';
import { MarketplaceError } from '../marketplace/errors';
import type { CallOptions, Marketplace, SeenAnswer } from '../marketplace/marketplace';
import { read } from './call';
import type { AccountInput, ActivityDependencies } from './dependencies';

/** A call that books nothing, made to look at its answer. */
export type Probe =
  | { readonly operation: 'getFixedPrice'; readonly shipment: FurnitureShipment }
  | { readonly operation: 'listPaymentMethods' | 'listAddressTypes' }
  | { readonly operation: 'createRateRequest'; readonly shipment: LtlShipment }
  | { readonly operation: 'listRates'; readonly rateRequestId: string }
  | {
      readonly operation: 'getListing' | 'getListingContacts' | 'getTracking' | 'getBillOfLading';
      readonly listingId: string;
    };

export interface ProbeAnswerInput extends AccountInput {
  readonly probe: Probe;
}

export interface ProbedAnswer {
  readonly report: EndpointReport;
  /** Of a rate request; it is no part of the report. */
  readonly rateRequestId: string | null;
}

async function make(probe: Probe, marketplace: Marketplace, call: CallOptions): Promise<string | null> {
  switch (probe.operation) {
    case 'getFixedPrice':
      await marketplace.getFixedPrice({ shipment: probe.shipment, priceCorrelationId: null }, call);
      return null;
    case 'listPaymentMethods':
      await marketplace.listPaymentMethods('ltl', call);
      return null;
    case 'listAddressTypes':
      await marketplace.listAddressTypes('NewCommercialGoods', call);
      return null;
    case 'createRateRequest': {
      const { shipment } = probe;
      return (await marketplace.createRateRequest({ shipment, attempt: 1 }, call)).rateRequestId;
    }
    case 'listRates':
      await marketplace.listRates(probe.rateRequestId, call);
      return null;
    default:
      await marketplace[probe.operation](probe.listingId, call);
      return null;
  }
}

export function createProbeActivities({ marketplaceOf }: ActivityDependencies) {
  /** One call, whose answer is compared with what is read of it. A refusal is a result, and not repeated. */
  async function probeAnswer({ account, probe }: ProbeAnswerInput): Promise<ProbedAnswer> {
    const marketplace = marketplaceOf(account);
    return await read(async (call) => {
      const answers: SeenAnswer[] = [];
      const options = { ...call, observe: (answer: SeenAnswer) => void answers.push(answer) };
      const lastSeen = (): SeenAnswer | null => answers.at(-1) ?? null;
      try {
        const rateRequestId = await make(probe, marketplace, options);
        return { report: endpointReport(probe.operation, { seen: lastSeen(), error: null }), rateRequestId };
      } catch (error) {
        if (!(error instanceof MarketplaceError) || call.signal?.aborted === true) throw error;
        return { report: endpointReport(probe.operation, { seen: lastSeen(), error }), rateRequestId: null };
      }
    });
  }
  return { probeAnswer };
}
