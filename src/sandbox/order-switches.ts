import { z } from 'zod';
import { mishapOutcomeSchema, plannedMishapSchema } from './mishap-kinds';

const acceptanceOutcome = z.enum([
  'booked',
  'failed',
  'failedLeavingListing',
  'pending',
  'bookedSilently',
  'bookedButFailed',
  'failedThenBooked',
]);
export type AcceptanceOutcomeSetting = z.infer<typeof acceptanceOutcome>;

/** What can be different for one order. */
export const orderSwitchesSchema = z.strictObject({
  rates: z.enum(['normal', 'late', 'none']),
  ratesPerRequest: z.int().min(1).max(7),
  rateLifetimeInSeconds: z.number(),
  rateFlicker: z.boolean(),
  ratesWithdrawn: z.enum(['none', 'cheapest', 'all']),
  acceptance: acceptanceOutcome,
  acceptanceScript: z.array(acceptanceOutcome),
  acceptanceFailureStatus: z.int().min(400).max(599),
  acceptanceFailureReason: z.string(),
  acceptanceFailureResponse: z.enum(['json', 'doublyEncoded', 'empty', 'null', 'notJson']),
  acceptanceAnswersAtOnce: z.boolean(),
  acceptancePendingAnswer: z.enum([
    'statusCode202',
    'statusCodeZero',
    'noStatusCode',
    'nullResponse',
    'emptyResponse',
    'notJson',
    'doublyEncoded',
  ]),
  acceptanceBookedAnswer: z.enum([
    'created',
    'seeOther',
    'statusCode201',
    'doublyEncoded',
    'statusCode201WithoutListing',
  ]),
  acceptanceHiddenPolls: z.int().nonnegative(),
  carrierAnswer: z.enum(['accepts', 'acceptsLater', 'refuses', 'silent']),
  transit: z.enum(['normal', 'manual']),
  mishap: plannedMishapSchema,
  mishapScript: z.array(plannedMishapSchema),
  mishapLeaves: mishapOutcomeSchema,
  priceCorrections: z.array(z.number()),
  billOfLading: z.enum(['normal', 'never', 'emptyFirst', 'htmlFirst']),
  billOfLadingBadDownloads: z.int().nonnegative(),
});
export type OrderSwitches = Partial<z.infer<typeof orderSwitchesSchema>>;
