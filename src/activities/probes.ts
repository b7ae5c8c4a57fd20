import { endpointReport } from '../marketplace/conformance/endpoints';
import type { EndpointReport } from '../domain/conformance';
import type { FurnitureShipment, LtlShipment } from '../domain/shipment';
import { MarketplaceError } from '../marketplace/errors';
import type { CallOptions, Marketplace, RawResponse } from '../marketplace/marketplace';
import { read } from './reads-and-polls';
import type { AccountInput, ActivityDependencies } from './dependencies';

/** A call that books nothing, made to inspect its answer. */
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
  /** Of a rate request; not part of the report. */
  readonly rateRequestId: string | null;
}

/** Results of a call besides the observed answer. */
interface Made {
  readonly rateRequestId: string | null;
  /** What the answer lacks although its schema fits. */
  readonly missing: string | null;
}

const NOTHING: Made = { rateRequestId: null, missing: null };
const PREMIUM = 'the premium at insuranceQuote.premium.amount, or at the premiumPath of the account';

async function make(probe: Probe, marketplace: Marketplace, call: CallOptions): Promise<Made> {
  switch (probe.operation) {
    case 'getFixedPrice': {
      const { shipment } = probe;
      const { premium } = await marketplace.getFixedPrice({ shipment, priceCorrelationId: null }, call);
      return premium === 'unknown' ? { ...NOTHING, missing: PREMIUM } : NOTHING;
    }
    case 'listPaymentMethods':
      await marketplace.listPaymentMethods('ltl', call);
      return NOTHING;
    case 'listAddressTypes':
      await marketplace.listAddressTypes('NewCommercialGoods', call);
      return NOTHING;
    case 'createRateRequest': {
      const { shipment } = probe;
      return { ...NOTHING, ...(await marketplace.createRateRequest({ shipment, attempt: 1 }, call)) };
    }
    case 'listRates':
      await marketplace.listRates(probe.rateRequestId, call);
      return NOTHING;
    default:
      await marketplace[probe.operation](probe.listingId, call);
      return NOTHING;
  }
}

export function createProbeActivities({ marketplaceOf }: ActivityDependencies) {
  /** Makes one call and compares its answer with what Consign reads. A refusal is a result, and is not repeated. */
  async function probeAnswer({ account, probe }: ProbeAnswerInput): Promise<ProbedAnswer> {
    const marketplace = marketplaceOf(account);
    return await read(async (call) => {
      const answers: RawResponse[] = [];
      const options = { ...call, observe: (answer: RawResponse) => void answers.push(answer) };
      const lastSeen = (): RawResponse | null => answers.at(-1) ?? null;
      try {
        const { rateRequestId, missing } = await make(probe, marketplace, options);
        const report = endpointReport(probe.operation, { seen: lastSeen(), error: null, missing });
        return { report, rateRequestId };
      } catch (error) {
        if (!(error instanceof MarketplaceError) || call.signal?.aborted === true) throw error;
        return { report: endpointReport(probe.operation, { seen: lastSeen(), error }), rateRequestId: null };
      }
    });
  }
  return { probeAnswer };
}
