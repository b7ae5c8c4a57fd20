import { gzipSync } from 'node:zlib';
import type { JsonObject } from '../model/json';
import type { SandboxSwitches } from '../model/switches';

/** An event as an HTTP message, in the form that the switches say. */
export function messageOf(envelope: JsonObject, switches: Readonly<SandboxSwitches>) {
  const { data } = envelope;
  const sent = switches.webhookData === 'text' ? { ...envelope, data: JSON.stringify(data) } : envelope;
  const { data: content, ...attributes } = sent;
  const isBinary = switches.webhookMode === 'binary';
  const names = isBinary ? Object.entries(attributes) : [];
  const bodies = { structured: sent, batched: [sent], binary: content ?? null };
  const isPacked = switches.webhookCoding === 'gzip';
  const bytes = Buffer.from(JSON.stringify(bodies[switches.webhookMode]));
  return {
    headers: {
      'content-type': switches.webhookContentType,
      ...Object.fromEntries(names.map(([name, value]) => [`ce-${name}`, encodeURI(String(value))])),
      ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
    },
    body: isPacked ? gzipSync(bytes) : bytes,
  };
}
