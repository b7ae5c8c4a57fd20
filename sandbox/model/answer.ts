import type { ApiProblem } from './errors';
import type { SandboxSwitches } from './switches';

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: unknown;
}

export function bytesOf(body: unknown): { bytes: Buffer; contentType: string } {
  if (body === undefined) return { bytes: Buffer.alloc(0), contentType: '' };
  if (Buffer.isBuffer(body)) return { bytes: body, contentType: 'application/octet-stream' };
  if (typeof body === 'string') return { bytes: Buffer.from(body), contentType: 'text/plain; charset=utf-8' };
  return { bytes: Buffer.from(JSON.stringify(body)), contentType: 'application/json; charset=utf-8' };
}

export const htmlType = 'text/html; charset=utf-8';
export const pageOf = (text: string): string =>
  `<!doctype html><html><head><title>${text}</title></head><body><h1>${text}</h1></body></html>`;

/** The contract does not show the error body; each form that was met is a value of the switch `errorBody`. */
export function errorAnswer(
  { status, reason, errors, body }: ApiProblem,
  form: SandboxSwitches['errorBody'],
): Answer {
  if (body !== undefined) return { status, body };
  const entries = errors.map(({ code, field, reason: developerMessage }) => ({
    ...{ errorCode: code, field, developerMessage, userMessage: reason },
  }));
  const bodies = {
    reason: { reason, errors },
    developerMessage: { errors: entries },
    message: { message: reason },
    html: pageOf(reason),
    empty: undefined,
  };
  const contentType = form === 'html' ? htmlType : 'application/json; charset=utf-8';
  return { status, headers: { 'content-type': contentType }, body: bodies[form] };
}
