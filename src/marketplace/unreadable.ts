import { assertNever } from '../domain/assert-never';
import { MAX_TEXT_LENGTH, parseJson } from './error-body';
import type { HttpResponse } from './http';

/** Starts with a tag, comment or declaration, or contains one of a page's tags. */
const MARKUP = /^\s*<[a-z!?/]|<(?:!doctype|html|head|body|title)[\s>]/i;
const HTML_TYPE = /\bx?html\b/i;

export const isMarkup = (text: string): boolean => MARKUP.test(text.slice(0, MAX_TEXT_LENGTH));

function unreadableText(text: string, contentType: string): string | null {
  const json = parseJson(text);
  // A JSON string counts by its content.
  if (json !== null) {
    return typeof json.value === 'string' && isMarkup(json.value) ? 'its body is a page in HTML' : null;
  }
  if (text.length > MAX_TEXT_LENGTH) return 'its body is a long text and no JSON';
  if (HTML_TYPE.test(contentType) || isMarkup(text)) return 'its body is a page in HTML';
  return /^\s*[[{]/.test(text) ? 'its body is JSON that breaks off' : null;
}

/**
 * Why a body does not show the service's answer; null for JSON, plain text, or an empty body. Gateways write HTML
 * pages, and such a page may replace the service's answer.
 */
export function unreadableReason({ body, header }: Pick<HttpResponse, 'body' | 'header'>): string | null {
  switch (body.kind) {
    case 'broken':
      return 'its body breaks off';
    case 'tooLarge':
      return `its body has more than ${body.limitInBytes} bytes`;
    case 'undecodable':
      return `its body cannot be decoded as ${body.encoding}`;
    case 'whole':
      return body.isText
        ? unreadableText(body.text, header('content-type') ?? '')
        : 'its body is not text in the charset that it names';
    default:
      return assertNever(body);
  }
}
