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
