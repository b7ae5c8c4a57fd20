import { z } from 'zod';

export interface FieldProblem {
  readonly field: string | null;
  readonly code: string | null;
  readonly reason: string | null;
}

/** An error body as received. Nothing of it may be shown before `redactError`. */
export interface ErrorReading {
  readonly reason: string | null;
  readonly codes: readonly string[];
  readonly fields: readonly FieldProblem[];
}

/** Longer than any text of the service. Bounds the work for whatever a gateway writes. */
export const MAX_TEXT_LENGTH = 16 * 1024;
const MAX_FIELDS = 20;

const text = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .catch(null);

const problemSchema = z.looseObject({
  code: text,
  errorCode: text,
  field: text,
  reason: text,
  message: text,
  developerMessage: text,
  userMessage: text,
});

/** The first few errors; the rest is ignored. */
const firstOf = (errors: unknown): unknown => {
  if (Array.isArray(errors)) return errors.slice(0, MAX_FIELDS);
  if (typeof errors !== 'object' || errors === null) return errors;
  const names = Object.keys(errors).slice(0, MAX_FIELDS);
  return Object.fromEntries(names.map((name): [string, unknown] => [name, Reflect.get(errors, name)]));
};

const bodySchema = z.looseObject({
  reason: text,
  message: text,
  Message: text,
  title: text,
  detail: text,
  error: text,
  error_description: text,
  code: text,
  errors: z.preprocess(
    firstOf,
    z
      .union([
        z.array(z.union([problemSchema, z.string()])),
        // The validation form of ASP.NET: field -> reasons.
        z.record(z.string(), z.array(z.string())),
      ])
      .nullish()
      .catch(null),
  ),
});

const clean = (value: string | null | undefined): string | null => {
  const line = (value ?? '').slice(0, MAX_TEXT_LENGTH).replace(/\s+/g, ' ').trim();
  return line === '' ? null : line;
};

/** Elements whose content is not text. */
const NO_TEXT = ['script', 'style'];

/** The title of a page, or else its text. Looks at each character once, which a pattern with two ends would not. */
function readHtml(page: string): string | null {
  const html = page.slice(0, MAX_TEXT_LENGTH);
  const lower = html.toLowerCase();
  let text = '';
  for (let at = 0; at < html.length;) {
    const tag = html.indexOf('<', at);
    const end = tag < 0 ? -1 : html.indexOf('>', tag);
    text += `${html.slice(at, tag < 0 ? undefined : tag)} `;
    if (end < 0) break;
    const inner = lower.slice(tag + 1, end);
    if (/^title\b/.test(inner)) {
      const title = clean(html.slice(end + 1).split('<', 1)[0]);
      if (title !== null) return title;
    }
    const closing = NO_TEXT.find((name) => inner.startsWith(name));
    const next = closing === undefined ? end + 1 : lower.indexOf(`</${closing}`, end);
    if (next < 0) break;
    at = next;
  }
  return clean(text);
}

function readProblems(errors: z.output<typeof bodySchema>['errors']): FieldProblem[] {
  if (errors === null || errors === undefined) return [];
  if (!Array.isArray(errors)) {
    return Object.entries(errors).map(([field, reasons]) => ({
      field,
      code: null,
      reason: clean(reasons.join(', ')),
    }));
  }
  return errors.map((problem) =>
    typeof problem === 'string'
      ? { field: null, code: null, reason: clean(problem) }
      : {
          field: clean(problem.field),
          code: clean(problem.code ?? problem.errorCode),
          reason: clean(problem.reason ?? problem.developerMessage ?? problem.userMessage ?? problem.message),
        },
  );
}

/** @returns null for a text that is not JSON */
export function parseJson(body: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(body) };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * Reads known forms of error bodies: the service's `{reason, errors: [{code, field, reason}]}` and `{errors:
 * [{errorCode, field, developerMessage, userMessage}]}`, a gateway's `{message}`, OAuth's `{error,
 * error_description}`, HTML, plain text and an empty body. Never fails, because the status already says no.
 */
export function readErrorBody(body: string): ErrorReading {
  const json = parseJson(body);
  if (json !== null) return readErrorValue(json.value);
  const reason = /<[a-z!]/i.test(body.slice(0, MAX_TEXT_LENGTH)) ? readHtml(body) : clean(body);
  return { reason, codes: [], fields: [] };
}

/** The same for a parsed body. */
export function readErrorValue(body: unknown): ErrorReading {
  if (typeof body === 'string') return { reason: clean(body), codes: [], fields: [] };
  const parsed = bodySchema.safeParse(Array.isArray(body) ? { errors: body } : body);
  if (!parsed.success) return { reason: null, codes: [], fields: [] };
  const {
    reason,
    message,
    Message,
    title,
    detail,
    error,
    error_description: description,
    code,
  } = parsed.data;
  const fields = readProblems(parsed.data.errors);
  const oauth = [error, description].filter((part) => part !== null && part !== undefined).join(': ');
  const codes = [clean(code), ...fields.map((problem) => problem.code)].filter((value) => value !== null);
  return {
    reason:
      clean(reason) ?? clean(message) ?? clean(Message) ?? clean(oauth) ?? clean(detail) ?? clean(title),
    codes: [...new Set(codes)],
    fields,
  };
}
