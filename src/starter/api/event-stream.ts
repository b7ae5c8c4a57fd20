import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { AtMost } from './at-most';
import type { ApiCounts } from './counts';
import { problemOf } from './problem-details';

/** How long and how many event streams there may be. */
export interface StreamLimits {
  /** A comment is sent after this long without an event: a proxy would close a silent connection. Milliseconds. */
  readonly heartbeatMs: number;
  /** A stream ends after this long. The caller connects again, and its token is checked again. Milliseconds. */
  readonly longestMs: number;
  /** Of all callers together: each one of a shipment reads it about once a second. */
  readonly atOnce: number;
  /** How often the lists are read while somebody follows them, for all streams together. Milliseconds. */
  readonly listsEveryMs: number;
}

export const STREAM_LIMITS: StreamLimits = {
  ...{ heartbeatMs: 15_000, longestMs: 30 * 60_000, atOnce: 100, listsEveryMs: 3_000 },
};

/** The open streams of a process. */
export class EventStreams {
  readonly #open = new Set<AbortController>();
  readonly #places: AtMost;

  constructor(
    readonly limits: StreamLimits,
    private readonly counts: ApiCounts,
  ) {
    this.#places = new AtMost(limits.atOnce, 'streams are open');
  }

  /** Takes a place for as long as the answer lasts. @throws ApiError when all are taken */
  enter(reply: FastifyReply): AbortSignal {
    const stream = new AbortController();
    this.#places.enter(reply, () => {
      clearTimeout(lifetime);
      stream.abort();
      this.#open.delete(stream);
      this.counts.setOpenStreams(this.#open.size);
    });
    const lifetime = setTimeout(() => stream.abort(), this.limits.longestMs).unref();
    this.#open.add(stream);
    this.counts.setOpenStreams(this.#open.size);
    return stream.signal;
  }

  /** A stopping process does not wait for the end of a shipment: callers connect again, elsewhere. */
  end(): void {
    for (const stream of this.#open) stream.abort();
  }
}

/** How soon a browser connects again. Milliseconds. */
const RECONNECT_MS = 2_000;

/** One event of a stream. */
export const frame = (event: string, data: unknown, id: string | null = null): string =>
  `${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** The text of a stream: its events, heartbeats in between, and at last the problem that it may end with. */
async function* eventStream(
  events: AsyncIterator<string, void>,
  heartbeatMs: number,
): AsyncGenerator<string, void, void> {
  yield `retry: ${RECONNECT_MS}\n\n`;
  for (;;) {
    const next = events.next().then(
      ({ done, value }) =>
        done === true ? ({ kind: 'over' } as const) : ({ kind: 'event', value } as const),
      (error: unknown) => ({ kind: 'failed', error }) as const,
    );
    let found = await Promise.race([next, silence(heartbeatMs)]);
    while (found === null) {
      yield ': heartbeat\n\n';
      found = await Promise.race([next, silence(heartbeatMs)]);
    }
    if (found.kind === 'over') return;
    if (found.kind === 'failed') {
      yield frame('problem', problemOf(found.error));
      return;
    }
    yield found.value;
  }
}

/** Answers with a stream of events. */
export async function sendEvents(
  reply: FastifyReply,
  events: AsyncIterator<string, void>,
  { heartbeatMs }: Pick<StreamLimits, 'heartbeatMs'>,
): Promise<FastifyReply> {
  return await reply
    .type('text/event-stream')
    // A proxy must not collect events.
    .header('x-accel-buffering', 'no')
    .send(Readable.from(eventStream(events, heartbeatMs)));
}

const silence = async (ms: number): Promise<null> => await delay(ms, null, { ref: false });
