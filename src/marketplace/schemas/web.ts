import { z } from 'zod';
import { webAddressSchema } from './common';

/** From the service's own web pages: the body of the sign-in. */
export const signInRequestSchema = z.strictObject({
  grant_type: z.literal('password'),
  userName: z.string().min(1),
  password: z.string().min(1),
  issuer: z.literal('None'),
});
export type SignInRequestWire = z.input<typeof signInRequestSchema>;

/** Contract: `{TrackingLinkUrl}`. */
export const trackingLinkSchema = z.looseObject({
  TrackingLinkUrl: webAddressSchema,
});
