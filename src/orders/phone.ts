import type { Problems } from './problem';

/** After the number: x12, ext. 12, extension 12, poste 12 (French), #1001, and the pauses of a dialler. */
const EXTENSION =
  /^(?<number>.*\d) ?[-,;(]* ?(?:(?:extension|extn?|x|poste)\b[.:=# ]*|(?:extension|extn?|x|poste)(?=\d)|# ?|,+ ?)(?<extension>\d{1,7})\)?$/i;

/** The longest group of digits without a word between them. */
const digitsOf = (text: string): number =>
  Math.max(...text.split(/[a-z#]+/i).map((part) => part.replaceAll(/\D/g, '').length));

/**
 * The phone of a contact. The contract has one text for it, without a format: Consign sends the extension in it, in its
 * usual spelling. The digits of the extension do not count towards the ten.
 */
export function readPhone(given: string, path: string, problems: Problems): string {
  const { number, extension } = EXTENSION.exec(given.replaceAll(/\s+/g, ' ').trim())?.groups ?? {};
  if (digitsOf(number ?? given) < 10) {
    const problem = 'the phone number has fewer than ten digits';
    problems.add(path, problem, 'write it with its area code');
  }
  if (number === undefined || extension === undefined) return given;
  const problem = 'has an extension; Consign sends it after the number, and a carrier may not dial it';
  problems.warn(path, problem, 'give a direct number if there is one');
  return `${number} x${extension}`;
}
