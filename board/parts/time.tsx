import type { ReactNode } from 'react';

const PARTS = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
const THIS_YEAR = new Intl.DateTimeFormat(undefined, PARTS);
const ANY_YEAR = new Intl.DateTimeFormat(undefined, { ...PARTS, year: 'numeric' });

/** An instant in the reader's time zone. */
export function Time({ at }: { readonly at: string }): ReactNode {
  const instant = new Date(at);
  if (Number.isNaN(instant.getTime())) return at;
  const format = instant.getFullYear() === new Date().getFullYear() ? THIS_YEAR : ANY_YEAR;
  return (
    <time dateTime={at} title={at}>
      {format.format(instant)}
    </time>
  );
}

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
] as const;

/** `3 d`, `5 min`: how long ago. */
export function ageText(at: string, now = Date.now()): string {
  const age = Math.max(0, now - Date.parse(at));
  const [ms, unit] = UNITS.find(([ms]) => age >= ms) ?? [1_000, 's'];
  return `${Math.floor(age / ms)} ${unit}`;
}
