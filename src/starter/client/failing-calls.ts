import type { Client } from '@temporalio/client';
import { decodeOptionalFailureToOptionalError } from '@temporalio/common/lib/internal-non-workflow';
import type { temporal } from '@temporalio/proto';
import { FailureType } from '../../domain/failure-type';
import { readingForMs } from '../../domain/read-pace';
import { mapAtOnce } from '../../platform/at-once';
import { EncryptionKeyError } from '../../temporal/encryption/payload-codec';
import type { describeRun } from './list-runs';

/** A read that the marketplace keeps failing: one line instead of one for each shipment that waits for it. */
export interface FailingCall {
  readonly account: string;
  /** The endpoint's name, such as `getFixedPrice`. */
  readonly call: string;
  /** How the last attempt ended, in Consign's words. */
  readonly reason: string;
  /** How often it failed in a row: the most of all shipments. */
  readonly failures: number;
  /** How many of the checked shipments wait for it. */
  readonly shipments: number;
}

/** Such a read of one shipment. */
export interface FailingRead {
  readonly account: string;
  readonly call: string;
  readonly failures: number;
  readonly failure: temporal.api.failure.v1.IFailure;
}

/**
 * Reads of a shipment that have failed for some time. Only those that Temporal repeats without limit: a poll repeats
 * because nothing is new, and reports a failure itself.
 */
export function failingReads(
  account: string,
  { status, raw }: Awaited<ReturnType<typeof describeRun>>,
  patienceMs: number,
): readonly FailingRead[] {
  if (status.name !== 'RUNNING') return [];
  return (raw.pendingActivities ?? []).flatMap((pending) => {
    const { activityType, attempt, lastFailure, activityOptions } = pending;
    const { backoffCoefficient = 0, maximumAttempts = 0 } = activityOptions?.retryPolicy ?? {};
    const isUnlimited = Number(backoffCoefficient) > 1 && maximumAttempts === 0;
    const isAway = lastFailure?.applicationFailureInfo?.type === FailureType.Unavailable;
    const failures = (attempt ?? 1) - 1;
    if (!isUnlimited || !isAway || readingForMs(failures + 1) < patienceMs) return [];
    return [{ account, call: activityType?.name ?? 'a read', failures, failure: lastFailure }];
  });
}

/** @param reads of each shipment */
export async function failingCalls(
  client: Client,
  reads: readonly (readonly FailingRead[])[],
): Promise<FailingCall[]> {
  const nameOf = ({ account, call }: FailingRead): string => `${account} ${call}`;
  const worstFirst = reads.flat().toSorted((a, b) => b.failures - a.failures);
  const names = [...new Set(worstFirst.map(nameOf))];
  return await mapAtOnce(names, 20, async (name) => {
    const [worst] = worstFirst.filter((read) => nameOf(read) === name);
    if (worst === undefined) throw new TypeError(`nothing fails as ${name}`);
    const { account, call, failures, failure } = worst;
    const shipments = reads.filter((ofShipment) => ofShipment.some((read) => nameOf(read) === name)).length;
    return { account, call, reason: await reasonOf(client, failure), failures, shipments };
  });
}

/** The failure is as Temporal stores it, so its message may be encrypted. */
async function reasonOf(client: Client, failure: FailingRead['failure']): Promise<string> {
  try {
    const { loadedDataConverter } = client.options;
    return (await decodeOptionalFailureToOptionalError(loadedDataConverter, failure))?.message ?? 'no answer';
  } catch (error) {
    if (error instanceof EncryptionKeyError) return error.message;
    throw error;
  }
}
