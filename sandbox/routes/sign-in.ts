import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from '../market/context';
import { addOpenEndpoints, type Call } from './endpoint';
import type { Answer } from '../model/answer';
import { ApiProblem, OAuthProblem } from '../model/errors';
import { objectOf, textOf } from '../model/json';
import type { IssuedTokens } from '../model/accounts';

export function addSignInRoutes(app: FastifyInstance, context: SandboxContext): void {
  addOpenEndpoints(app, context, [
    ['createToken', 'POST', '/oauth/token', createToken],
    ['createUserToken', 'POST', '/oauth/token_authenticated', createUserToken],
    ['signIn', 'POST', '/mvc/authentication/signin', signIn],
  ]);
}

type Form = (name: string) => string;

function formOf({ request, body }: Call): Form {
  if (!(request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded'))
    throw new OAuthProblem(400, 'invalid_request', 'The body must be form-encoded.');
  const fields = objectOf(body);
  return (name) => {
    const value = textOf(fields[name]);
    if (value === '') throw new OAuthProblem(400, 'invalid_request', `${name} is missing.`);
    return value;
  };
}

const tokenAnswer = (tokens: IssuedTokens): Answer => ({
  status: 200,
  headers: { 'cache-control': 'no-store' },
  body: tokens,
});

function createToken({ accounts }: SandboxContext, call: Call): Answer {
  const form = formOf(call);
  switch (form('grant_type')) {
    case 'client_credentials':
      return tokenAnswer(accounts.clientCredentials(form('client_id'), form('client_secret')));
    case 'refresh_token':
      return tokenAnswer(accounts.refresh(form('refresh_token'), 'createToken'));
    default:
      throw new OAuthProblem(400, 'unsupported_grant_type', 'Use client_credentials or refresh_token here.');
  }
}

function createUserToken({ accounts }: SandboxContext, call: Call): Answer {
  const form = formOf(call);
  switch (form('grant_type')) {
    case 'password': {
      const user = [form('username'), form('password')] as const;
      return tokenAnswer(accounts.password(...user, form('client_id'), form('client_secret')));
    }
    case 'refresh_token':
      return tokenAnswer(accounts.refresh(form('refresh_token'), 'createUserToken'));
    default:
      throw new OAuthProblem(400, 'unsupported_grant_type', 'Use password or refresh_token here.');
  }
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
