import type { Money, Rate } from '../model/state';
import type { SandboxSwitches } from '../model/switches';
import { codeRule } from '../model/errors';
import type { PaymentMethod } from '../model/payment-methods';
import { readBody, type Fields } from './fields';
import { readMoney } from './values';

interface Given {
  readonly rate: Rate;
  readonly switches: SandboxSwitches;
  readonly paymentMethods: readonly PaymentMethod[];
}

/**
 * What the acceptance of a rate covers. Contract, "Rate acceptance", with the preconditions: an open rate, a usable
 * payment method, one currency.
 */
export function readAcceptance(body: unknown, { rate, switches, paymentMethods }: Given): Money | null {
  return readBody(body, switches, (fields) => {
    const id = fields.text('paymentMethodId', { required: true });
    if (id !== undefined) checkPaymentMethod(fields, id, paymentMethods);
    const coverage = readCoverage(fields, switches);
    const { currencyType } = rate.price;
    if (coverage !== null && coverage.currencyType !== currencyType)
      fields.refuse('insurance.coverage.currencyType', `must be the rate's, which is ${currencyType}`);
    if (rate.expiresOn.getTime() <= Date.now())
      fields.refuse('id', `the rate expired on ${rate.expiresOn.toISOString()}`, codeRule);
    return coverage;
  });
}

function checkPaymentMethod(fields: Fields, id: string, paymentMethods: readonly PaymentMethod[]): void {
  const method = paymentMethods.find((candidate) => candidate.id === id);
  if (id.length !== 36) fields.refuse('paymentMethodId', 'must have 36 characters');
  else if (method === undefined) fields.refuse('paymentMethodId', 'is not a payment method of this account');
  else if (!method.isUsable) fields.refuse('paymentMethodId', 'is inactive or expired');
}

/** `{coverage: null}` declines; so does a null insurance while the switch `nullInsurance` accepts it. */
function readCoverage(fields: Fields, switches: SandboxSwitches): Money | null {
  const isDeclined = fields.value['insurance'] === null && switches.nullInsurance === 'accepted';
  const insurance = fields.object('insurance', !isDeclined);
  if (insurance === undefined) return null;
  const spellings = switches.acceptanceInsurance === 'either' ? ['coverage', 'coverageAmount'] : ['coverage'];
  const name = spellings.find((spelling) => spelling in insurance.value);
  if (Object.keys(insurance.value).length === 0 && switches.emptyInsurance === 'accepted') return null;
  if (name === undefined) {
    insurance.refuse('coverage', 'is required; null declines');
    return null;
  }
  return insurance.within(name, readMoney) ?? null;
}
