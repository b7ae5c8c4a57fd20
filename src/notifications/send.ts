import type { Dispatcher } from 'undici';
import { errorCode } from '../platform/error-code';
import { proxyTrouble } from '../platform/network/dispatcher';
import { CLOUD_EVENT, type CloudEvent } from './cloud-event';
import type { NotificationEndpoint } from './endpoint';
import { signedHeaders, signingSecretFlaw } from './signing';

/** How an endpoint answered one request. */
export type EndpointAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly text: string }
  /** `reason` names neither the URL nor a secret. */
  | { readonly kind: 'noAnswer'; readonly reason: string };

/** Longer answers are not read. */
const MOST_TEXT = 300;
const DEADLINE_MS = 15_000;

/**
 * Sends one event once, signed by each of the endpoint's secrets. Follows no redirect: the URL in the accounts file is
 * the only one that receives events.
 * @throws SecretError when a secret cannot be read
 */
export async function sendEvent(
  { url, secrets }: NotificationEndpoint,
  event: CloudEvent,
  dispatcher: Dispatcher,
): Promise<EndpointAnswer> {
  const body = JSON.stringify(event);
  const values = await Promise.all(secrets.map(async (secret) => (await secret()).trim()));
  const [flaw] = values.map(signingSecretFlaw).filter((one) => one !== null);
  if (flaw !== undefined) return { kind: 'noAnswer', reason: `not sent: a secret of the endpoint ${flaw}` };
  const { origin, pathname, search } = new URL(url);
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  try {
    const { statusCode, body: answer } = await dispatcher.request({
      ...{ origin, path: `${pathname}${search}`, method: 'POST', body, signal: deadline },
      headers: {
        ...signedHeaders({ id: event.id, at: new Date(), body }, values),
        ...{ 'content-type': CLOUD_EVENT, 'user-agent': 'consign' },
      },
    });
    return { kind: 'answered', status: statusCode, text: await startOf(answer) };
  } catch (error) {
    if (deadline.aborted) return { kind: 'noAnswer', reason: `no answer within ${DEADLINE_MS / 1_000} s` };
    const code = errorCode(error);
    const why = typeof code === 'string' ? `the connection failed (${code})` : 'the connection failed';
    return { kind: 'noAnswer', reason: proxyTrouble(error) ?? why };
  }
}

/** The first characters of an answer; the rest is not read. */
async function startOf(body: Dispatcher.ResponseData['body']): Promise<string> {
  let text = '';
  for await (const chunk of body.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length >= MOST_TEXT) break;
  }
  return text.slice(0, MOST_TEXT);
}

/** Whether the endpoint accepted the event. */
export const isAccepted = (answer: EndpointAnswer): boolean =>
  answer.kind === 'answered' && answer.status >= 200 && answer.status < 300;
