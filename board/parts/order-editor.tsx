import { Alert, Group, Paper, SegmentedControl, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ShipmentKind } from '../../src/domain/shipment';
import type { FieldProblem } from '../../src/starter/api/api-error';
import { ApiProblem } from '../api';
import { withoutEmpty } from '../order-form';
import { OrderForm } from './order-form';
import { intoView, Problem } from './page';

export type Document = Readonly<Record<string, unknown>>;

/** An order while a person writes it, as a form or as JSON. */
export interface Draft {
  readonly mode: 'form' | 'json';
  readonly kind: ShipmentKind;
  readonly document: Document;
  /** The document as JSON, as far as it is written. */
  readonly text: string;
}

export const draftOf = (document: Document, kind: ShipmentKind): Draft => ({
  ...{ mode: 'form', kind, document, text: '' },
});

const isObject = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The document of a draft; null while its JSON is not one. */
export function documentIn({ mode, kind, document, text }: Draft): Document | null {
  if (mode === 'form') return { ...(withoutEmpty(document) as Document), kind };
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function inMode(draft: Draft, mode: Draft['mode']): Draft {
  const document = documentIn(draft);
  if (mode === 'json') return { ...draft, mode, text: JSON.stringify(document, null, 2) };
  if (document === null) return { ...draft, mode };
  const { kind } = document;
  return { ...draft, mode, document, kind: kind === 'furniture' || kind === 'ltl' ? kind : draft.kind };
}

interface Props {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  /** Null: the order exists, and keeps its account, its id and its kind. */
  readonly accounts: readonly string[] | null;
  /** Why the API refused the document. */
  readonly error: Error | null;
}

/** Writes an order, as a form or as JSON, with what is wrong at its fields. */
export function OrderEditor({ draft, onChange, accounts, error }: Props): ReactNode {
  const { mode, kind, document, text } = draft;
  return (
    <>
      <Group>
        <SegmentedControl
          aria-label="How the order is written"
          data={[
            { value: 'form', label: 'Form' },
            { value: 'json', label: 'JSON' },
          ]}
          value={mode}
          onChange={(next) => onChange(inMode(draft, next === 'json' ? 'json' : 'form'))}
        />
      </Group>
      {mode === 'form' ? (
        <Paper withBorder p="md">
          {accounts === null ? null : (
            <SegmentedControl
              aria-label="Kind of order"
              mb="md"
              data={[
                { value: 'ltl', label: 'LTL' },
                { value: 'furniture', label: 'Furniture' },
              ]}
              value={kind}
              onChange={(next) => onChange({ ...draft, kind: next === 'furniture' ? 'furniture' : 'ltl' })}
            />
          )}
          <OrderForm
            kind={kind}
            accounts={accounts}
            document={document}
            problems={problemsAt(error)}
            onChange={(next) => onChange({ ...draft, document: next })}
          />
        </Paper>
      ) : (
        <Textarea
          label="Order document as JSON"
          description="With every field that an order may have; the form keeps those that it does not show."
          autosize
          minRows={12}
          maxRows={30}
          value={text}
          error={text.trim() !== '' && documentIn(draft) === null ? 'This is not a JSON object' : null}
          onChange={(event) => onChange({ ...draft, text: event.currentTarget.value })}
        />
      )}
    </>
  );
}

const errorsOf = (error: Error | null): readonly FieldProblem[] =>
  error instanceof ApiProblem ? (error.problem.errors ?? []) : [];

/** `$.order.pickup.on` as `$.pickup.on`: the document is a part of the request. */
const pathInDocument = (path: string): string => path.replace(/^\$\.order\b/, '$');

/** What is wrong at each path of the document. */
const problemsAt = (error: Error | null): ReadonlyMap<string, string> =>
  new Map(
    errorsOf(error).map(({ path, problem, remedy }) => {
      const at = pathInDocument(path);
      return [at, `${at}: ${problem}; ${remedy}`];
    }),
  );

/** Every problem of the order at once. */
export function OrderProblems({ error }: { readonly error: Error }): ReactNode {
  const errors = errorsOf(error);
  if (errors.length === 0) return <Problem error={error} />;
  return (
    <Alert color="red" title={error.message} role="alert" ref={intoView}>
      <ul>
        {errors.map(({ path, problem, remedy }) => (
          <li key={`${path} ${problem}`}>
            <strong>{pathInDocument(path)}</strong>: {problem}; {remedy}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
