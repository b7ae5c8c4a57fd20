import type { z } from 'zod';

/** The kind of a value, never the value. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'empty array' : 'array';
  return value === '' ? 'empty string' : typeof value;
}

/** What the schema expects. The messages of Consign's own checks are fixed texts; those of the library are not used. */
export function expectedBy(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected;
    case 'invalid_union': {
      const forms = issue.errors
        .flat()
        .flatMap((inner) => (inner.path.length === 0 ? [expectedBy(inner)] : []));
      return forms.length === 0 ? 'one of its forms' : [...new Set(forms)].join(' or ');
    }
    case 'too_small':
      return issue.origin === 'string' ? 'text that is not empty' : `at least ${issue.minimum}`;
    case 'invalid_format':
      return issue.format === 'regex' ? wanted(issue.message) : issue.format;
    case 'custom':
      return wanted(issue.message);
    default:
      return issue.code;
  }
}

/** Shortens a message such as `must be an ISO 8601 timestamp` to what it names. */
const wanted = (message: string): string => message.replace(/^must be (an? )?/, '');
