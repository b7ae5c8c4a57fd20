import type { WebSignIn } from './account';
import { ApiResponse } from './api-response';
import { apiError } from './api-error';
import { senderTimeMsOf } from './clock-skew';
import { rejectOnAbort } from './reject-on-abort';
import { cookieHeader, withSetCookies, type Cookies } from './cookies';
import { CredentialsError, type RequestName } from './errors';
import type { Http, HttpResponse, HttpRequest } from './http';
import type { CallOptions } from './marketplace';
import { fillPath } from './path';
import { sentSecrets } from './redact';
import { signInRequestSchema, type SignInRequestWire } from './schemas/web';
import { readSecret } from './secret';

/** A request to the web site, as the account's web user. */
export interface WebRequest extends RequestName {
  readonly method: HttpRequest['method'];
  readonly params?: Readonly<Record<string, string>>;
}

/** One sign-in. Any answer may replace its cookies. */
interface Session {
  cookies: Cookies;
  /** A fresh session got 403: that is the answer, and another sign-in would not change it. */
  isForbidden: boolean;
}

export interface WebSession {
  /**
   * Signs in, if that was not done yet or is asked for, and keeps every cookie.
   * @throws MarketplaceError `accountTrouble` when the account has no web sign-in, or the sign-in is refused
   */
  signIn(options?: CallOptions): Promise<void>;
  /** Signs in first, and again if the session has ended. */
  call(request: WebRequest, options?: CallOptions): Promise<ApiResponse>;
}

const SIGN_IN: WebRequest = { operation: 'signIn', method: 'POST', path: '/mvc/authentication/signin' };

const isSuccess = ({ status }: HttpResponse): boolean => status >= 200 && status < 300;
/** Without a session, a web site redirects to its sign-in page as often as it answers 401. */
const isSignedOut = ({ status }: HttpResponse, { isForbidden }: Session): boolean =>
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
): Promise<HttpResponse> {
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
  // A sliding session is renewed with every answer.
  if (isSuccess(answer))
    session.cookies = withSetCookies(
      session.cookies,
      answer.headers('set-cookie'),
      senderTimeMsOf(answer) ?? now(),
    );
  return answer;
}

/** Contract: web tracking-link flow. The cookie's name differs between documents, so every cookie is kept. */
export function createWebSession(web: WebSignIn | null, http: Http, now: () => number): WebSession {
  let current: Session | null = null;
  /** The one running sign-in; every call that needs the session waits for it. */
  let flight: Promise<Session> | null = null;

  async function signInOnce(request: RequestName, signal?: AbortSignal): Promise<Session> {
    if (web === null) throw new CredentialsError(request, 'the account has no web sign-in');
    flight ??= requestSession(web, http, now)
      .then((cookies) => (current = { cookies, isForbidden: false }))
      .finally(() => (flight = null));
    return await rejectOnAbort(flight, request, signal);
  }

  async function call(template: WebRequest, options: CallOptions = {}): Promise<ApiResponse> {
    const request = { ...template, path: fillPath(template, template.params) };
    const known = current;
    let session = known ?? (await signInOnce(request, options.signal));
    let answer = await send(request, { session, http, now }, options);
    if (session === known && isSignedOut(answer, session)) {
      // Another call may have signed in since: then its session is the fresh one.
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
