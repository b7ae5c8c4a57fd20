import { Connection } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import type { Payload } from '@temporalio/common';

/** What anybody without a key sees of a workflow. */
export interface RawWorkflow {
  readonly workflowId: string;
  readonly history: temporal.api.history.v1.IHistory;
  readonly described: temporal.api.workflowservice.v1.IDescribeWorkflowExecutionResponse;
  readonly listed: temporal.api.workflow.v1.IWorkflowExecutionInfo;
}

const { History } = temporal.api.history.v1;
const { DescribeWorkflowExecutionResponse } = temporal.api.workflowservice.v1;
const { WorkflowExecutionInfo } = temporal.api.workflow.v1;

/** All bytes of it. */
export const bytesOf = ({ history, described, listed }: RawWorkflow): Buffer =>
  Buffer.concat([
    History.encode(history).finish(),
    DescribeWorkflowExecutionResponse.encode(described).finish(),
    WorkflowExecutionInfo.encode(listed).finish(),
  ]);

/** Every workflow of the namespace, as the server gives it. */
export async function rawWorkflows(address: string, namespace = 'default'): Promise<RawWorkflow[]> {
  const connection = await Connection.connect({ address });
  try {
    const { workflowService } = connection;
    const { executions } = await workflowService.listWorkflowExecutions({ namespace, pageSize: 1_000 });
    return await Promise.all(
      executions.map(async (listed) => {
        const execution = listed.execution ?? {};
        const described = await workflowService.describeWorkflowExecution({ namespace, execution });
        const events: temporal.api.history.v1.IHistoryEvent[] = [];
        let nextPageToken: Uint8Array | undefined;
        do {
          const page: temporal.api.workflowservice.v1.IGetWorkflowExecutionHistoryResponse =
            await workflowService.getWorkflowExecutionHistory({
              ...{ namespace, execution },
              ...(nextPageToken === undefined ? {} : { nextPageToken }),
            });
          events.push(...(page.history?.events ?? []));
          nextPageToken = page.nextPageToken ?? undefined;
        } while (nextPageToken !== undefined && nextPageToken.length > 0);
        return { workflowId: execution.workflowId ?? '', history: { events }, described, listed };
      }),
    );
  } finally {
    await connection.close();
  }
}

type Found = { readonly at: string; readonly payload: Payload };

/** Temporal indexes these, and its own headers; they are never encrypted. */
const READABLE: ReadonlySet<string> = new Set(['searchAttributes', 'upsertedSearchAttributes', 'header']);

/** What the server itself writes of an activity that nobody had begun when it was cancelled. */
const OF_SERVER = Buffer.from('"ACTIVITY_ID_NOT_STARTED"');

/** Every payload of ours in a part of a raw workflow that should be encrypted, with where it is. */
export function payloadsIn(part: unknown, at = ''): Found[] {
  if (typeof part !== 'object' || part === null || part instanceof Uint8Array) return [];
  const own = part as Readonly<Record<string, unknown>>;
  const metadata = own['metadata'];
  if (typeof metadata === 'object' && metadata !== null && 'encoding' in metadata)
    return OF_SERVER.equals(dataOf(part)) ? [] : [{ at, payload: part }];
  return Object.entries(own).flatMap(([name, inner]) =>
    READABLE.has(name) ? [] : payloadsIn(inner, `${at}.${name}`),
  );
}

/** A payload without data has an empty list. */
export const dataOf = ({ data }: Payload): Buffer => Buffer.from(data ?? []);

/** Every failure in a part of a raw workflow. */
export function failuresIn(part: unknown): temporal.api.failure.v1.IFailure[] {
  if (typeof part !== 'object' || part === null || part instanceof Uint8Array) return [];
  return Object.entries(part).flatMap(([name, inner]: [string, unknown]) => [
    ...(/^(failure|lastFailure|cause|continuedFailure)$/.test(name) &&
    typeof inner === 'object' &&
    inner !== null
      ? [inner as temporal.api.failure.v1.IFailure]
      : []),
    ...failuresIn(inner),
  ]);
}

const textOf = (bytes: Uint8Array | null | undefined): string => Buffer.from(bytes ?? []).toString('utf8');

export const encodingOf = ({ metadata }: Payload): string => textOf(metadata?.['encoding']);
export const keyIdOf = ({ metadata }: Payload): string => textOf(metadata?.['encryption-key-id']);
