import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import type { Question } from '../../domain/question';
import { questionSummary } from '../../domain/question-summary';
import type { OrderKey } from '../../domain/workflow-id';

/** Only for display: when the timer fires, the next one starts. */
const SHOWN_FOR = '365 days';

/**
 * Shows the open question on the first page of Temporal's web UI, where a workflow that waits for a person would seem
 * idle. Each question has one timer, with the question as its summary, cancelled when the question closes. After
 * continue-as-new the new run starts the timer again.
 */
export class QuestionTimer {
  /** The question outlives the work that opened it: a cancelled scope must not end its timer. */
  private readonly shield = new CancellationScope({ cancellable: false });
  private shown: { readonly id: string; readonly scope: CancellationScope } | null = null;

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
