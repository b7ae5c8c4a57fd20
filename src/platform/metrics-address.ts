import { isIP } from 'node:net';
import { UserError } from './user-error';
import { messageOf } from './message-of';

/** Where a process serves its metrics. */
export interface MetricsAddress {
  /** An IP address: the worker's runtime looks up no names. */
  readonly host: string;
  readonly port: number;
}

const HOST_AND_PORT = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>[^:[\]]+)):(?<port>\d{1,5})$/;

/** @returns null unless the text is an IP address and a port */
export function parseMetricsAddress(text: string): MetricsAddress | null {
  const { v4, v6, port } = HOST_AND_PORT.exec(text)?.groups ?? {};
  const isAddress = v6 === undefined ? isIP(v4 ?? '') === 4 : isIP(v6) === 6;
  if (!isAddress || Number(port) < 1 || Number(port) > 65_535) return null;
  return { host: v6 ?? v4 ?? '', port: Number(port) };
}

export const metricsAddressText = ({ host, port }: MetricsAddress): string =>
  isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;

/** The process stops: without its metrics, its alerts would stay silent. */
export function cannotServeMetrics(address: MetricsAddress, cause: unknown): UserError {
  const reason = messageOf(cause);
  return new UserError(`Metrics cannot be served at ${metricsAddressText(address)}: ${reason}.`, {
    hint: 'Give each process on a machine another port in CONSIGN_METRICS_ADDRESS.',
    cause,
  });
}
