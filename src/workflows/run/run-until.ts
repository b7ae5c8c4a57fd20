import { CancellationScope, condition, isCancellation } from '@temporalio/workflow';

export type Raced<T> = { readonly kind: 'done'; readonly value: T } | { readonly kind: 'interrupted' };

type Settled<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

/**
 * Runs cancellable work (polls, timers) until it is done or `interrupted` holds, and leaves none of it running. The
 * result of finished work is never thrown away, even when both happen at once.
 */
export async function runUntil<T>(work: () => Promise<T>, interrupted: () => boolean): Promise<Raced<T>> {
  const settled: Settled<T>[] = [];
  const scope = new CancellationScope();
  const running = scope.run(work).then(
    (value) => settled.push({ ok: true, value }),
    (error: unknown) => settled.push({ ok: false, error }),
  );
  await condition(() => settled.length > 0 || interrupted());
  scope.cancel();
  await running;
  const [end] = settled;
  if (end === undefined) throw new TypeError('the work ended without an outcome');
  if (end.ok) return { kind: 'done', value: end.value };
  if (isCancellation(end.error)) return { kind: 'interrupted' };
  throw end.error;
}
