import type { AnswerKind, Question } from './question';
import { orderReference, type OrderKey } from './workflow-id';

/** An order, or `ORDER` in a text that applies to any order. */
type Named = OrderKey | 'ORDER';

/** Who acts, and why. The reader replaces the words in capitals. */
const STATEMENT = '--by NAME --reason TEXT';

interface AnswerLine {
  readonly answer: AnswerKind;
  /** Included when an answer states that nothing exists: it must not reach a later question. */
  readonly questionId?: string;
  /** The answer is accepted only from a person who has checked the marketplace. */
  readonly isChecked?: boolean;
}

/** Options that an answer needs besides its kind. */
const NEEDS: Partial<Record<AnswerKind, string>> = {
  adopt: ' --listing ID',
  selectRate: ' --rate ID',
  premium: ' --premium AMOUNT',
};

/** Every command that a text asks the reader to type. No other place writes one, and a test gives each to the CLI. */
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
  retryNotifications: (account: string, endpoint: string) =>
    `consign notifications retry --account ${account} --endpoint ${endpoint}`,
  revise: () => `consign revise FILE ${STATEMENT}`,
  setup: () => 'consign setup',
  show: (order: Named) => `consign show ${nameOf(order)}`,
  start: (file: string = 'FILE') => `consign start ${shellWord(file)}`,
  startAgain: () => 'consign start FILE --checked "what you checked" --by NAME',
  watch: (order: Named) => `consign watch ${nameOf(order)}`,
};

const nameOf = (order: Named): string =>
  order === 'ORDER' ? order : orderReference(order.account, order.orderId);

/** Quotes a file name for a shell, if needed. */
export const shellWord = (file: string): string =>
  /^[\w./:@-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;

/**
 * One command for each answer to a question.
 * @param checkable the answers that do more when the person has checked the marketplace
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
