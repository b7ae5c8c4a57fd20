import type { IsoInstant } from '../../domain/shipment';

/** `2035-03-06 08:00:05Z`. Every time that people see is UTC, and says so. */
export function timeText(at: IsoInstant): string {
  return `${at.slice(0, 19).replace('T', ' ')}Z`;
}

/** As `timeText`, to the minute. */
export function minuteText(at: IsoInstant): string {
  return `${at.slice(0, 16).replace('T', ' ')}Z`;
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
] as const;

/** How long ago it was, in its largest unit: `12s`, `5m`, `3h`, `12d`. Never negative, even when this clock is behind. */
export function ageText(at: IsoInstant, nowMs: number): string {
  const ms = Math.max(0, nowMs - Date.parse(at));
  const [unit, size] = UNITS.find(([, unitMs]) => ms >= unitMs) ?? (['s', 1_000] as const);
  return `${Math.floor(ms / size)}${unit}`;
}
