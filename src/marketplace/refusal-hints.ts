/**
 * What a refusal is about, in Consign's words, because a message quotes none of the marketplace's. The patterns are a
 * few words without repetition, so matching takes linear time.
 */
const HINTS: readonly [RegExp, string][] = [
  [/\bsuspend/i, 'it speaks of a suspended account'],
  [/\bip[ -]address|\bwhitelist|\ballow-?list/i, 'it speaks of allowed IP addresses'],
  [/\bexpired?\b/i, 'it speaks of something that has expired'],
  [/payment ?method|\bcard\b/i, 'it speaks of the payment method'],
  [/\bcurrenc(?:y|ies|ytype)\b/i, 'it speaks of the currency'],
  [/\bduplicate|\balready\b/i, 'it speaks of something that exists already'],
  [/\bpost(?:al)? ?code\b|\bzip\b/i, 'it speaks of a postal code'],
  [/\b(?:pickup|delivery|time ?frame|dates?)\b/i, 'it speaks of a date'],
];

/** @param reasons everything that the marketplace said */
export const hintsOf = (reasons: string): readonly string[] =>
  HINTS.flatMap(([pattern, hint]) => (pattern.test(reasons) ? [hint] : []));
