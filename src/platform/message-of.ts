import { types } from 'node:util';

/** The message of what was thrown, which need not be an Error, nor one of this realm. */
export const messageOf = (error: unknown): string =>
  error instanceof Error || types.isNativeError(error) ? error.message : String(error);
