/** A place of an answer that is not what we read. Kinds only, never a value. */
export interface ShapeDifference {
  /** `items[].expires`; a list is one place, however long it is. */
  readonly path: string;
  readonly expected: string;
  readonly received: string;
}

/** A value of one of the marketplace's open lists that this version does not know. */
export interface UnknownValue {
  readonly path: string;
  /** Null where it does not look like a code, and may be something private. */
  readonly value: string | null;
}

/** A field of an answer that is not read. */
export interface UnreadField {
  readonly path: string;
  /** Of its values, such as `string` and `null`. */
  readonly kinds: readonly string[];
}

/** How an answer compares with what we read of it, without any of its values but those of open lists. */
export interface ShapeReport {
  readonly differences: readonly ShapeDifference[];
  /** In the answer, and not read. */
  readonly unreadFields: readonly UnreadField[];
  /** Read where they are there, and not in the answer. */
  readonly absentFields: readonly string[];
  readonly unknownValues: readonly UnknownValue[];
}

export type ConformanceVerdict =
  | 'fits'
  | 'differs'
  /** A refusal that the contract describes, such as no tracking before the booking. */
  | 'notThere'
  | 'refused'
  | 'noAnswer';

/** One endpoint's answer, fit to be shown to anybody. */
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
