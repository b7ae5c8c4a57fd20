/** Words that make a text hard to read. Each has a plainer replacement, such as "report", "fixed" or "still". */
export const HARD_WORDS: readonly RegExp[] = [
  /\b(?:tells?|told|telling)\b/gi,
  /\bso that\b/gi,
  /\bof (?:ours|yours|(?:its|their|his|her|your|our|one's) own)\b/gi,
  /\bmeanwhile\b/gi,
  /\bwhoever\b/gi,
  /\bso (?:many|long)\b/gi,
  /\bmend(?:s|ed|ing)?\b/gi,
  /\bas yet\b/gi,
];
