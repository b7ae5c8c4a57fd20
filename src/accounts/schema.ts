import { z } from 'zod';
import { commandLines } from '../domain/command-lines';
import { NOTIFICATION_KINDS } from '../domain/notifications';
import { durationSchema, durationText } from '../orders/durations';
import { described } from '../platform/described';
import { secretSchema } from '../platform/secret-reference';
import { settingsSchema } from './settings-schema';

const HOUR_MS = 3_600_000;
export const DEFAULT_REPORT_AFTER_MS = HOUR_MS;
export const DEFAULT_PAUSE_AFTER_MS = 5 * 24 * HOUR_MS;

const urlSchema = z
  .union(
    [
      z.url(),
      z.strictObject({
        env: described(z.string().min(1), 'Name of the environment variable that holds the URL.'),
        default: described(z.url(), 'The URL if the variable is not set.').optional(),
      }),
    ],
    {
      error: 'give a URL, or {env: NAME, default: URL}',
    },
  )
  .meta({ title: 'URL or {env: NAME, default: URL}' });

const client = {
  clientId: described(secretSchema, "The client's id."),
  clientSecret: described(secretSchema, "The client's secret."),
};
const login = {
  username: described(secretSchema, "The user's name."),
  password: described(secretSchema, "The user's password."),
};

const authSchema = z.union(
  [
    z.strictObject({ apiKey: described(secretSchema, 'A self-service API key.') }),
    z.strictObject({
      xApiKey: described(secretSchema, 'A key that is sent only as the header `x-api-key`.'),
    }),
    z.strictObject({
      clientCredentials: described(
        z.strictObject(client),
        'OAuth client credentials, as the LTL flow has them.',
      ),
    }),
    z.strictObject({
      passwordGrant: described(
        z.strictObject({ ...client, ...login }),
        'An OAuth password grant, for a shipper with a login.',
      ),
    }),
  ],
  {
    error:
      'give exactly one of apiKey, xApiKey, clientCredentials, passwordGrant; refer to each secret as {env: NAME} or {file: path}, because this file must not contain it',
  },
);

const NAME = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{0,39}$/,
    'use at most 40 lower-case letters, digits and dashes, without a dash at the start',
  );

const endpointSchema = z.strictObject({
  name: described(NAME, 'Name of the endpoint: it shows in the delivery log and in metrics.'),
  url: described(urlSchema, 'URL that receives the events, https; http only on this machine.'),
  secrets: described(
    z
      .array(secretSchema)
      .min(1, 'give one secret, or two while you rotate')
      .max(2, 'give at most two secrets'),
    'One or two secrets that sign; with two, the receiver may check either.',
  ),
  events: described(
    z.array(z.enum(NOTIFICATION_KINDS)).min(1, 'name at least one event, or leave the key out for all'),
    'What it is notified of; default: everything.',
  ).optional(),
  reportAfter: described(
    durationSchema,
    `How long it may fail until \`${commandLines.attention()}\` lists it.`,
    durationText(DEFAULT_REPORT_AFTER_MS),
  ).optional(),
  pauseAfter: described(
    durationSchema,
    'How long it may fail until it is paused: then Consign sends nothing until a person resumes it.',
    durationText(DEFAULT_PAUSE_AFTER_MS),
  ).optional(),
});

