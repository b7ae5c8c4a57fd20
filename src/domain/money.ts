/** An amount in hundredths of its currency. Never a float, because prices are compared and added. */
export interface Money {
  readonly minorUnits: number;
  /** ISO 4217 code, `USD` or `CAD` in practice. */
  readonly currency: string;
}

const AMOUNT = /^(-?)(\d{1,12})(?:\.(\d+))?$/;

/**
 * Reads a decimal amount such as `650`, `650.5` or `650.00`.
 *
 * Refuses fractions of a hundredth that are not zero: rounding somebody's money silently would be a guess.
 * @returns null when the text is not such an amount
 */
export function parseMoney(text: string, currency: string): Money | null {
  const match = AMOUNT.exec(text.trim());
  if (match === null) return null;
  const [, sign, whole = '', fraction = ''] = match;
  if (/[^0]/.test(fraction.slice(2))) return null;
  const minorUnits = Number(whole) * 100 + Number(fraction.slice(0, 2).padEnd(2, '0'));
  return { minorUnits: sign === '-' && minorUnits !== 0 ? -minorUnits : minorUnits, currency };
}

/**
 * Money from a JSON number. Rounds to the nearest hundredth, because services that compute with floats answer
 * 119.10000000000001.
 */
export function moneyFromNumber(amount: number, currency: string): Money {
  return { minorUnits: Math.round(amount * 100), currency };
}

/** The decimal number for the marketplace's `amount` fields. */
export function toAmount(money: Money): number {
  return money.minorUnits / 100;
}

/** Such as `4000.50`, for programs. */
export const decimalOf = (money: Money): string => toAmount(money).toFixed(2);

/** Such as `USD 4,000.50`: the same in every locale, for people and logs. */
export function formatMoney(money: Money): string {
  const sign = money.minorUnits < 0 ? '-' : '';
  const minor = Math.abs(money.minorUnits);
  const whole = String(Math.floor(minor / 100)).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${money.currency} ${sign}${whole}.${String(minor % 100).padStart(2, '0')}`;
}

/** The sum of two amounts; null when their currencies differ, because Consign has no exchange rates. */
export function addMoney(left: Money, right: Money): Money | null {
  if (left.currency !== right.currency) return null;
  return { minorUnits: left.minorUnits + right.minorUnits, currency: left.currency };
}

/** Whether `price` is above `limit`. A price in another currency counts as above: nobody allowed it. */
export function isAbove(price: Money, limit: Money): boolean {
  return price.currency !== limit.currency || price.minorUnits > limit.minorUnits;
}

/**
 * The amount plus this many percent. Rounds down, so rounding never passes a limit. Multiplies before dividing,
 * because 1.15 times 100 is less than 115 in floating point.
 */
export function raisedBy({ minorUnits, currency }: Money, percent: number): Money {
  return { minorUnits: Math.floor((minorUnits * (100 + percent)) / 100), currency };
}
