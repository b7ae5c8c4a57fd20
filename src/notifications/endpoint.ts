import type { NotificationKind } from '../domain/notifications';

/** An endpoint of an account that Consign notifies. */
export interface NotificationEndpoint {
  readonly name: string;
  /** Never printed: it may contain a secret. */
  readonly url: string;
  /** Reads each signing secret when it is used, which picks up a rotated one. The first signs first. */
  readonly secrets: readonly (() => Promise<string>)[];
  readonly events: readonly NotificationKind[];
  /** How long it may fail until `consign attention` lists it. */
  readonly reportAfterMs: number;
  /** How long it may fail until Consign stops sending. */
  readonly pauseAfterMs: number;
}
