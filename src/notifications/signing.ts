import { Webhook } from 'standardwebhooks';

const PREFIX = 'whsec_';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** Of the specification, in bytes. */
const LENGTH = { least: 24, most: 64 };

/** Why a text cannot sign by the scheme of Standard Webhooks; null when it can. Does not contain the text. */
export function signingSecretFlaw(secret: string): string | null {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : '';
  const bytes = BASE64.test(encoded) ? Buffer.from(encoded, 'base64').length : 0;
  return bytes >= LENGTH.least && bytes <= LENGTH.most
    ? null
    : `is no signing secret: give ${PREFIX} and the base64 of ${LENGTH.least} to ${LENGTH.most} random bytes`;
}

/** What is signed. */
export interface Signed {
  readonly id: string;
  readonly at: Date;
  readonly body: string;
}

/**
 * The headers of Standard Webhooks: id, time, and one signature by each secret. A receiver accepts any of them, so
 * secrets are rotated without a gap.
 */
export function signedHeaders({ id, at, body }: Signed, secrets: readonly string[]): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}
