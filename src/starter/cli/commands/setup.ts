import { SEARCH_ATTRIBUTES } from '../../../contract/search-attributes';
import { cloudCommands } from '../../../temporal/cloud-commands';
import { openTemporal, RETENTION_DAYS } from '../../../temporal/connect';
import { findCluster } from '../../../temporal/existing-cluster';
import { describeLacks } from '../../../temporal/prepare-namespace';
import type { CliContext } from '../context';
import { ExitCode } from '../../../platform/exit-code';

export interface SetupOptions {
  readonly check?: boolean;
  readonly json?: boolean;
  readonly print?: boolean;
}

/**
 * `consign setup`: creates the search attributes and sets the retention in the namespace of an existing cluster. The
 * embedded server does so when it starts.
 */
export async function setUp(context: CliContext, { check, json, print }: SetupOptions): Promise<void> {
  const env = { ...process.env, TEMPORAL_ADDRESS: process.env.TEMPORAL_ADDRESS ?? '127.0.0.1:7233' };
  const needs = { searchAttributes: SEARCH_ATTRIBUTES, retentionDays: RETENTION_DAYS };
  if (print === true) {
    const commands = cloudCommands(findCluster(env)?.namespace ?? '', needs);
    context.print(json === true ? JSON.stringify({ commands }, null, 2) : commands.join('\n'));
    return;
  }
  const existing = check === true ? 'inspect' : 'prepare';
  const temporal = await openTemporal({ env, log: (line) => context.warn(line), ...needs, existing });
  const lacks = describeLacks(temporal.namespace, temporal.namespaceReport, needs);
  await temporal.close();
  const isFixed = check !== true;
  if (json === true) {
    context.print(JSON.stringify({ namespace: temporal.namespace, lacks, isFixed }, null, 2));
  } else {
    for (const lack of lacks) context.print(isFixed ? `fixed: ${lack}` : lack);
    if (lacks.length === 0)
      context.print(`namespace ${temporal.namespace} has everything that Consign needs`);
  }
  if (lacks.length > 0 && !isFixed) process.exitCode = ExitCode.Invalid;
}
