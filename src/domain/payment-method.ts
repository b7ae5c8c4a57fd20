/** A way to pay that the account has at the marketplace (contract: payment method). */
export interface PaymentMethod {
  readonly paymentMethodId: string;
  /** creditcard, bankaccount or payonterms. */
  readonly type: string | null;
  readonly isPrimary: boolean;
  readonly active: boolean;
  readonly expiration: { readonly month: number; readonly year: number } | null;
}

export type PaymentMethodChoice =
  | { readonly kind: 'chosen'; readonly paymentMethod: PaymentMethod }
  | { readonly kind: 'none'; readonly reason: string };

/** A card is good until the end of its month of expiry. */
function isExpired(method: PaymentMethod, today: string): boolean {
  if (method.expiration === null) return false;
  const lastMonth = method.expiration.year * 12 + method.expiration.month;
  return Number(today.slice(0, 4)) * 12 + Number(today.slice(5, 7)) > lastMonth;
}

/**
 * The configured method if there is one, else the primary one; active and unexpired in either case.
 * @param today ISO date or instant
 */
export function choosePaymentMethod(
  methods: readonly PaymentMethod[],
  configuredId: string | null,
  today: string,
): PaymentMethodChoice {
  const usable = methods.filter((method) => method.active && !isExpired(method, today));
  if (configuredId !== null) {
    const configured = usable.find((method) => method.paymentMethodId === configuredId);
    if (configured !== undefined) return { kind: 'chosen', paymentMethod: configured };
    const known = methods.some((method) => method.paymentMethodId === configuredId);
    const why = known ? 'is inactive or expired' : 'is not among the methods of the account';
    return { kind: 'none', reason: `the configured payment method ${why}` };
  }
  const primary = usable.find((method) => method.isPrimary);
  if (primary !== undefined) return { kind: 'chosen', paymentMethod: primary };
  if (methods.length === 0) return { kind: 'none', reason: 'the account has no payment method' };
  return {
    kind: 'none',
    reason: `none of the ${methods.length} payment methods of the account is primary, active and unexpired`,
  };
}
