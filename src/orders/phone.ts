import type { Problems } from './problem';

/** Behind the number: x12, ext. 12, extension 12, poste 12 (French), #1001, and the pauses of a dialler. */
const EXTENSION =
  /^(?<number>.*\d) ?[-,;(]* ?(?:(?:extension|extn?|x|poste)\b[.:=# ]*|(?:extension|extn?|x|poste)(?=\d)|# ?|,+ ?)(?<extension>\d{1,7})\)?$/i;

/** The most digits that stand together, without a word between them. */
const digitsOf = (text: string): number =>
  Math.max(...text.split(/[a-z#]+/i).map((part) => part.replaceAll(/\D/g, '').length));

/**
 * The phone of a contact. The contract has one text for it and nothing of its form, so that an extension is sent in
 * it, written as people read it best; it counts for none of the ten digits.
 */
export function readPhone(given: string, path: string, problems: Problems): string {
  const { number, extension } = EXTENSION.exec(given.replaceAll(/\s+/g, ' ').trim())?.groups ?? {};
  if (digitsOf(number ?? given) < 10) {
    const problem = 'the phone number has fewer than ten digits';
    problems.add(path, problem, 'write it with its area code');
  }
  if (number === undefined || extension === undefined) return given;
  const problem = 'has an extension; it is sent behind the number, and a carrier may dial without it';
  problems.warn(path, problem, 'give a direct number if there is one');
  return `${number} x${extension}`;
}
