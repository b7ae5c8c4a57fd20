import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { parseAccounts } from '../../src/accounts';
import { createFolderStore } from '../../src/platform/file-store';
import { createLog } from '../../src/platform/log';
import { createApi } from '../../src/starter/api/server';
import type { ShipmentClient } from '../../src/starter/client/shipment-client';

/** The file for the sandbox, with a second account that no worker serves. */
const ACCOUNTS = readFileSync(path.join(__dirname, '..', '..', 'examples/accounts.yaml'), 'utf8')
  .replace(/\n# Who may use the HTTP API[^]*/, '\n')
  .replace('minimumWait: 2s', 'minimumWait: 200ms')
  .replace('quiet: 1500ms', 'quiet: 300ms')
  .replace('enough: 6', 'enough: 3')
  .replace(
    /^(?=integrations:)/m,
    '  beta:\n    environment: sandbox\n    baseUrl: http://127.0.0.1:9\n    auth: { apiKey: { env: X, default: x } }\n    source: beta\n',
  );
const TOKENS = `
apiTokens:
  desk: { token: { env: DESK }, scopes: [read, start, decide], accounts: [acme] }
  both: { token: { env: BOTH }, scopes: [read, start, decide], accounts: [acme, beta] }
  reader: { token: { env: READER }, scopes: [read], accounts: [acme] }
`;

/** Of the desk of one account, of the desk of two, and of somebody who only reads. */
export const TOKEN = {
  ...{ DESK: 'token-of-the-desk', BOTH: 'token-of-both-accounts', READER: 'token-of-the-reader' },
};

/** The API with the board. */
export async function startBoardApi(
  shipments: ShipmentClient,
  { sandboxUrl, folder }: { readonly sandboxUrl: string; readonly folder: string },
): Promise<{ readonly api: FastifyInstance; readonly url: string }> {
  const api = await createApi({
    accounts: parseAccounts(`${ACCOUNTS}${TOKENS}`, 'accounts.yaml', { SANDBOX_URL: sandboxUrl, ...TOKEN }),
    shipments,
    files: createFolderStore(folder),
    isTemporalUp: async () => await Promise.resolve(true),
    log: createLog('test', 'silent'),
    requestsPerMinute: 6_000,
  });
  return { api, url: await api.listen({ host: '127.0.0.1', port: 0 }) };
}
