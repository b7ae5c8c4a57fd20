import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { send, type Caller } from './api';

/** How soon a broken stream is opened again. Milliseconds. */
export const RECONNECT_MS = 2_000;

interface Reading {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly onOpen?: () => void;
  readonly onEvent: (event: EventSourceMessage) => void;
}

/**
 * Reads server-sent events until the answer ends. `EventSource` cannot send the token.
 * @returns whether there may be more: false when the API has nothing to send any more
 * @throws ApiProblem, NoAnswer
 */
export async function readEvents(
  caller: Caller,
  place: string,
  { headers, signal, onOpen, onEvent }: Reading,
): Promise<boolean> {
  const answer = await send(caller, place, { ...(headers === undefined ? {} : { headers }), signal });
  if (answer.status === 204) return false;
  onOpen?.();
  const parser = createParser({ onEvent });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
    parser.feed(part.value);
  return true;
}
