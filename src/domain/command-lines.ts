import type { AnswerKind, Question } from './question';
import { orderReference, type OrderKey } from './workflow-id';

/** One order, or `ORDER` where any may be meant. */
type Named = OrderKey | 'ORDER';

/** Who acts, and why. Words in capitals are for the reader to fill in. */
const STATEMENT = '--by NAME --reason TEXT';

interface AnswerLine {
  readonly answer: AnswerKind;
  /** Named where the answer says that nothing exists: it must not reach a question that came later. */
  readonly questionId?: string;
  /** The answer is taken only from somebody who has looked. */
  readonly isChecked?: boolean;
}

/** What an answer says beside its kind. */
const NEEDS: Partial<Record<AnswerKind, string>> = {
  adopt: ' --listing ID',
  selectRate: ' --rate ID',
  premium: ' --premium AMOUNT',
};

/**
 * Every command that a text tells the reader to type: no other place writes one. A test gives each of them to the
 * command line itself.
 */
export const commandLines = {
  acknowledge(order: Named, listingId: string | null = null): string {
    const listing = listingId === null ? '' : ` --listing ${listingId}`;
    return `consign events acknowledge ${nameOf(order)}${listing} ${STATEMENT}`;
  },
  answer(order: Named, { answer, questionId, isChecked = false }: AnswerLine): string {
    if (answer === 'cancel') return this.cancel(order);
    if (answer === 'revise') return this.revise();
    const needsId = answer === 'resend' || answer === 'abandon';
    const question = needsId ? ` --question ${questionId ?? 'ID'}` : '';
    const checked = isChecked ? ' --checked "what you checked"' : '';
    return `consign answer ${nameOf(order)} ${answer}${NEEDS[answer] ?? ''}${question}${checked} ${STATEMENT}`;
  },
  attention: () => 'consign attention',
  cancel: (order: Named) => `consign cancel ${nameOf(order)} ${STATEMENT}`,
  events: () => 'consign events list',
  explain: (path: string | null = null) => (path === null ? 'consign explain' : `consign explain ${path}`),
  fix: (file: string) => `consign validate --fix ${shellWord(file)}`,
  help: () => 'consign --help',
  list: () => 'consign list',
  quote: () => 'consign quote FILE',
  retryAccount: (account: string) => `consign accounts retry ${account} ${STATEMENT}`,
  revise: () => `consign revise FILE ${STATEMENT}`,
  setup: () => 'consign setup',
  show: (order: Named) => `consign show ${nameOf(order)}`,
  start: (file: string = 'FILE') => `consign start ${shellWord(file)}`,
  startAgain: () => 'consign start FILE --checked "what you checked" --by NAME',
  watch: (order: Named) => `consign watch ${nameOf(order)}`,
};

const nameOf = (order: Named): string =>
  order === 'ORDER' ? order : orderReference(order.account, order.orderId);

/** As a shell takes it. */
export const shellWord = (file: string): string =>
  /^[\w./:@-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;

/**
 * One command for each answer that a question takes.
 * @param checkable the answers that do more when the person has looked at the marketplace
 */
export function answerLines(
  order: OrderKey,
  { id, answers }: Pick<Question, 'id' | 'answers'>,
  checkable: readonly AnswerKind[] = [],
): string[] {
  const isChecked = true;
  return [
    ...answers.map((answer) => commandLines.answer(order, { answer, questionId: id })),
    ...checkable.map((answer) => commandLines.answer(order, { answer, questionId: id, isChecked })),
  ];
}
