import { median } from './statistics';

export const SECTIONS = [
  'shipments',
  'receiver',
  'visibility',
  'history',
  'open',
  'scale',
  'starts',
] as const;
export type SectionName = (typeof SECTIONS)[number];

export interface Goal {
  readonly comparison: 'atMost' | 'atLeast';
  readonly value: number;
}

/** One row of the report: a value with its samples. */
export interface Measurement {
  readonly what: string;
  readonly unit: string;
  /** One per round, or one per order. */
  readonly samples: readonly number[];
  /** A ratio of two values from the same round depends less on the machine than either value. */
  readonly isRatio?: boolean;
  readonly goal?: Goal;
}

/** The measurements of a section, and how they were taken. */
export interface SectionReport {
  readonly name: SectionName;
  readonly title: string;
  readonly how: readonly string[];
  readonly measurements: readonly Measurement[];
}

export type Verdict = 'met' | 'missed';

export function verdictOf({ goal, samples }: Measurement): Verdict | null {
  if (goal === undefined) return null;
  const value = median(samples);
  return (goal.comparison === 'atMost' ? value <= goal.value : value >= goal.value) ? 'met' : 'missed';
}

export const atMost = (value: number): Goal => ({ comparison: 'atMost', value });
export const atLeast = (value: number): Goal => ({ comparison: 'atLeast', value });

/** What a section is run with. */
export interface SectionOptions {
  /** Smaller sizes and fewer rounds, for a first impression. */
  readonly isQuick: boolean;
  /** Reports the current step. */
  readonly progress: (what: string) => void;
}

export type Section = (options: SectionOptions) => Promise<SectionReport>;
