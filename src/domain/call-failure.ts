/**
 * What code may know about a failed call. The message is for people, and no code decides by its words. Travels in the
 * details of the activity's failure.
 */
export interface CallFailure extends Refusal {
  /** The listing that the call was about; null for other calls. */
  readonly listingId: string | null;
  /** How long the marketplace asked to wait; null when it did not ask. */
  readonly retryAfterMs: number | null;
  /** What the marketplace said, as far as it may be shown. Only for the shipment's state. */
  readonly words: string | null;
}

/** A marketplace's refusal of a call, in codes. */
export interface Refusal {
  /** Operation of the marketplace client, such as `createListing`. */
  readonly operation: string;
  /** Null when no answer came. */
  readonly status: number | null;
  /** Error codes of the marketplace, such as `40006`. */
  readonly codes: readonly string[];
  /** Fields of the request that the refusal names. */
  readonly fields: readonly string[];
}

type Details = readonly unknown[] | null | undefined;

/** Reads the details of an activity's failure; null when no call failed. */
export function callFailureOf(details: Details): CallFailure | null {
  const [detail] = details ?? [];
  return isCallFailure(detail) ? detail : null;
}

/** Reads the details of a workflow's failure; null when no refusal ended it. */
export function refusalIn(details: Details): Refusal | null {
  const [detail] = details ?? [];
  return isRefusal(detail) ? detail : null;
}

const isCallFailure = (detail: unknown): detail is CallFailure => isRefusal(detail) && 'listingId' in detail;

const isRefusal = (detail: unknown): detail is Refusal =>
  typeof detail === 'object' && detail !== null && 'operation' in detail && 'status' in detail;

/** The part that may be shown anywhere. */
export const refusalOf = ({ operation, status, codes, fields }: Refusal): Refusal => ({
  ...{ operation, status, codes, fields },
});
