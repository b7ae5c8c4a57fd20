import type { SandboxContext } from '../market/context';
import type { Call } from './endpoint';
import type { Answer } from '../model/answer';
import { ApiProblem, oauthProblem } from '../model/errors';
import { objectOf, textOf } from '../model/json';
import { isForm } from '../validation/form';

export const signInActs = { createToken, createUserToken, signIn };

type Form = (name: string) => string;
type TokenEndpoint = 'createToken' | 'createUserToken';

function formOf({ request, body }: Call): Form {
  if (!isForm(request)) throw oauthProblem(400, 'invalid_request', 'The body must be form-encoded.');
  const fields = objectOf(body);
  return (name) => {
    const value = textOf(fields[name]);
    if (value === '') throw oauthProblem(400, 'invalid_request', `${name} is missing.`);
    return value;
  };
}

/** Each endpoint has a grant of its own, and both renew tokens. */
function grant(
  { accounts }: SandboxContext,
  { call, grantType, endpoint }: { call: Call; grantType: string; endpoint: TokenEndpoint },
  issue: (form: Form) => object,
): Answer {
  const form = formOf(call);
  const asked = form('grant_type');
  if (asked !== grantType && asked !== 'refresh_token')
    throw oauthProblem(400, 'unsupported_grant_type', `Use ${grantType} or refresh_token here.`);
  const tokens = asked === grantType ? issue(form) : accounts.refresh(form('refresh_token'), endpoint);
  return { status: 200, headers: { 'cache-control': 'no-store' }, body: tokens };
}

function createToken(context: SandboxContext, call: Call): Answer {
  return grant(context, { call, grantType: 'client_credentials', endpoint: 'createToken' }, (form) =>
    context.accounts.clientCredentials(form('client_id'), form('client_secret')),
  );
}

function createUserToken(context: SandboxContext, call: Call): Answer {
  return grant(context, { call, grantType: 'password', endpoint: 'createUserToken' }, (form) =>
    context.accounts.password(form('username'), form('password'), form('client_id'), form('client_secret')),
  );
}

/** Sets more than one cookie, because a client should send all of them back, whatever they are called. */
function signIn(context: SandboxContext, { body, request }: Call): Answer {
  const fields = objectOf(body);
  if (
    !(request.headers['content-type'] ?? '').startsWith('application/json') ||
    fields['grant_type'] !== 'password'
  )
    throw new ApiProblem(400, 'Send JSON with grant_type "password", userName, password and issuer "None".');
  const ticket = context.accounts.signIn(textOf(fields['userName']), textOf(fields['password']));
  const cookies = [`${context.switches.signInCookie}=${ticket}; Path=/; HttpOnly`, 'region=us; Path=/'];
  return { status: 200, headers: { 'set-cookie': cookies }, body: { success: true } };
}
