import type { ProblemDetails } from '../src/starter/api/problem-details';

/** A request that the API refused or did not answer. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';

  constructor(
    readonly problem: Pick<ProblemDetails, 'status' | 'code' | 'title' | 'detail' | 'errors' | 'questionId'>,
  ) {
    super(problem.detail);
  }
}

/** Thrown when there is no answer: the API does not run, or the network is down. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** Whether the same request may succeed a little later. */
export const isWorthRepeating = (error: unknown): boolean =>
  error instanceof NoAnswer || (error instanceof ApiProblem && error.problem.status >= 429);

/** Who sends requests. Asks the person for the token again when it is not valid any more. */
export interface Caller {
  readonly token: string;
  readonly onUnauthorized: () => void;
}

interface Request {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Sends a request to the API that serves the board. @throws ApiProblem, NoAnswer */
export async function send(caller: Caller, place: string, request: Request = {}): Promise<Response> {
  const { method = 'GET', body, headers, signal } = request;
  let response: Response;
  try {
    response = await fetch(place, {
      method,
      headers: {
        authorization: `Bearer ${caller.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new NoAnswer('The API does not answer. Check the network, and that the API runs.', {
      cause: error,
    });
  }
  if (response.ok) return response;
  if (response.status === 401) caller.onUnauthorized();
  throw new ApiProblem(await problemIn(response));
}

async function problemIn(response: Response): Promise<ApiProblem['problem']> {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') === true;
  if (isProblem) return (await response.json()) as ProblemDetails;
  const { status } = response;
  return {
    status,
    code: 'noAnswer',
    title: `HTTP ${status}`,
    detail: `The API answered with HTTP ${status}.`,
  };
}

/** The answer of the API as JSON. Its form is what the API's own types promise. */
export async function json<T>(caller: Caller, place: string, request?: Request): Promise<T> {
  return (await (await send(caller, place, request)).json()) as T;
}

/** A query string of the values that are set. */
export function query(values: Readonly<Record<string, string | undefined>>): string {
  const set = Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, value] as [string, string]],
  );
  return set.length === 0 ? '' : `?${new URLSearchParams(set).toString()}`;
}

/** The path of a shipment in the API. */
export const shipmentPath = (account: string, orderId: string): string =>
  `/shipments/${encodeURIComponent(account)}/${encodeURIComponent(orderId)}`;
