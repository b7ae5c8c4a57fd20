import type { FastifyBaseLogger } from 'fastify';
import type { RefusalKind } from './refusal';

/** A period in which every request of an integration was refused. */
export interface OnlyRefusals {
  /** Null: the requests name no known integration. */
  readonly integration: string | null;
  /** The first refusal; ISO instant. */
  readonly since: string;
  readonly count: number;
}

interface Streak {
  readonly since: Date;
  readonly timer: NodeJS.Timeout;
  count: number;
  countReported: number;
  last: RefusalKind;
}

/** Reports long periods of refusals only: otherwise a changed secret or event format would go unnoticed. */
export interface RefusalWatch {
  /** @param integration null when the request names no known integration */
  refused(integration: string | null, as: RefusalKind): void;
  taken(integration: string): void;
  /** The periods that are long by now. */
  long(): readonly OnlyRefusals[];
  close(): void;
}

export function createRefusalWatch(longMs: number, log: FastifyBaseLogger): RefusalWatch {
  const streaks = new Map<string | null, Streak>();

  function report(integration: string | null, streak: Streak): void {
    if (streak.count === streak.countReported) return;
    streak.countReported = streak.count;
    const { since, count, last: reason } = streak;
    log.error(
      { ...(integration === null ? {} : { integration }), since: since.toISOString(), count, reason },
      'every request since then was refused: check the webhook URL and secret at the marketplace',
    );
  }
  function end(integration: string | null): void {
    clearInterval(streaks.get(integration)?.timer);
    streaks.delete(integration);
  }
  return {
    refused(integration, as) {
      const known = streaks.get(integration);
      if (known !== undefined) {
        known.count += 1;
        known.last = as;
        return;
      }
      const timer = setInterval(() => report(integration, streak), longMs).unref();
      const streak: Streak = { since: new Date(), timer, count: 1, countReported: 0, last: as };
      streaks.set(integration, streak);
    },
    taken(integration) {
      end(integration);
      // Strangers who try other paths are always refused. That does not matter while events arrive.
      end(null);
    },
    long() {
      const now = Date.now();
      return [...streaks].flatMap(([integration, { since, count }]) =>
        now - since.getTime() >= longMs ? [{ integration, since: since.toISOString(), count }] : [],
      );
    },
    close() {
      for (const integration of streaks.keys()) end(integration);
    },
  };
}
