import { moneyFromNumber, toAmount, type Money } from '../../domain/money';
import type { Amount } from '../schemas/common';

/** @param currency used when the answer names none */
export function toMoney(amount: Amount, currency: string): Money {
  return moneyFromNumber(amount.amount, amount.currency ?? currency);
}

export function toOptionalMoney(amount: Amount | null, currency: string): Money | null {
  return amount === null ? null : toMoney(amount, currency);
}

/** Contract: money is `{amount, currencyType}` in every request. */
export function toMoneyWire(money: Money): { amount: number; currencyType: string } {
  return { amount: toAmount(money), currencyType: money.currency };
}
