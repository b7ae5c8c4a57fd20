import {
  condition,
  continueAsNew,
  getExternalWorkflowHandle,
  setCurrentDetails,
  setHandler,
  TemporalFailure,
  upsertMemo,
  upsertSearchAttributes,
  workflowInfo,
  ApplicationFailure,
} from '@temporalio/workflow';
import type { AccountPause, PausedShipment } from '../domain/account-pause';
import { accountPauseText, refuseResume } from '../domain/account-pause';
import { cutText, TEXT_BYTES } from '../domain/bounds';
import type { AccountPauseInput } from '../domain/workflow-input';
import {
  accountPauseQuery,
  accountResumedSignal,
  resumeAccountUpdate,
  shipmentPausedSignal,
  shipmentWentOnSignal,
} from './messages';
import { accountPausePairs } from './presentation';

const RESUMED_AT_ONCE = 200;

/**
 * The one question about an account in trouble, however many of its shipments meet it: its key, address, suspension or
 * payment. Once a person says that it is mended, every shipment that waits tries again.
 */
export async function accountPause(input: AccountPauseInput): Promise<void> {
  const { account, supportAddress } = input;
  let pause: AccountPause = input.carried ?? { account, supportAddress, waiting: [], resumes: 0 };
  let isResumed = false;
  setHandler(accountPauseQuery, () => pause);
  setHandler(shipmentPausedSignal, (paused: PausedShipment) => {
    const others = pause.waiting.filter(({ workflowId }) => workflowId !== paused.workflowId);
    pause = { ...pause, waiting: [...others, paused] };
  });
  setHandler(shipmentWentOnSignal, (gone) => {
    pause = { ...pause, waiting: pause.waiting.filter(({ workflowId }) => workflowId !== gone) };
  });
  setHandler(
    resumeAccountUpdate,
    () => {
      isResumed = true;
    },
    {
      validator: (statement) => {
        const why = refuseResume(pause, statement);
        if (why !== null) throw ApplicationFailure.nonRetryable(why, 'Refused');
      },
    },
  );
  await condition(() => pause.waiting.length > 0, '1 minute');
  while (pause.waiting.length > 0) {
    show(pause);
    const known = pause.waiting.length;
    await condition(() => isResumed || pause.waiting.length !== known);
    if (workflowInfo().continueAsNewSuggested && !isResumed)
      await continueAsNew<typeof accountPause>({ account, supportAddress, carried: pause });
    if (!isResumed) continue;
    isResumed = false;
    const { waiting } = pause;
    pause = { ...pause, waiting: [], resumes: pause.resumes + 1 };
    await resumeAll(waiting);
  }
}

/** A server lets a workflow have 2,000 signals under way by default, and fails the task that sends more, for ever. */
async function resumeAll(waiting: readonly PausedShipment[]): Promise<void> {
  for (let first = 0; first < waiting.length; first += RESUMED_AT_ONCE) {
    const batch = waiting.slice(first, first + RESUMED_AT_ONCE);
    await Promise.all(batch.map(async ({ workflowId }) => await resume(workflowId)));
  }
}

async function resume(workflowId: string): Promise<void> {
  try {
    await getExternalWorkflowHandle(workflowId).signal(accountResumedSignal);
  } catch (error) {
    // It was withdrawn meanwhile: there is nothing to resume.
    if (!(error instanceof TemporalFailure)) throw error;
  }
}

function show(pause: AccountPause): void {
  const text = accountPauseText(pause);
  upsertSearchAttributes(accountPausePairs(pause.account));
  upsertMemo({ waitingFor: cutText(text, TEXT_BYTES.memo) });
  setCurrentDetails(cutText(text, TEXT_BYTES.details));
}
