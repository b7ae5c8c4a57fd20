import type { PollPace } from '../domain/policy';
import { ApiError, UnexpectedResponseError } from '../marketplace/errors';
import type { Reading } from './reads-and-polls';
import type { ListingInput } from './dependencies';

export interface PollDocumentInput extends ListingInput {
  readonly pace: PollPace;
}

/** Some reads answer 403 or 404 until a listing is booked, and for a while after: not ready, no error. */
export async function pendingUntilReady<T>(what: string, take: () => Promise<T>): Promise<Reading<T>> {
  try {
    return { kind: 'ready', value: await take() };
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 403)) {
      return { kind: 'pending', saw: `${what} not ready yet (${error.status})` };
    }
    throw error;
  }
}

/** For an awaited paper: an empty, garbled or HTML answer does not mean that the paper will never come. */
export async function pendingUntilReadable<T>(what: string, take: () => Promise<T>): Promise<Reading<T>> {
  try {
    return await pendingUntilReady(what, take);
  } catch (error) {
    if (!(error instanceof UnexpectedResponseError)) throw error;
    return { kind: 'pending', saw: `${what} cannot be read yet: ${error.message}` };
  }
}
