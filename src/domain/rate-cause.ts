/** What may be the cause of an empty rate list: the marketplace itself says nothing. */
export interface RateCause {
  /** JSON path in the order document, such as `$.items[0].size.length`. */
  readonly path: string;
  readonly problem: string;
  /** What would be right. */
  readonly remedy: string;
}
