import { loadDataConverter } from '@temporalio/common/lib/internal-non-workflow';
import { encodeMapToPayloads } from '@temporalio/common/lib/internal-non-workflow/codec-helpers';
import { searchAttributePayloadConverter } from '@temporalio/common/lib/converter/payload-search-attributes';
import { msToTs } from '@temporalio/common/lib/time';
import { temporal } from '@temporalio/proto';
import type { PayloadCodec } from '@temporalio/common';

const { WorkflowExecutionInfo } = temporal.api.workflow.v1;
const Status = temporal.api.enums.v1.WorkflowExecutionStatus;

/** A run as a server lists it. */
export interface ListedRun {
  readonly workflowId: string;
  readonly status?: keyof typeof STATUSES;
  readonly memo?: Readonly<Record<string, unknown>>;
  readonly searchAttributes?: Readonly<Record<string, readonly [string | boolean | null]>>;
  /** What encrypts its memo. */
  readonly codecs?: readonly PayloadCodec[];
}

const STATUSES = {
  RUNNING: Status.WORKFLOW_EXECUTION_STATUS_RUNNING,
  COMPLETED: Status.WORKFLOW_EXECUTION_STATUS_COMPLETED,
  TERMINATED: Status.WORKFLOW_EXECUTION_STATUS_TERMINATED,
};

/** Its form on the wire. */
export async function rawRunOf({
  workflowId,
  status = 'RUNNING',
  memo = {},
  searchAttributes = {},
  codecs = [],
}: ListedRun) {
  const indexed = Object.entries(searchAttributes).flatMap(([name, [value]]) =>
    value === null ? [] : [[name, searchAttributePayloadConverter.toPayload([value])] as const],
  );
  return WorkflowExecutionInfo.create({
    ...{ execution: { workflowId, runId: `run of ${workflowId}` }, type: { name: 'furnitureShipment' } },
    ...{ status: STATUSES[status], startTime: msToTs(Date.parse('2035-06-01T00:00:00Z')) },
    memo: { fields: await encodeMapToPayloads(loadDataConverter({ payloadCodecs: [...codecs] }), memo) },
    searchAttributes: { indexedFields: Object.fromEntries(indexed) },
  });
}

/** The part of a client that lists and describes runs. Every query finds all, but one for those that Temporal ended. */
export function clientOfRuns(
  runs: readonly ListedRun[],
  {
    codecs = [],
    queries = [],
  }: { readonly codecs?: readonly PayloadCodec[]; readonly queries?: string[] } = {},
) {
  const byId = new Map(runs.map((run) => [run.workflowId, run]));
  return {
    options: { namespace: 'default', loadedDataConverter: loadDataConverter({ payloadCodecs: [...codecs] }) },
    workflowService: {
      async listWorkflowExecutions({ query }: { readonly query: string }) {
        queries.push(query);
        const isOver = query.includes("'Terminated'");
        const found = runs.filter(({ status }) => !isOver || status === 'TERMINATED');
        return { executions: await Promise.all(found.map(rawRunOf)), nextPageToken: new Uint8Array() };
      },
      async describeWorkflowExecution({
        execution,
      }: {
        readonly execution: { readonly workflowId: string };
      }) {
        const found = byId.get(execution.workflowId);
        if (found === undefined) throw new TypeError(`no run of ${execution.workflowId}`);
        return { workflowExecutionInfo: await rawRunOf(found) };
      },
    },
  };
}
