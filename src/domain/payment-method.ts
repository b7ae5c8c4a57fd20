import { leftOutText, type LeftOut } from './left-out';

/** A payment method of the account at the marketplace (contract: payment method). */
export interface PaymentMethod {
  readonly paymentMethodId: string;
  /** creditcard, bankaccount or payonterms. */
  readonly type: string | null;
  readonly isPrimary: boolean;
  readonly active: boolean;
  readonly expiration: { readonly month: number; readonly year: number } | null;
}

/** The account's payment methods, and how many could not be read. */
export interface PaymentMethodList {
  readonly methods: readonly PaymentMethod[];
  readonly leftOut: LeftOut;
}

export type PaymentMethodChoice =
  | { readonly kind: 'chosen'; readonly paymentMethod: PaymentMethod }
  /** The account has no method that can pay: affects all its orders. */
  | { readonly kind: 'accountHasNone'; readonly reason: string }
  /** Affects only orders that name this method: the account could pay in another way. */
  | { readonly kind: 'configuredIsUnusable'; readonly reason: string };

/** A card is valid until the end of its month of expiry. */
function isExpired(method: PaymentMethod, today: string): boolean {
  if (method.expiration === null) return false;
  const lastMonth = method.expiration.year * 12 + method.expiration.month;
  return Number(today.slice(0, 4)) * 12 + Number(today.slice(5, 7)) > lastMonth;
}

/**
 * The configured method, or without one the primary method. It must be active and unexpired.
 * @param today ISO date or instant
 */
export function choosePaymentMethod(
  { methods, leftOut }: PaymentMethodList,
  configuredId: string | null,
  today: string,
): PaymentMethodChoice {
  const usable = methods.filter((method) => method.active && !isExpired(method, today));
  const wanted =
    configuredId === null
      ? usable.find((method) => method.isPrimary)
      : usable.find((method) => method.paymentMethodId === configuredId);
  if (wanted !== undefined) return { kind: 'chosen', paymentMethod: wanted };
  const text = leftOutText(leftOut);
  const unread = text === null ? '' : `; ${text}`;
  if (methods.length === 0)
    return { kind: 'accountHasNone', reason: `the account has no payment method${unread}` };
  const none = `none of the ${methods.length} payment methods of the account is`;
  if (usable.length === 0) return { kind: 'accountHasNone', reason: `${none} active and unexpired${unread}` };
  if (configuredId === null)
    return { kind: 'accountHasNone', reason: `${none} primary, active and unexpired${unread}` };
  const isKnown = methods.some((method) => method.paymentMethodId === configuredId);
  const why = isKnown ? 'is inactive or expired' : 'is not among the methods of the account';
  return { kind: 'configuredIsUnusable', reason: `the configured payment method ${why}${unread}` };
}
