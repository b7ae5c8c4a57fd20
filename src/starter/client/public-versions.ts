import type { Client } from '@temporalio/client';
import sdk from '@temporalio/client/lib/pkg';
import type { OrderRecord } from './order-record';

/** Versions that may be published. Null: unknown. */
export interface PublicVersions {
  readonly sdk: string;
  readonly server: string | null;
  /** SDK of the worker that completed the last workflow task. */
  readonly workerSdk: string | null;
  /** Build of that worker, if its id has the form of a hash, a version, or the SDK's own. */
  readonly workerBuild: string | null;
}

const VERSION = /^\d+\.\d+\.\d+(?:-[a-z]{1,10}\.?\d{0,6})?$/;
/** An id of another form may name a company. */
const BUILD = [
  /^@temporalio\/worker@\d+\.\d+\.\d+(?:\+[0-9a-f]{64})?$/,
  /^(?=[^a-f]*[a-f])(?=\D*\d)[0-9a-f]{7,64}$/,
  /^v?\d+\.\d+\.\d+(?:-[a-z]{1,10}\.?\d{0,6})?$/,
];
const UNKNOWN_FORM = '(set, left out)';

const versionOf = (text: string | null | undefined): string | null =>
  text != null && VERSION.test(text) ? text : null;

/** A build id as it may be published; null when there is none. */
export function publicBuild(id: string | null | undefined): string | null {
  if (id == null || id === '') return null;
  return BUILD.some((form) => form.test(id)) ? id : UNKNOWN_FORM;
}

export async function publicVersions(
  client: Client,
  { runs }: Pick<OrderRecord, 'runs'>,
): Promise<PublicVersions> {
  const tasks = runs
    .flat()
    .flatMap(({ workflowTaskCompletedEventAttributes: task }) => (task == null ? [] : [task]))
    .toReversed();
  const last = tasks[0];
  const { serverVersion } = await client.workflowService.getSystemInfo({});
  return {
    sdk: sdk.version,
    server: versionOf(serverVersion),
    // Written only where it changes.
    workerSdk: versionOf(tasks.find((task) => task.sdkMetadata?.sdkVersion)?.sdkMetadata?.sdkVersion),
    workerBuild: publicBuild(last?.deploymentVersion?.buildId || last?.workerVersion?.buildId),
  };
}
