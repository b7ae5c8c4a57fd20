import { NOTHING_LEFT_OUT } from '../domain/left-out';
import type { PaymentMethodList } from '../domain/payment-method';
import { ApiError } from '../marketplace/errors';
import { read } from './reads-and-polls';
import type { AccountInput, ActivityDependencies } from './dependencies';

export interface ListPaymentMethodsInput extends AccountInput {
  readonly topLevelCommodity: string;
}

export function createPaymentMethodActivities({ marketplaceOf }: ActivityDependencies) {
  /** GET /v2/paymentmethods. A 501 (commodity not implemented) counts as an empty list. */
  async function listPaymentMethods({ account, topLevelCommodity }: ListPaymentMethodsInput) {
    return await read<PaymentMethodList>(async (call) => {
      try {
        return await marketplaceOf(account).listPaymentMethods(topLevelCommodity, call);
      } catch (error) {
        if (error instanceof ApiError && error.status === 501)
          return { methods: [], leftOut: NOTHING_LEFT_OUT };
        throw error;
      }
    });
  }
  return { listPaymentMethods };
}
