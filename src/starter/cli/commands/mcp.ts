import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMcpServer } from '../../mcp/create-server';
import type { CliContext } from '../context';
import { packageVersion } from '../../../platform/package-version';

export interface McpOptions {
  readonly allowDecisions?: boolean;
}

/** `consign mcp`: serves until standard input ends. */
export async function serveMcp(context: CliContext, { allowDecisions }: McpOptions): Promise<void> {
  const setting = {
    ...{ version: packageVersion(), mayDecide: allowDecisions === true },
    ...{ accounts: await context.accounts(), files: await context.files() },
    maxImageBytes: await context.maxImageBytes(),
    withShipments: context.withShipments.bind(context),
  };
  serveStdio(() => createMcpServer(setting), {
    onerror: (error) => context.warn(error.message),
  });
}
