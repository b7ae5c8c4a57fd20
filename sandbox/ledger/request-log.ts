import type { FastifyRequest } from 'fastify';
import { isFilePart, isObject, type JsonObject } from '../model/json';
import type { Operation } from '../model/operations';

export interface RecordedRequest {
  readonly number: number;
  readonly at: string;
  readonly operation: Operation;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** The connection it came over; two requests with the same number shared one. */
  readonly connection: number;
  /** The status answered; null while there is none, and for ever after a hang-up. */
  status: number | null;
  trouble: string | null;
}

const kept = 5000;
/** Five thousand images as base64 text would fill the memory; longer descriptions are refused anyway. */
const longestText = 5000;
const secretHeaders = ['authorization', 'x-api-key', 'cookie'];
const secretFields = ['client_secret', 'password', 'refresh_token'];

/** What was asked, without secrets: tests read it, and nobody leaks a key by printing it. */
export class RequestLog {
  #requests: RecordedRequest[] = [];
  readonly counts = new Map<Operation, number>();
  #number = 0;
  readonly #connections = new WeakMap<object, number>();
  #connectionCount = 0;

  record(operation: Operation, request: FastifyRequest): RecordedRequest {
    const recorded: RecordedRequest = {
      number: ++this.#number,
      at: new Date().toISOString(),
      operation,
      method: request.method,
      path: request.url,
      headers: hideSecrets(request.headers, secretHeaders),
      body: recordable(request.body),
      connection: this.#connectionOf(request.raw.socket),
      status: null,
      trouble: null,
    };
    this.#requests.push(recorded);
    if (this.#requests.length > kept) this.#requests.shift();
    this.counts.set(operation, (this.counts.get(operation) ?? 0) + 1);
    return recorded;
  }

  list(operation?: string): readonly RecordedRequest[] {
    return this.#requests.filter((request) => operation === undefined || request.operation === operation);
  }

  clear(): void {
    this.#requests = [];
    this.counts.clear();
  }

  #connectionOf(socket: object): number {
    const known = this.#connections.get(socket) ?? ++this.#connectionCount;
    this.#connections.set(socket, known);
    return known;
  }
}

function hideSecrets(fields: JsonObject, secrets: readonly string[]): JsonObject {
  const sent = secrets.filter((name) => name in fields);
  return { ...fields, ...Object.fromEntries(sent.map((name) => [name, '[hidden]'])) };
}

function recordable(body: unknown): unknown {
  if (!isObject(body)) return body;
  const entries = Object.entries(hideSecrets(body, secretFields));
  return Object.fromEntries(entries.map(([name, value]) => [name, withoutFile(value)]));
}

/** A part of a multipart body refers to the whole form; only what was sent is kept. */
function withoutFile(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFile);
  if (isFilePart(value)) return { fileName: value.filename, contentType: value.mimetype };
  if (isObject(value) && 'fieldname' in value) return value['value'];
  if (typeof value !== 'string' || value.length <= longestText) return value;
  return `${value.slice(0, 64)}… (${value.length} characters)`;
}
