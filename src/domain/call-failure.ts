/**
 * What the failure of a call says beside its message, for code: a message is for people, and nothing is decided by its
 * words. It travels in the details of an activity's failure.
 */
export interface CallFailure extends Refusal {
  /** The listing that the call is about; null for any other call. */
  readonly listingId: string | null;
  /** How long the marketplace asked to wait, where it did. */
  readonly retryAfterMs: number | null;
  /** What the marketplace said, as far as it may be shown. For the state of the shipment only. */
  readonly words: string | null;
}

/** What the marketplace answered to a call, in codes. */
export interface Refusal {
  /** Of the marketplace's client, such as `createListing`. */
  readonly operation: string;
  /** Null where no answer came. */
  readonly status: number | null;
  /** The marketplace's own, such as `40006`. */
  readonly codes: readonly string[];
  /** The fields of the request that it named. */
  readonly fields: readonly string[];
}

type Details = readonly unknown[] | null | undefined;

/** From the details of an activity's failure; null where it is not the failure of a call. */
export function callFailureOf(details: Details): CallFailure | null {
  const [detail] = details ?? [];
  return isCallFailure(detail) ? detail : null;
}

/** From the details of a workflow's failure; null where no refusal ended it. */
export function refusalIn(details: Details): Refusal | null {
  const [detail] = details ?? [];
  return isRefusal(detail) ? detail : null;
}

const isCallFailure = (detail: unknown): detail is CallFailure => isRefusal(detail) && 'listingId' in detail;

const isRefusal = (detail: unknown): detail is Refusal =>
  typeof detail === 'object' && detail !== null && 'operation' in detail && 'status' in detail;

/** What of it may be told anywhere. */
export const refusalOf = ({ operation, status, codes, fields }: Refusal): Refusal => ({
  ...{ operation, status, codes, fields },
});
