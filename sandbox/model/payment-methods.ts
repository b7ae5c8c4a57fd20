import type { SandboxAccount } from './accounts';
import { hashText } from './random';
import type { SandboxSwitches } from './switches';

export type PaymentMethod = ReturnType<typeof paymentMethodsOf>[number];

/** The same ids for the same account in every run, so that they can be written into a configuration. */
const idOf = (account: SandboxAccount, index: number): string => {
  const hex = hashText(`${account.name}/${index}`).toString(16).padStart(8, '0');
  return `${hex}-0000-4000-8000-00000000000${index}`;
};

/** Three methods of an account: the primary card, pay on terms, and a card that ran out. */
export function paymentMethodsOf(account: SandboxAccount, switches: SandboxSwitches) {
  const year = new Date().getUTCFullYear();
  const isExpired = switches.paymentMethods === 'expired';
  const lastYear = { month: 3, year: year - 1 };
  const later = { month: 11, year: year + 2 };
  const card = { type: 'creditcard', issuer: 'Visa' };
  const methods = [
    {
      ...{ id: idOf(account, 1), ...card, lastFour: '4242', isPrimary: true, active: true },
      ...{ expiration: isExpired ? lastYear : later, isUsable: !isExpired },
    },
    {
      ...{ id: idOf(account, 2), type: 'payonterms', lastFour: '0001', isPrimary: false },
      ...{ active: !isExpired, expiration: later, issuer: 'Terms', isUsable: !isExpired },
    },
    {
      ...{ id: idOf(account, 3), ...card, lastFour: '1881', isPrimary: false, active: false },
      ...{ expiration: lastYear, isUsable: false },
    },
  ];
  return switches.paymentMethods === 'none' ? [] : methods;
}
