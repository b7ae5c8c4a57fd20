import type { MultipartFile } from '@fastify/multipart';

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value);

export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Leaves out what is undefined, so that an absent field is absent in JSON and in recorded bodies alike. */
export function compact(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined));
}

/** One file of a multipart body, as @fastify/multipart attaches it. */
export const isFilePart = (value: unknown): value is MultipartFile =>
  isObject(value) && value['type'] === 'file' && typeof value['toBuffer'] === 'function';

export const keysOf = <Value extends object>(value: Value): (keyof Value & string)[] =>
  Object.keys(value).filter((name): name is keyof Value & string => name in value);
