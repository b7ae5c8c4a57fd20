import {
  ActivityCancellationType,
  ActivityFailure,
  proxyActivities,
  type ActivityOptions,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { Probe } from '../activities/probes';
import type { EndpointReport } from '../domain/conformance';
import { marketplaceQueue } from '../contract/task-queue';
import type { ConformanceInput } from '../contract/workflow-input';

const CALL: ActivityOptions = {
  startToCloseTimeout: '30 seconds',
  scheduleToCloseTimeout: '2 minutes',
  retry: { maximumAttempts: 3 },
  cancellationType: ActivityCancellationType.TRY_CANCEL,
};

const OF_A_LISTING = ['getListing', 'getListingContacts', 'getTracking', 'getBillOfLading'] as const;

/** Makes calls that book nothing, and compares the marketplace's answers with what Consign reads. */
export async function conformance(input: ConformanceInput): Promise<EndpointReport[]> {
  const { account, furniture, ltl, listingId } = input;
  const taskQueue = marketplaceQueue(account.name);
  const { probeAnswer } = proxyActivities<Pick<Activities, 'probeAnswer'>>({ ...CALL, taskQueue });
  const reports: EndpointReport[] = [];
  const probe = async (one: Probe): Promise<string | null> => {
    const { report, rateRequestId } = await probeAnswer({ account, probe: one });
    reports.push(report);
    return rateRequestId;
  };
  await probe({ operation: 'listPaymentMethods' });
  if (furniture !== null) await probe({ operation: 'getFixedPrice', shipment: furniture });
  if (ltl !== null) await probe({ operation: 'listAddressTypes' });
  const rateRequestId = ltl === null ? null : await probe({ operation: 'createRateRequest', shipment: ltl });
  if (rateRequestId !== null) {
    await ratesArrive(input, rateRequestId);
    await probe({ operation: 'listRates', rateRequestId });
  }
  if (listingId !== null) for (const operation of OF_A_LISTING) await probe({ operation, listingId });
  return reports;
}

/** An empty list does not show the shape of a rate. */
async function ratesArrive({ account, rates }: ConformanceInput, rateRequestId: string): Promise<void> {
  const { collectRates } = proxyActivities<Pick<Activities, 'collectRates'>>({
    ...CALL,
    retry: { maximumInterval: '15 seconds' },
    taskQueue: marketplaceQueue(account.name),
    scheduleToCloseTimeout: rates.maximumWaitMs + 2 * rates.pace.maximumMs,
  });
  try {
    const requestedAt = new Date().toISOString();
    await collectRates({ account, rateRequestId, requestedAt, policy: rates, knownRateIds: [] });
  } catch (error) {
    // An unreadable answer ends the wait; the next probe reports what is wrong with it.
    if (!(error instanceof ActivityFailure)) throw error;
  }
}
