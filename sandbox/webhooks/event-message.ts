import { gzipSync } from 'node:zlib';
import type { JsonObject } from '../model/json';
import type { SandboxSwitches } from '../model/switches';

export interface EventMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** An event as an HTTP message, in the form that the switches say. */
export function messageOf(envelope: JsonObject, switches: Readonly<SandboxSwitches>): EventMessage {
  const { data } = envelope;
  const sent = switches.webhookData === 'text' ? { ...envelope, data: JSON.stringify(data) } : envelope;
  const { headers, value } = inMode(sent, switches.webhookMode);
  const isPacked = switches.webhookCoding === 'gzip';
  const bytes = Buffer.from(JSON.stringify(value));
  return {
    headers: {
      'content-type': switches.webhookContentType,
      ...headers,
      ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
    },
    body: isPacked ? gzipSync(bytes) : bytes,
  };
}

function inMode(
  envelope: JsonObject,
  mode: SandboxSwitches['webhookMode'],
): { readonly headers: Readonly<Record<string, string>>; readonly value: unknown } {
  if (mode === 'structured') return { headers: {}, value: envelope };
  if (mode === 'batched') return { headers: {}, value: [envelope] };
  const { data, ...attributes } = envelope;
  const headers = Object.entries(attributes).map(([name, value]) => [`ce-${name}`, encodeURI(String(value))]);
  return { headers: Object.fromEntries(headers), value: data ?? null };
}
