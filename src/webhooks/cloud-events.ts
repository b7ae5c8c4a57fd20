import type { IncomingHttpHeaders } from 'node:http';
import { refusal, type Refusal } from './refusal';

const BOMS: readonly (readonly [bom: Buffer, encoding: string])[] = [
  [Buffer.from([0xef, 0xbb, 0xbf]), 'utf-8'],
  [Buffer.from([0xff, 0xfe]), 'utf-16le'],
  [Buffer.from([0xfe, 0xff]), 'utf-16be'],
];

/** JSON is UTF-8, unless a byte order mark says otherwise; the decoder removes the mark. */
function textOf(bytes: Buffer): string {
  const marked = BOMS.find(([bom]) => bytes.subarray(0, bom.length).equals(bom));
  return new TextDecoder(marked?.[1] ?? 'utf-8').decode(bytes);
}

type Json = { readonly value: unknown } | null;

function readJson(text: string): Json {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

/** Some senders serialise twice: the data is then JSON in a string. */
const MAX_WRAPPINGS = 3;

function unwrapped(value: unknown): unknown {
  let inner = value;
  for (let wrappings = 0; wrappings < MAX_WRAPPINGS && typeof inner === 'string'; wrappings += 1) {
    const json = readJson(inner);
    if (json === null) break;
    inner = json.value;
  }
  return inner;
}

/** The event's `data`, or its `data_base64`; `{}` where there is none. */
function dataOf(envelope: object): unknown {
  const data = 'data' in envelope ? envelope.data : null;
  const packed = 'data_base64' in envelope ? envelope.data_base64 : null;
  const said = data == null && typeof packed === 'string' ? textOf(Buffer.from(packed, 'base64')) : data;
  const inner = unwrapped(said);
  return inner == null || inner === '' ? {} : inner;
}

/** Binary mode of the CloudEvents HTTP binding: the attributes are headers, the body is the data. */
function fromHeaders(headers: IncomingHttpHeaders, text: string): unknown {
  const attribute = (name: string): string | undefined => {
    const value = headers[`ce-${name}`];
    return typeof value === 'string' ? percentDecoded(value) : undefined;
  };
  const [specversion, id, source, type, time] = ['specversion', 'id', 'source', 'type', 'time'].map(
    attribute,
  );
  return { specversion, id, source, type, time, data: text };
}

function percentDecoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function isBinaryMode(headers: IncomingHttpHeaders): boolean {
  const isNamed = 'ce-id' in headers || 'ce-specversion' in headers;
  return (
    isNamed && !(headers['content-type'] ?? '').trim().toLowerCase().startsWith('application/cloudevents')
  );
}

/**
 * The envelopes of a request in structured, batched or binary mode, not yet validated. Own code, because the `cloudevents`
 * package gives an event without an id a new one, and refuses `application/json` and byte order marks.
 */
export function readEnvelopes(headers: IncomingHttpHeaders, body: Buffer): readonly unknown[] | Refusal {
  const text = textOf(body);
  if (isBinaryMode(headers)) return [fromHeaders(headers, text)].map(withData);
  const json = readJson(text);
  if (json === null) return refusal('noJson', 'the body is not JSON');
  const envelopes: readonly unknown[] = Array.isArray(json.value) ? json.value : [json.value];
  return envelopes.length === 0 ? refusal('noEvent', 'the batch is empty') : envelopes.map(withData);
}

function withData(envelope: unknown): unknown {
  if (typeof envelope !== 'object' || envelope === null || Array.isArray(envelope)) return envelope;
  return { ...envelope, data: dataOf(envelope) };
}
