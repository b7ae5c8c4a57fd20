/** A possible cause of an empty rate list. The marketplace gives no reason. */
export interface RateCause {
  /** JSON path in the order document, such as `$.items[0].size.length`. */
  readonly path: string;
  readonly problem: string;
  /** A correct value, or what to do. */
  readonly remedy: string;
}
