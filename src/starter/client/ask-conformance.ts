import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { EndpointReport } from '../../domain/conformance';
import { conformanceWorkflowId } from '../../domain/workflow-id';
import type { ConformanceInput } from '../../contract/workflow-input';
import { askWorkers, type AskOptions } from './ask-workers';

/** Longer than eight calls of at most two minutes each. Milliseconds. */
const CALLS_MS = 20 * 60_000;

/** Asks a worker to check the marketplace's answers. @throws NoWorkerError, NoAnswerError */
export async function askConformance(
  client: Client,
  input: ConformanceInput,
  options: AskOptions = {},
): Promise<EndpointReport[]> {
  const account = input.account.name;
  const asked = {
    ...{ type: 'conformance', input, account, timeoutMs: CALLS_MS + input.rates.maximumWaitMs },
    workflowId: conformanceWorkflowId(account, randomUUID().slice(0, 8)),
    summary: `conformance of account ${account}; books nothing`,
  };
  return await askWorkers<ConformanceInput, EndpointReport[]>(client, asked, options);
}
