import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import type { Question } from '../../domain/question';
import { questionSummary } from '../../domain/question-summary';
import type { OrderKey } from '../../domain/workflow-id';

/** It only shows: nothing happens when it is over but that the next one begins. */
const SHOWN_FOR = '365 days';

/**
 * Shows the open question on the first page of Temporal's web UI, where a workflow that only waits for a person would
 * look as if nothing went on: one timer for each question, whose summary it is, cancelled when the question closes. A run
 * that goes on as a new one starts it again there.
 */
export class QuestionTimer {
  /** The question outlives whatever work it was opened in: a scope that is cancelled must not end its timer. */
  private readonly shield = new CancellationScope({ cancellable: false });
  private shown: { readonly id: string; readonly scope: CancellationScope } | null = null;

  /** @param question null when none is open */
  show(order: OrderKey, question: Question | null): void {
    if (question?.id === this.shown?.id) return;
    this.shown?.scope.cancel();
    this.shown = null;
    if (question === null) return;
    const scope = new CancellationScope({ cancellable: true, parent: this.shield });
    this.shown = { id: question.id, scope };
    const summary = questionSummary(order, question);
    scope
      .run(async () => {
        for (;;) await sleep(SHOWN_FOR, { summary });
      })
      .catch((error: unknown) => {
        if (!isCancellation(error)) throw error;
      });
  }
}
