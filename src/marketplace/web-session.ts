import type { WebSignIn } from './account';
import { ApiResponse } from './api-response';
import { apiError } from './api-error';
import { senderTimeMsOf } from './clock-skew';
import { orAborted } from './aborted';
import { cookieHeader, withSetCookies, type Cookies } from './cookies';
import { CredentialsError, type RequestName } from './errors';
import type { Http, HttpAnswer, HttpRequest } from './http';
import type { CallOptions } from './marketplace';
import { fillPath } from './path';
import { sentSecrets } from './redact';
import { signInRequestSchema, type SignInRequestWire } from './schemas/web';
import { readSecret } from './secret';

/** A request to the web site, as the person that the account signs in as. */
export interface WebRequest extends RequestName {
  readonly method: HttpRequest['method'];
  readonly params?: Readonly<Record<string, string>>;
}

/** One sign-in. Its cookies may be set anew by any answer. */
interface Session {
  cookies: Cookies;
  /** It was refused with 403 while it was fresh: that is the answer, and signing in again would not change it. */
  isForbidden: boolean;
}

export interface WebSession {
  /**
   * Signs in where that has not been done, or is asked for, and keeps every cookie.
   * @throws MarketplaceError `accountTrouble` when the account has no web sign-in or it is refused
   */
  signIn(options?: CallOptions): Promise<void>;
  /** Signs in first, and once more when the session has ended meanwhile. */
  call(request: WebRequest, options?: CallOptions): Promise<ApiResponse>;
}

const SIGN_IN: WebRequest = { operation: 'signIn', method: 'POST', path: '/mvc/authentication/signin' };

const isSuccess = ({ status }: HttpAnswer): boolean => status >= 200 && status < 300;
/** A web site sends who is not signed in to its sign-in page as often as it says 401. */
const isSignedOut = ({ status }: HttpAnswer, { isForbidden }: Session): boolean =>
  status === 401 || (status === 403 && !isForbidden) || (status >= 300 && status < 400);

async function toSignInBody(web: WebSignIn): Promise<SignInRequestWire> {
  return {
    grant_type: 'password',
    userName: await readSecret(web.username, 'user name of the web site', SIGN_IN),
    password: await readSecret(web.password, 'password of the web site', SIGN_IN),
    issuer: 'None',
  };
}

/** @throws MarketplaceError */
async function requestSession(web: WebSignIn, http: Http, now: () => number): Promise<Cookies> {
  const body = signInRequestSchema.parse(await toSignInBody(web));
  const answer = await http.send({
    ...SIGN_IN,
    query: new URLSearchParams(),
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-cache',
      accept: 'application/json',
      'user-agent': 'consign',
    },
    body: JSON.stringify(body),
  });
  if (!isSuccess(answer)) {
    throw apiError(SIGN_IN, answer, {
      sent: sentSecrets([body.userName, body.password]),
      renewable: false,
    });
  }
  const cookies = withSetCookies(new Map(), answer.headers('set-cookie'), senderTimeMsOf(answer) ?? now());
  if (cookies.size === 0)
    throw new ApiResponse(SIGN_IN, answer).unexpected('a Set-Cookie header with the session');
  return cookies;
}

async function send(
  request: WebRequest,
  { session, http, now }: { session: Session; http: Http; now: () => number },
  options: CallOptions,
): Promise<HttpAnswer> {
  const answer = await http.send({
    ...request,
    query: new URLSearchParams(),
    headers: {
      cookie: cookieHeader(session.cookies),
      'cache-control': 'no-cache',
      accept: 'application/json',
      'user-agent': 'consign',
    },
    body: null,
    ...options,
  });
  // A session that slides is set anew with every answer.
  if (isSuccess(answer))
    session.cookies = withSetCookies(
      session.cookies,
      answer.headers('set-cookie'),
      senderTimeMsOf(answer) ?? now(),
    );
  return answer;
}

/** Contract: web tracking-link flow. The cookie's name differs between documents, so that none is looked for. */
export function createWebSession(web: WebSignIn | null, http: Http, now: () => number): WebSession {
  let current: Session | null = null;
  /** The one sign-in under way; everybody who needs the session waits for it. */
  let flight: Promise<Session> | null = null;

  async function signInOnce(request: RequestName, signal?: AbortSignal): Promise<Session> {
    if (web === null) throw new CredentialsError(request, 'the account has no web sign-in');
    flight ??= requestSession(web, http, now)
      .then((cookies) => (current = { cookies, isForbidden: false }))
      .finally(() => (flight = null));
    return await orAborted(flight, request, signal);
  }

  async function call(template: WebRequest, options: CallOptions = {}): Promise<ApiResponse> {
    const request = { ...template, path: fillPath(template, template.params) };
    const known = current;
    let session = known ?? (await signInOnce(request, options.signal));
    let answer = await send(request, { session, http, now }, options);
    if (session === known && isSignedOut(answer, session)) {
      // Another call may have signed in meanwhile: then its session is the fresh one.
      session = current === known || current === null ? await signInOnce(request, options.signal) : current;
      answer = await send(request, { session, http, now }, options);
    }
    if (isSuccess(answer)) return new ApiResponse(request, answer);
    if (answer.status === 401 && current === session) current = null;
    if (answer.status === 403) session.isForbidden = true;
    throw apiError(request, answer, {
      sent: sentSecrets([...session.cookies.values()]),
      renewable: false,
    });
  }

  return {
    signIn: async ({ signal } = {}) => void (await signInOnce(SIGN_IN, signal)),
    call,
  };
}
