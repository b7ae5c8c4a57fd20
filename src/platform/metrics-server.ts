import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import { cannotServeMetrics, type MetricsAddress } from './metrics-address';

export interface MetricsServer {
  close(): Promise<void>;
}

/**
 * Serves what a process counts at `/metrics`, for Prometheus. A port apart from the one that receives requests: people
 * outside must not reach it.
 * @throws UserError when nothing can listen there
 */
export async function serveMetrics(address: MetricsAddress, registry: Registry): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    // A scrape that fails must not end the process; Prometheus reports it as `up == 0`.
    answer(registry, request, response).catch(() => response.destroy());
  });
  server.listen(address.port, address.host);
  // A process that cannot start must end, and not stay for its metrics.
  server.unref();
  try {
    await once(server, 'listening');
  } catch (error) {
    throw cannotServeMetrics(address, error);
  }
  return {
    async close() {
      const closed = once(server, 'close');
      server.close();
      // Prometheus keeps its connection.
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  registry: Registry,
  { method, url }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (method !== 'GET' || url?.split('?')[0] !== '/metrics') {
    response.writeHead(404).end();
    return;
  }
  const text = await registry.metrics();
  response.writeHead(200, { 'content-type': registry.contentType }).end(text);
}
