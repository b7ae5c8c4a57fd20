import { isObject, objectOf } from '../model/json';
import type { Money, Rate } from '../model/state';
import type { SandboxSwitches } from '../model/switches';
import { codeRule } from '../model/errors';
import type { PaymentMethod } from '../model/payment-methods';
import { Fields, Problems } from './fields';
import { readMoney } from './values';

/** Contract, "Rate acceptance", with the preconditions: an open rate, a usable payment method, one currency. */
export function readAcceptance(
  body: unknown,
  given: { rate: Rate; switches: SandboxSwitches; paymentMethods: readonly PaymentMethod[] },
): { coverage: Money | null } {
  const { rate, switches, paymentMethods } = given;
  const problems = new Problems(switches.unknownFields === 'refused');
  const fields = new Fields(objectOf(body), '', problems);
  const id = fields.text('paymentMethodId', { required: true });
  if (id !== undefined) checkPaymentMethod(fields, id, paymentMethods);
  const coverage = readCoverage(fields, switches);
  fields.done();
  if (coverage !== null && coverage.currencyType !== rate.price.currencyType)
    fields.refuse(
      'insurance.coverage.currencyType',
      `must be the rate's, which is ${rate.price.currencyType}`,
    );
  if (rate.expiresOn.getTime() <= Date.now())
    problems.add('id', `the rate expired on ${rate.expiresOn.toISOString()}`, codeRule);
  problems.throwIfAny();
  return { coverage };
}

function checkPaymentMethod(fields: Fields, id: string, paymentMethods: readonly PaymentMethod[]): void {
  const method = paymentMethods.find((candidate) => candidate.id === id);
  if (id.length !== 36) fields.refuse('paymentMethodId', 'must have 36 characters');
  else if (method === undefined) fields.refuse('paymentMethodId', 'is not a payment method of this account');
  else if (!method.isUsable) fields.refuse('paymentMethodId', 'is inactive or expired');
}

/** `{coverage: null}` declines; so does a null insurance while the switch `nullInsurance` accepts it. */
function readCoverage(fields: Fields, switches: SandboxSwitches): Money | null {
  if (fields.value['insurance'] === null && switches.nullInsurance === 'accepted') {
    fields.raw('insurance');
    return null;
  }
  const insurance = fields.object('insurance', true);
  if (insurance === undefined) return null;
  const spellings = switches.acceptanceInsurance === 'either' ? ['coverage', 'coverageAmount'] : ['coverage'];
  const name = spellings.find((spelling) => spelling in insurance.value);
  if (Object.keys(insurance.value).length === 0 && switches.emptyInsurance === 'accepted') return null;
  if (name === undefined) {
    insurance.refuse('coverage', 'is required; null declines');
    return null;
  }
  const amount = insurance.object(name);
  insurance.done();
  if (amount === undefined || !isObject(insurance.value[name])) return null;
  const money = readMoney(amount, { above: 0 });
  amount.done();
  return money ?? null;
}
