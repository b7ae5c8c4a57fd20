import { hash } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { DELIVERY_FAILING, SHIPMENTS_FILTER } from '../../contract/search-attributes';
import { accountOfWorkflow, accountPauseWorkflowId } from '../../domain/workflow-id';
import { eventsFilter } from './event-client';

/** Versions of the lists of one account: each is another text once its list has changed. */
export interface ListVersions {
  /** Of what needs a person. */
  readonly attention: string;
  /** Of the newest shipments, open and ended. */
  readonly shipments: string;
  /** Of events that no running shipment received. */
  readonly events: string;
}

/** How many of the newest entries each version is made of. */
const NEWEST = 200;
const OPEN = "ExecutionStatus = 'Running'";

/**
 * The versions of the lists by account, by four requests to Temporal's visibility however many accounts there are. A
 * change beyond the newest entries is not seen.
 */
export async function listVersions(
  client: Client,
  accounts: readonly string[],
): Promise<ReadonlyMap<string, ListVersions>> {
  if (accounts.length === 0) return new Map();
  const listed = (texts: readonly string[]): string => texts.map((text) => `'${text}'`).join(', ');
  const own = `Account IN (${listed(accounts)})`;
  // A pause of an account has no search attribute of it.
  const asking = `(${own} OR WorkflowId IN (${listed(accounts.map(accountPauseWorkflowId))}))`;
  const problems = `(NeedsAttention = true OR TemporalReportedProblems IS NOT NULL OR ShipmentPhase = '${DELIVERY_FAILING}')`;
  const shipments = `${SHIPMENTS_FILTER} AND ${own}`;
  const [attention, open, ended, events] = await Promise.all([
    rowsOf(client, `${OPEN} AND ${problems} AND ${asking}`),
    rowsOf(client, `${shipments} AND ${OPEN}`),
    rowsOf(client, `${shipments} AND NOT ${OPEN} AND ExecutionStatus != 'ContinuedAsNew'`),
    rowsOf(client, eventsFilter({ accounts })),
  ]);
  return new Map(
    accounts.map((account) => [
      account,
      {
        attention: versionOf(account, attention),
        shipments: versionOf(account, [...open, ...ended]),
        events: versionOf(account, events),
      },
    ]),
  );
}

interface Row {
  readonly account: string | null;
  /** As Temporal answers it: nothing of it is decoded. */
  readonly text: string;
}

async function rowsOf(client: Client, query: string): Promise<readonly Row[]> {
  const { namespace } = client.options;
  const { executions } = await client.workflowService.listWorkflowExecutions({
    ...{ namespace, query, pageSize: NEWEST },
  });
  return executions.map((one) => ({
    account: accountOfWorkflow(one.execution?.workflowId ?? ''),
    text: JSON.stringify(one),
  }));
}

function versionOf(account: string, rows: readonly Row[]): string {
  const own = rows.filter((row) => row.account === account).map(({ text }) => text);
  return hash('sha256', own.join('\n')).slice(0, 16);
}
