import type { Api } from '../api';
import type { Marketplace } from '../marketplace';
import { paymentMethodSchema } from '../schemas/payment-methods';

/** Contract: `GET /v2/paymentmethods`; 501 means that the commodity is not implemented for the account. */
export function createPaymentMethodCalls(api: Api): Pick<Marketplace, 'listPaymentMethods'> {
  return {
    async listPaymentMethods(topLevelCommodity, call) {
      const answer = await api.call(
        {
          operation: 'listPaymentMethods',
          method: 'GET',
          path: '/v2/paymentmethods',
          query: { topLevelCommodity },
        },
        call,
      );
      const { items, leftOut } = answer.list(paymentMethodSchema);
      const methods = items.map(({ id, type, isPrimary, active, expiration }) => {
        const { month, year } = expiration ?? {};
        return {
          paymentMethodId: id,
          type,
          isPrimary: isPrimary === true,
          active: active === true,
          expiration: month == null || year == null ? null : { month, year },
        };
      });
      return { methods, leftOut };
    },
  };
}
