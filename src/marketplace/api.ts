import type { FormData } from 'undici';
import type { z } from 'zod';
import { ApiResponse, issueTexts } from './api-response';
import { apiError } from './api-error';
import type { Authenticator } from './auth';
import { skewMsOf } from './clock-skew';
import { InvalidRequestError, type RequestName } from './errors';
import { toForm } from './form';
import type { Http, HttpRequest } from './http';
import type { CallOptions } from './marketplace';
import { fillPath } from './path';
import { sentBody, sentSecrets, type Sent } from './redact';
import type { MarketplaceSettings } from './settings';

export type ApiBody =
  /** Checked against the strict schema before it is sent. */
  | { readonly kind: 'json' | 'form'; readonly schema: z.ZodType<object>; readonly value: unknown }
  | { readonly kind: 'multipart'; readonly form: FormData };

export interface ApiRequest {
  readonly operation: RequestName['operation'];
  readonly method: HttpRequest['method'];
  /** With `{names}`, which `params` fill in. */
  readonly path: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | null>>;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: ApiBody;
  /** Statuses besides 2xx that the caller handles itself. */
  readonly alsoReads?: readonly number[];
}

export interface Api {
  /** @throws MarketplaceError unless the status is 2xx or one of `alsoReads` */
  call(request: ApiRequest, options?: CallOptions): Promise<ApiResponse>;
}

const present = (values: Readonly<Record<string, string | null>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null));

function encodeBody(
  request: RequestName,
  body: ApiBody,
  { formNesting }: MarketplaceSettings,
): Pick<HttpRequest, 'headers' | 'body'> {
  if (body.kind === 'multipart') return { headers: {}, body: body.form };
  const parsed = body.schema.safeParse(body.value);
  if (!parsed.success) throw new InvalidRequestError(request, issueTexts(parsed.error));
  return body.kind === 'json'
    ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(parsed.data) }
    : {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: toForm(parsed.data, formNesting),
      };
}

function sentOf({ body }: ApiRequest, secrets: readonly string[]): Sent {
  return body === undefined || body.kind === 'multipart'
    ? sentSecrets(secrets)
    : sentBody(secrets, body.value);
}

export interface ApiParts {
  readonly http: Http;
  readonly authenticator: Authenticator;
  readonly settings: MarketplaceSettings;
  /** URLs of the marketplace, to which a `Location` may point. */
  readonly ownUrls: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export function createApi({ http, authenticator, settings, ownUrls, now }: ApiParts): Api {
  const hosts = { ownUrls, accepted: settings.locationHosts };
  async function call(request: ApiRequest, options: CallOptions = {}): Promise<ApiResponse> {
    const { listingId } = request.params ?? {};
    const name: RequestName = {
      operation: request.operation,
      method: request.method,
      path: fillPath(request, request.params),
      ...(listingId === undefined ? {} : { listingId }),
    };
    const encoded =
      request.body === undefined ? { headers: {}, body: null } : encodeBody(name, request.body, settings);
    const credential = await authenticator.credential(name, options.signal);
    const askedAtMs = now();
    const answer = await http.send({
      ...name,
      method: request.method,
      query: new URLSearchParams(present(request.query)),
      headers: {
        accept: 'application/json',
        'user-agent': 'consign',
        ...present(request.headers),
        ...encoded.headers,
        ...credential.headers,
      },
      body: encoded.body,
      ...options,
    });
    const answeredAtMs = now();
    const skewMs = skewMsOf(answer, { askedAtMs, answeredAtMs });
    const body = answer.body.kind === 'whole' ? answer.body.text : null;
    options.observe?.({ status: answer.status, body }, credential.askedBy);
    if (answer.status === 401) authenticator.invalidate(credential);
    const isSuccess = answer.status >= 200 && answer.status < 300;
    if (isSuccess || request.alsoReads?.includes(answer.status) === true)
      return new ApiResponse(name, answer, { skewMs, hosts });
    const { renewable, secrets } = credential;
    throw apiError(name, answer, { sent: sentOf(request, secrets), renewable });
  }
  return { call };
}