const accountSchema = z.strictObject({
  environment: described(
    z.enum(['sandbox', 'production']),
    'Which environment of the marketplace its keys belong to.',
  ),
  baseUrl: described(urlSchema, "URL of the marketplace's API."),
  webUrl: described(
    urlSchema,
    "URL of the marketplace's website, for tracking links; default: `baseUrl`.",
  ).optional(),
  auth: described(authSchema, 'How the account signs in: exactly one of four ways.'),
  xApiKey: described(
    secretSchema,
    'A key for `x-api-key` beside `auth`; `settings.xApiKeyCalls` says which calls carry it.',
  ).optional(),
  web: described(
    z.strictObject(login),
    "Login of the marketplace's website; left out, Consign requests no tracking links.",
  ).optional(),
  source: described(
    z.string().regex(/^[a-z0-9]+$/, 'use only lower-case letters and digits, as the marketplace requires'),
    "The shipper's name on fixed prices: only lower-case letters and digits.",
  ),
  integratorId: described(
    z.string().min(1),
    'Id of the integrator; without it LTL has neither webhooks nor custom rates.',
  ).optional(),
  userId: described(z.string().min(1), 'Id of the user, sent with fixed prices.').optional(),
  paymentMethodId: described(
    z.string().min(1),
    'The payment method of LTL, 36 characters; left out, Consign takes the primary one.',
  ).optional(),
  timeZone: described(
    z.string().min(1),
    'Time zone of stops that name none, such as `America/Chicago`; left out, each stop must name one.',
  ).optional(),
  allowHazardous: described(
    z.boolean(),
    'Whether orders may have hazardous LTL items; agree it with the marketplace first.',
    false,
  ).optional(),
  callsPerSecond: described(
    z.number().positive().max(1_000),
    'How many calls may begin per second, by all workers together, at most 1000; left out, no limit.',
  ).optional(),
  supportAddress: described(
    z.union([z.email(), z.url({ protocol: /^https?$/ })], { error: 'give an e-mail address or a URL' }),
    'E-mail address or URL for help with the account; questions about it name it.',
  ).optional(),
  locations: described(
    z.record(z.string(), z.unknown()),
    'Places by name, for orders to name as `location`; each has the fields of a stop.',
  ).optional(),
  notifications: described(
    z.array(endpointSchema).max(10, 'give at most 10 endpoints'),
    'Endpoints that Consign notifies of what happens to the orders of the account.',
  ).optional(),
  settings: described(settingsSchema, 'How Consign treats what the API does not document.').optional(),
  policy: described(
    z.record(z.string(), z.unknown()),
    'What differs from the default policy, for all orders of the account.',
  ).optional(),
});

const integrationSchema = z.strictObject({
  secret: described(
    secretSchema,
    'The secret that its webhooks carry; at least 16 characters for a production account.',
  ),
  accounts: described(z.array(z.string()).min(1), 'The accounts whose webhooks it receives, by name.'),
});

const API_SCOPES = ['read', 'start', 'decide'] as const;
/** What a token of the HTTP API may do. */
export type ApiScope = (typeof API_SCOPES)[number];

const apiTokenSchema = z.strictObject({
  token: described(secretSchema, 'The bearer token; at least 32 characters for a production account.'),
  scopes: described(
    z.array(z.enum(API_SCOPES)).min(1),
    'What it may do: `read` shipments, check, quote and `start` orders, `decide` as a person does.',
  ),
  accounts: described(z.array(z.string()).min(1), 'The accounts that it may do it for, by name.'),
});

/** The accounts file: who ships, with which keys, from where, by which policy. */
export const accountsSchema = z.strictObject({
  accounts: described(
    z.record(NAME, accountSchema),
    'The accounts of the accounts file, by name: at most 40 lower-case letters, digits and dashes.',
  ),
  integrations: described(
    z.record(NAME, integrationSchema),
    'The webhook integrations of the accounts file, by name; each has the URL `/webhooks/NAME`.',
  ).default({}),
  apiTokens: described(
    z.record(NAME, apiTokenSchema),
    'The tokens of the HTTP API, by the name that acts: timelines and withdrawals show it.',
  ).default({}),
});

export type UrlReference = z.infer<typeof urlSchema>;
export type EndpointWire = z.infer<typeof endpointSchema>;
export type AuthWire = z.infer<typeof authSchema>;
export type AccountWire = z.infer<typeof accountSchema>;
export type AccountsWire = z.infer<typeof accountsSchema>;
