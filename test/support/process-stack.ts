import { startStack, type Stack, type StackOptions } from '../../devstack/stack';
import { reserveFreePort } from '../../src/temporal/dev-server/free-port';
import { connectTemporal, type TemporalConnection } from '../../src/temporal/temporal-connection';

/** Temporal, the sandbox, a worker and a receiver as processes, and a connection to that Temporal. */
export interface ProcessStack {
  readonly stack: Stack;
  readonly temporal: TemporalConnection;
  /** Asks a control route of the sandbox. @throws Error when it refuses */
  control(route: string, body: unknown): Promise<void>;
  close(): Promise<void>;
}

type Ports = Omit<StackOptions['ports'], 'sandbox' | 'webhooks'>;

/** @param env beside the environment of this process */
export async function startProcessStack(
  folder: string,
  env: NodeJS.ProcessEnv,
  { isPersistent = true, ports = {} }: { readonly isPersistent?: boolean; readonly ports?: Ports } = {},
): Promise<ProcessStack> {
  const [sandbox, webhooks] = [await reserveFreePort(), await reserveFreePort()];
  const stack = await startStack({
    ...{ folder, isPersistent, ports: { ...ports, sandbox, webhooks }, log: () => {} },
    env: { ...process.env, ...env },
  });
  const temporal = await connectTemporal(stack.env).catch(async (error: unknown) => {
    await stack.stop();
    throw error;
  });
  return {
    stack,
    temporal,
    async control(route, body) {
      const answer = await fetch(`${stack.sandboxUrl}/_sandbox${route}`, {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${route}: ${answer.status} ${text}`);
    },
    async close() {
      await temporal.close();
      await stack.stop();
    },
  };
}
