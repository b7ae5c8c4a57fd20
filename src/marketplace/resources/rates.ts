import type { AcceptanceReceipt } from '../../domain/acceptance';
import type { ApiResponse } from '../api-response';
import type { Api } from '../api';
import { executionIdOf, listingIdOf } from '../location';
import type { Marketplace, RateAcceptance } from '../marketplace';
import { acceptanceRequestSchema, type AcceptanceRequestWire } from '../schemas/rates';
import type { MarketplaceSettings } from '../settings';
import { readAcceptanceStatus } from './acceptance-status';
import { toAcceptanceInsurance } from './insurance';

function toAcceptanceRequest(
  { paymentMethodId, coverage }: RateAcceptance,
  settings: MarketplaceSettings,
): AcceptanceRequestWire {
  return { paymentMethodId, insurance: toAcceptanceInsurance(coverage, settings) };
}

/** 202 with the URL of the status; an older form is 201 with the URL of the listing. */
function readReceipt(answer: ApiResponse): AcceptanceReceipt {
  if (answer.status === 201) {
    const listingId = listingIdOf(answer.location.own);
    if (listingId !== null) return { kind: 'booked', listingId };
    throw answer.withoutLocation('the listing');
  }
  const executionId = executionIdOf(answer.location.own);
  if (executionId !== null) return { kind: 'pending', executionId };
  throw answer.withoutLocation('the acceptance status');
}

/** Contract: `POST /v2/rates/{id}/acceptance` and its status. */
export function createRateCalls(
  api: Api,
  settings: MarketplaceSettings,
): Pick<Marketplace, 'acceptRate' | 'getAcceptanceStatus'> {
  return {
    async acceptRate(acceptance, call) {
      const answer = await api.call(
        {
          operation: 'acceptRate',
          method: 'POST',
          path: '/v2/rates/{rateId}/acceptance',
          params: { rateId: acceptance.rateId },
          body: {
            kind: 'json',
            schema: acceptanceRequestSchema,
            value: toAcceptanceRequest(acceptance, settings),
          },
        },
        call,
      );
      return readReceipt(answer);
    },

    async getAcceptanceStatus({ rateId, executionId }, call) {
      const answer = await api.call(
        {
          operation: 'getAcceptanceStatus',
          method: 'GET',
          path: '/v2/rates/{rateId}/acceptance/status/{executionId}',
          params: { rateId, executionId },
          alsoReads: [303, 404],
        },
        call,
      );
      return readAcceptanceStatus(answer);
    },
  };
}
