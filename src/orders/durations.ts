import { z } from 'zod';
import type { PollPace } from '../domain/policy';

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

const YEAR_MS = 365 * UNIT_MS.d;
const FORM = /^(\d{1,9})(ms|s|m|h|d)$/;
const isUnit = (text: string): text is keyof typeof UNIT_MS => Object.hasOwn(UNIT_MS, text);

/** `1500ms`, `20s`, `10m`, `28h`, `9d`, or milliseconds as a number; null when it is none of these. */
function parseDuration(given: string | number): number | null {
  if (typeof given === 'number') return Number.isInteger(given) && given >= 0 ? given : null;
  const [, count = '', unit = ''] = FORM.exec(given.trim()) ?? [];
  return isUnit(unit) ? Number(count) * UNIT_MS[unit] : null;
}

/** As a document writes it, in the largest unit that needs no fraction. */
export function durationText(milliseconds: number): string {
  const [unit, size] =
    Object.entries(UNIT_MS)
      .toReversed()
      .find(([, size]) => milliseconds % size === 0) ?? [];
  return `${milliseconds / (size ?? 1)}${unit ?? 'ms'}`;
}

/** As a document writes it. */
export const paceText = ({ initialMs, maximumMs }: PollPace) => ({
  initial: durationText(initialMs),
  maximum: durationText(maximumMs),
});

const HINT = 'give a duration such as "20s", "10m", "28h" or "9d", of at most a year';

/** Milliseconds, from a text with a unit. */
export const durationSchema = z
  .union(
    [
      z.string().meta({ pattern: `^\\s*${FORM.source.slice(1, -1)}\\s*$` }),
      z.number().meta({ minimum: 0, multipleOf: 1 }),
    ],
    { error: HINT },
  )
  .transform((given, context): number => {
    const milliseconds = parseDuration(given);
    if (milliseconds !== null && milliseconds <= YEAR_MS) return milliseconds;
    context.addIssue({ code: 'custom', message: HINT });
    return z.NEVER;
  })
  .meta({ title: 'duration such as 20s, 10m, 28h or 9d' });

/** A pace of 0 would ask the marketplace without a pause, and a maximum below the initial pace is a mistake. */
export const paceSchema = z
  .strictObject({
    initial: durationSchema.meta({ description: 'The first delay.' }),
    maximum: durationSchema.meta({ description: 'The longest delay: each is twice the one before.' }),
  })
  .refine(({ initial }) => initial > 0, { path: ['initial'], error: 'give more than 0' })
  .refine(({ initial, maximum }) => initial <= maximum, {
    path: ['maximum'],
    error: 'give at least the value of initial',
  })
  .transform(({ initial, maximum }) => ({ initialMs: initial, maximumMs: maximum }))
  .meta({ title: '{initial, maximum}' });
