import type { FailureType } from './failure-type';
import type { QuestionKind } from './question';

const kebab = (name: string): string => name.replaceAll(/(?<=[a-z])[A-Z]/g, '-$&').toLowerCase();

/** Where the documentation explains a question of a kind: what happened, what is unknown, what to type. */
export const questionPage = (kind: QuestionKind): string => `docs/questions.md#${kebab(kind)}`;

/** Where the documentation explains a type of failure. */
export const errorPage = (type: FailureType): string => `docs/errors.md#${kebab(type)}`;
