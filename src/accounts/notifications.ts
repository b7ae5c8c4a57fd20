import { NOTIFICATION_KINDS } from '../domain/notifications';
import type { NotificationEndpoint } from '../notifications/endpoint';
import type { Environment } from '../platform/secret-reference';
import { resolveWholeUrl, secretSource } from './references';
import { DEFAULT_PAUSE_AFTER_MS, DEFAULT_REPORT_AFTER_MS, type EndpointWire } from './schema';
import { isOnThisMachine, isPlainHttp } from './url-parts';

interface Place {
  /** JSON path of the account. */
  readonly at: string;
  readonly env: Environment;
  readonly problems: string[];
  /** Whether a default secret does no harm. */
  readonly isLocal: boolean;
}

/** Temporal measures in whole seconds here, and the first attempts need some. */
const LEAST_REPORT_AFTER_MS = 1_000;

/** The endpoints of an account. Problems are reported, not thrown. */
export function toEndpoints(wires: readonly EndpointWire[], place: Place): NotificationEndpoint[] {
  const { at, problems } = place;
  const names = wires.map(({ name }) => name);
  return wires.map((wire, index) => {
    const path = `${at}.notifications.${index}`;
    if (names.indexOf(wire.name) < index)
      problems.push(
        `${path}.name: ${wire.name} is also another endpoint of the account; give each its own name`,
      );
    return toEndpoint(wire, { ...place, at: path });
  });
}

function toEndpoint(wire: EndpointWire, { at, env, problems, isLocal }: Place): NotificationEndpoint {
  const url = resolveWholeUrl(wire.url, env, { at: `${at}.url`, problems });
  if (isPlainHttp(url) && !isOnThisMachine(url))
    problems.push(`${at}.url: the events would travel unencrypted; use https`);
  const { reportAfter = DEFAULT_REPORT_AFTER_MS, pauseAfter = DEFAULT_PAUSE_AFTER_MS } = wire;
  if (reportAfter < LEAST_REPORT_AFTER_MS) problems.push(`${at}.reportAfter: give at least 1s`);
  if (pauseAfter <= reportAfter) problems.push(`${at}.pauseAfter: give more than reportAfter`);
  return {
    ...{ name: wire.name, url, events: wire.events ?? NOTIFICATION_KINDS },
    ...{ reportAfterMs: reportAfter, pauseAfterMs: pauseAfter },
    secrets: wire.secrets.map((reference, index) =>
      secretSource(reference, env, { at: `${at}.secrets.${index}`, problems, isLocal }),
    ),
  };
}
