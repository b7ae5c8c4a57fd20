/** A place where an answer has another shape than Consign reads. Kinds only, never a value. */
export interface ShapeDifference {
  /** Such as `items[].expires`; all elements of a list are one place. */
  readonly path: string;
  readonly expected: string;
  readonly received: string;
}

/** A value of an open list of the marketplace that this version does not know. */
export interface UnknownValue {
  readonly path: string;
  /** Null when the value does not look like a code and may be private. */
  readonly value: string | null;
}

/** A field of an answer that Consign does not read. */
export interface UnreadField {
  readonly path: string;
  /** Kinds of its values, such as `string` and `null`. */
  readonly kinds: readonly string[];
}

/** How an answer compares with what Consign reads. Contains no values except those of open lists. */
export interface ShapeReport {
  readonly differences: readonly ShapeDifference[];
  /** Present in the answer, and not read. */
  readonly unreadFields: readonly UnreadField[];
  /** Optional fields that Consign reads, absent from the answer. */
  readonly absentFields: readonly string[];
  readonly unknownValues: readonly UnknownValue[];
}

export type ConformanceVerdict =
  | 'fits'
  | 'differs'
  /** A refusal that the contract describes, such as no tracking before a booking. */
  | 'notThere'
  | 'refused'
  | 'noAnswer';

/** The comparison for one endpoint; safe to show to anyone. */
export interface EndpointReport extends ShapeReport {
  /** Method and path, with `{names}` in place of ids. */
  readonly endpoint: string;
  readonly status: number | null;
  readonly verdict: ConformanceVerdict;
  /** Why there is no answer to compare, such as `ECONNREFUSED`; null when there is one. */
  readonly trouble: string | null;
}

export function isConforming({ verdict }: EndpointReport): boolean {
  return verdict === 'fits' || verdict === 'notThere';
}
