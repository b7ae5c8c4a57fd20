import { z } from 'zod';
import { ADDRESS_TYPES } from './codes';
import { described } from '../platform/described';
import { textSchema } from './text-schema';

const addressSchema = z.strictObject({
  street: described(textSchema, 'Street and number.'),
  unit: described(textSchema, 'Apartment, suite or floor; sent beside the street.').optional(),
  city: described(textSchema, 'City or town.'),
  // Not needed where city or country implies it: Washington DC, Puerto Rico.
  state: described(textSchema, 'State or province by its two letters, such as `TX` or `ON`.').optional(),
  postalCode: described(
    z.union([z.string(), z.number()], { error: 'give it in quotes, such as "78703"' }).transform(String),
    'Postal code, in quotes; LTL may give coordinates at both stops instead.',
  ).optional(),
  country: described(
    textSchema,
    "`US` or `CA`; for LTL also others if the account's `ltlCountries` is `any`.",
  ),
  latitude: described(
    z.number().min(-90).max(90),
    'Degrees north, such as `32.8`; give both coordinates or neither.',
  ).optional(),
  longitude: described(
    z.number().min(-180).max(180),
    'Degrees east, such as `-96.8`: west is negative.',
  ).optional(),
});

/** The call has two names in the contract (route rule 6). Only one is kept: a stop can then override its location. */
const servicesSchema = z
  .strictObject({
    inside: described(z.boolean(), 'Pickup or delivery inside the building.').optional(),
    liftgate: described(z.boolean(), 'A truck with a liftgate; required where there is no dock.').optional(),
    callBeforeArrival: described(z.boolean(), 'The carrier calls before it arrives.').optional(),
    callAhead: described(z.boolean(), 'Another name of `callBeforeArrival`.').optional(),
    appointment: described(z.boolean(), 'The carrier makes an appointment.').optional(),
  })
  .refine(
    ({ callBeforeArrival, callAhead }) =>
      (callBeforeArrival ?? callAhead) === (callAhead ?? callBeforeArrival),
    {
      path: ['callAhead'],
      error: 'callBeforeArrival is the same service, and has another value; give only one of them',
    },
  )
  .transform(({ callAhead, ...services }) =>
    callAhead === undefined ? services : { ...services, callBeforeArrival: callAhead },
  );

const contactSchema = z.strictObject({
  name: described(textSchema, 'Name of a person or office.'),
  company: described(textSchema, 'Company; LTL requires it unless the place is a residence.').optional(),
  phone: described(
    textSchema,
    'Phone number with area code, at least ten digits; an extension is sent after it, as `x12`.',
  ),
  email: described(z.email('give an e-mail address, or leave it out'), 'E-mail address.').optional(),
});

/** A stop, as in an order or in a location of the account. */
export const stopSchema = z.strictObject({
  location: described(
    textSchema,
    "A location of the account, by name; the stop's other fields replace those of the location.",
  ).optional(),
  address: described(addressSchema, 'The address; required unless a location has it.').optional(),
  addressType: described(
    textSchema.meta({ examples: [...ADDRESS_TYPES] }),
    'Kind of place; without it, the marketplace takes it for a residence, and Consign warns.',
  ).optional(),
  timeZone: described(
    textSchema,
    "Time zone of the stop's days, such as `America/Chicago`; default: that of the location or account.",
  ).optional(),
  contact: described(contactSchema, 'Whom the carrier calls; required unless a location has it.').optional(),
  services: described(servicesSchema, 'LTL only: paid services at this stop.').optional(),
});

/** A location of the accounts file: a stop that refers to no other location. */
export const locationSchema = stopSchema.omit({ location: true });

export const stopShapeSchema = stopSchema.extend({
  address: addressSchema.partial().optional(),
  contact: contactSchema.partial().optional(),
});
/** A stop whose malformed parts have been reported and removed. */
export type StopShape = z.infer<typeof stopShapeSchema>;
