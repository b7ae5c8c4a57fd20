/**
 * What a refusal speaks of, in words of our own: a message holds none of the marketplace's. Each pattern is a few words,
 * without repetition, so that it costs no more than one look at each character.
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

/** @param reasons all that the marketplace said */
export const hintsOf = (reasons: string): readonly string[] =>
  HINTS.flatMap(([pattern, hint]) => (pattern.test(reasons) ? [hint] : []));
