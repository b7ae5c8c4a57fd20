import {
  ActivityCancellationType,
  CancellationScope,
  condition,
  defineSignal,
  defineUpdate,
  proxyActivities,
  setHandler,
  sleep,
  upsertMemo,
} from '@temporalio/workflow';

export const gaveUpSignal = defineSignal('gaveUp');
export const heardSignal = defineSignal('heard');
export const answerUpdate = defineUpdate<void>('answer');

const { wait } = proxyActivities<{ wait(): Promise<void> }>({
  taskQueue: 'no-worker',
  startToCloseTimeout: '1 hour',
  cancellationType: ActivityCancellationType.TRY_CANCEL,
});

/**
 * In the place of the real workflow: what it does depends on whether the answer comes with the event. The end of its
 * cancelled activity is a task that the SDK does not give to it.
 */
export async function furnitureShipment(): Promise<void> {
  let isHeard = false;
  let isAnswered = false;
  const waiting = new CancellationScope();
  setHandler(gaveUpSignal, () => waiting.cancel());
  setHandler(heardSignal, () => {
    isHeard = true;
  });
  setHandler(answerUpdate, () => {
    isAnswered = true;
  });
  const waited = waiting.run(wait).then(
    () => 'done',
    () => 'given up',
  );
  await condition(() => isHeard);
  if (isAnswered) await sleep(1);
  else upsertMemo({ isUnanswered: true });
  await condition(() => isAnswered);
  await waited;
}
