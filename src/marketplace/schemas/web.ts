import { z } from 'zod';

/** The service's own pages: body of the sign-in. */
export const signInRequestSchema = z.strictObject({
  grant_type: z.literal('password'),
  userName: z.string().min(1),
  password: z.string().min(1),
  issuer: z.literal('None'),
});
export type SignInRequestWire = z.input<typeof signInRequestSchema>;

/** Contract: `{TrackingLinkUrl}`. Only an address that a browser opens is passed on to people. */
export const trackingLinkSchema = z.looseObject({
  TrackingLinkUrl: z.url({ protocol: /^https?$/, error: 'must be a web address' }),
});
