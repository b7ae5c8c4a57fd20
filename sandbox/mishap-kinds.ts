import { z } from 'zod';

const mishapKinds = [
  'carrierCancels',
  'shipperCancels',
  'noShow',
  'hold',
  'resume',
  'close',
  'expire',
  'relist',
  'reactivate',
] as const;
export const mishapKindSchema = z.enum(mishapKinds);
export type MishapKind = z.infer<typeof mishapKindSchema>;
/** `resume` is nothing to plan: it needs a hold first. */
export const plannedMishapSchema = z.enum(['none', ...mishapKinds]).exclude(['resume']);

/** What a cancelling or absent carrier leaves behind. Rebooked is Active and then booked by a carrier again. */
export const mishapOutcomeSchema = z.enum(['Cancelled', 'Active', 'Rebooked']);
export type MishapOutcome = z.infer<typeof mishapOutcomeSchema>;
