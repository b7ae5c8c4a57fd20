import type { MultipartFile } from '@fastify/multipart';
import { isObject } from './json';

/** One file of a multipart body, as @fastify/multipart attaches it. */
export const isFilePart = (value: unknown): value is MultipartFile =>
  isObject(value) && value['type'] === 'file' && typeof value['toBuffer'] === 'function';
