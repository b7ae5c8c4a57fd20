import { SEARCH_ATTRIBUTES } from '../../../contract/search-attributes';
import { openTemporal, RETENTION_DAYS } from '../../../temporal/connect';
import { describeLacks } from '../../../temporal/prepare-namespace';
import type { CliContext } from '../context';
import { ExitCode } from '../../../platform/exit-code';

export interface SetupOptions {
  readonly check?: boolean;
  readonly json?: boolean;
}

/**
 * `consign setup`: makes the namespace of an existing cluster fit, with search attributes and retention. The embedded
 * server's is made so at its start.
 */
export async function setUp(context: CliContext, { check, json }: SetupOptions): Promise<void> {
  const env = { ...process.env, TEMPORAL_ADDRESS: process.env.TEMPORAL_ADDRESS ?? '127.0.0.1:7233' };
  const needs = { searchAttributes: SEARCH_ATTRIBUTES, retentionDays: RETENTION_DAYS };
  const existing = check === true ? 'inspect' : 'prepare';
  const temporal = await openTemporal({ env, log: (line) => context.warn(line), ...needs, existing });
  const lacks = describeLacks(temporal.namespace, temporal.namespaceReport, needs);
  await temporal.close();
  const isFixed = check !== true;
  if (json === true) {
    context.print(JSON.stringify({ namespace: temporal.namespace, lacks, isFixed }, null, 2));
  } else {
    for (const lack of lacks) context.print(isFixed ? `mended: ${lack}` : lack);
    if (lacks.length === 0) context.print(`namespace ${temporal.namespace} has what Consign needs`);
  }
  if (lacks.length > 0 && !isFixed) process.exitCode = ExitCode.Invalid;
}
