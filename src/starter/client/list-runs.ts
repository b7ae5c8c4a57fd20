import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { executionInfoFromRaw } from '@temporalio/client/lib/helpers';
import { defaultPayloadConverter, type LoadedDataConverter, type PayloadCodec } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';
import { EncryptionKeyError } from '../../temporal/encryption/payload-codec';

type RawRun = temporal.api.workflow.v1.IWorkflowExecutionInfo;

/** A run as Temporal lists or describes it. What cannot be decrypted of its memo is null. */
export interface ReadRun<Raw = RawRun> extends Omit<WorkflowExecutionInfo, 'raw'> {
  readonly raw: Raw;
  /** Why a part of the memo cannot be decrypted, in words for a list; null when all of it can. */
  readonly undecryptable: string | null;
}

/** Everything that is found. A run whose key is missing hides no other. */
export async function* listRuns(
  client: Client,
  { query, pageSize }: { readonly query: string; readonly pageSize: number },
): AsyncGenerator<ReadRun, void, void> {
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const page = await client.workflowService.listWorkflowExecutions({
      ...{ namespace: client.options.namespace, query, pageSize, nextPageToken },
    });
    for (const raw of page.executions) yield await readRun(client, raw, raw);
    ({ nextPageToken } = page);
  } while (nextPageToken.length > 0);
}

/** The last run of a workflow. */
export async function describeRun(
  client: Client,
  workflowId: string,
): Promise<ReadRun<temporal.api.workflowservice.v1.IDescribeWorkflowExecutionResponse>> {
  const described = await client.workflowService.describeWorkflowExecution({
    ...{ namespace: client.options.namespace, execution: { workflowId } },
  });
  return await readRun(client, described.workflowExecutionInfo ?? {}, described);
}

export async function readRun<Raw>(client: Client, run: RawRun, raw: Raw): Promise<ReadRun<Raw>> {
  const { namespace, loadedDataConverter } = client.options;
  const problems = new Set<string>();
  const converter = withoutKeyErrors(loadedDataConverter, (problem) => void problems.add(problem));
  const info = await executionInfoFromRaw(run, converter, run, namespace);
  const undecryptable = problems.size === 0 ? null : `cannot be decrypted, ${[...problems].join('; ')}`;
  return { ...info, raw, undecryptable };
}

/** Decodes what cannot be decrypted as null. */
function withoutKeyErrors(
  converter: LoadedDataConverter,
  onProblem: (problem: string) => void,
): LoadedDataConverter {
  const wrap = (codec: PayloadCodec): PayloadCodec => ({
    encode: async (payloads, context) => await codec.encode(payloads, context),
    async decode(payloads, context) {
      try {
        return await codec.decode(payloads, context);
      } catch (error) {
        if (!(error instanceof EncryptionKeyError)) throw error;
        onProblem(error.problem);
        return payloads.map(() => defaultPayloadConverter.toPayload(null));
      }
    },
  });
  return { ...converter, payloadCodecs: converter.payloadCodecs.map(wrap) };
}
