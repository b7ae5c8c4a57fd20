import { condition, defineSignal, defineUpdate, setHandler, sleep, upsertMemo } from '@temporalio/workflow';

export const WINDOW_MS = 1_000;
export const heardSignal = defineSignal('heard');
export const answerUpdate = defineUpdate<void>('answer');

/** In the place of the real workflow: what it does depends on how long ago it heard the signal. */
export async function furnitureShipment(): Promise<void> {
  let heardAt: number | null = null;
  let isAnswered = false;
  setHandler(heardSignal, () => {
    heardAt = Date.now();
  });
  setHandler(answerUpdate, () => {
    isAnswered = true;
  });
  await condition(() => isAnswered && heardAt !== null);
  if (Date.now() - (heardAt ?? 0) < WINDOW_MS) await sleep(1);
  else upsertMemo({ isLate: true });
}
