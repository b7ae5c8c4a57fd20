import type { FailureType } from './failure-type';
import type { QuestionKind } from './question';

const kebab = (name: string): string => name.replaceAll(/(?<=[a-z])[A-Z]/g, '-$&').toLowerCase();

/** The documentation page of a kind of question. */
export const questionPage = (kind: QuestionKind): string => `docs/questions.md#${kebab(kind)}`;

/** The documentation page of a failure type. */
export const errorPage = (type: FailureType): string => `docs/errors.md#${kebab(type)}`;

/** The documentation of a problem that the HTTP API answers with. */
export const problemPage = (code: string): string => `docs/errors.md#${code.toLowerCase()}`;
