import {
  ActionIcon,
  Button,
  Checkbox,
  Fieldset,
  Group,
  Input,
  NumberInput,
  Select,
  Stack,
  TextInput,
} from '@mantine/core';
import { createContext, use, useMemo, useState, type ReactNode } from 'react';
import orderSchema from '../../schema/order.json';
import type { ShipmentKind } from '../../src/domain/shipment';
import { chosenForm, formSchema, titleOf, type FormSchema } from '../order-form';

type Document = Readonly<Record<string, unknown>>;

interface Props {
  readonly kind: ShipmentKind;
  /** Null: the order exists, and keeps its account and its id. */
  readonly accounts: readonly string[] | null;
  readonly document: Document;
  /** What is wrong, by the JSON path of the field. */
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (document: Document) => void;
}

/**
 * An order as a form, made of the JSON Schema of the order. The API checks what is written: it knows more than the schema,
 * and says it in words.
 */
export function OrderForm({ kind, accounts, document, problems, onChange }: Props): ReactNode {
  // TypeScript reads the file's own literal types, which are not those of a schema.
  const schema = useMemo(
    () => formSchema(orderSchema as unknown as FormSchema, kind, accounts),
    [kind, accounts],
  );
  return (
    <ProblemsContext value={problems}>
      <Properties path="$" schema={schema} isRequired value={document} onChange={onChange} />
    </ProblemsContext>
  );
}

const ProblemsContext = createContext<ReadonlyMap<string, string>>(new Map());

/** What is wrong with a group of fields as a whole. */
function GroupProblem({ path }: Pick<FieldProps, 'path'>): ReactNode {
  const problem = use(ProblemsContext).get(path);
  return problem === undefined ? null : <Input.Error mb="xs">{problem}</Input.Error>;
}

interface FieldProps {
  /** JSON path in the document. */
  readonly path: string;
  readonly title: string;
  readonly schema: FormSchema;
  readonly isRequired: boolean;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function Properties({
  path,
  schema: { properties = {}, required = [] },
  isRequired,
  value,
  onChange,
}: Pick<FieldProps, 'path' | 'schema' | 'isRequired' | 'value'> & {
  readonly onChange: (value: Document) => void;
}): ReactNode {
  const document = isDocument(value) ? value : {};
  return (
    <div className="fields">
      {Object.entries(properties).map(([name, schema]) => (
        <Field
          key={name}
          path={`${path}.${name}`}
          title={titleOf(name)}
          schema={schema}
          // A part of a group that may be left out may be left out with it.
          isRequired={isRequired && required.includes(name)}
          value={document[name]}
          onChange={(inner) => onChange({ ...document, [name]: inner })}
        />
      ))}
    </div>
  );
}

function Field(props: FieldProps): ReactNode {
  const { path, title, schema, isRequired, value, onChange } = props;
  const error = use(ProblemsContext).get(path);
  const { type, anyOf, enum: values, items, format, description } = schema;
  const common = { label: title, description, required: isRequired, error };
  if (anyOf !== undefined) return <Choice {...props} forms={anyOf} />;
  if (type === 'object')
    return (
      <Fieldset legend={title}>
        <GroupProblem path={path} />
        <Properties path={path} schema={schema} isRequired={isRequired} value={value} onChange={onChange} />
      </Fieldset>
    );
  if (items !== undefined) return <List {...props} items={items} />;
  if (values !== undefined)
    return (
      <Select
        {...common}
        data={values.map(String)}
        value={typeof value === 'string' ? value : null}
        clearable={!isRequired}
        clearButtonProps={{ 'aria-label': `Clear ${title}` }}
        searchable={values.length > 10}
        onChange={(next) => onChange(next ?? undefined)}
      />
    );
  if (type === 'boolean')
    return (
      <Checkbox
        label={title}
        description={description}
        error={error}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked || undefined)}
      />
    );
  if (type === 'number' || type === 'integer')
    return (
      <NumberInput
        {...common}
        hideControls
        allowDecimal={type === 'number'}
        value={typeof value === 'number' ? value : ''}
        onChange={(next) => onChange(typeof next === 'number' ? next : undefined)}
      />
    );
  return (
    <TextInput
      {...common}
      type={format === 'date' ? 'date' : 'text'}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** One of several forms, such as a day, or the days between two. */
function Choice({
  path,
  title,
  schema,
  isRequired,
  value,
  onChange,
  forms,
}: FieldProps & { readonly forms: readonly FormSchema[] }): ReactNode {
  const [chosen, setChosen] = useState(() => chosenForm(forms, value));
  const form = forms[chosen] ?? {};
  return (
    <Fieldset legend={title}>
      <Stack gap="sm">
        <GroupProblem path={path} />
        <Select
          label={`How ${title.toLowerCase()} is given`}
          description={schema.description}
          data={forms.map((one, index) => ({ value: String(index), label: one.title ?? titleOf('form') }))}
          allowDeselect={false}
          value={String(chosen)}
          onChange={(next) => {
            setChosen(Number(next));
            onChange(undefined);
          }}
        />
        <Properties path={path} schema={form} isRequired={isRequired} value={value} onChange={onChange} />
      </Stack>
    </Fieldset>
  );
}

function List({
  path,
  title,
  isRequired,
  value,
  onChange,
  items,
}: FieldProps & { readonly items: NonNullable<FormSchema['items']> }): ReactNode {
  const known: readonly unknown[] = Array.isArray(value) ? value : [];
  const set = (index: number, inner: unknown): void => {
    const next = [...known];
    next[index] = inner;
    onChange(next);
  };
  // A fixed number of parts, such as the first and the last day.
  if (Array.isArray(items))
    return (
      <Group align="end">
        {(items as readonly FormSchema[]).map((item, index) => (
          <Field
            key={String(item.description)}
            path={`${path}[${index}]`}
            title={(item.description ?? `${title} ${index + 1}`).replace(/\.$/, '')}
            schema={{ ...item, description: undefined }}
            isRequired
            value={known[index]}
            onChange={(inner) => set(index, inner)}
          />
        ))}
      </Group>
    );
  const { enum: values } = items as FormSchema;
  if (values !== undefined)
    return (
      <Fieldset legend={title}>
        <GroupProblem path={path} />
        <Stack gap="xs">
          {values.map((one) => (
            <Checkbox
              key={String(one)}
              label={titleOf(String(one))}
              checked={known.includes(one)}
              onChange={(event) =>
                onChange(
                  event.currentTarget.checked ? [...known, one] : known.filter((other) => other !== one),
                )
              }
            />
          ))}
        </Stack>
      </Fieldset>
    );
  const entries = known.length === 0 ? [undefined] : known;
  return (
    <Stack gap="sm" className="group">
      {entries.map((entry, index) => (
        <Fieldset key={index} legend={`${title} ${index + 1}`}>
          <GroupProblem path={`${path}[${index}]`} />
          <Properties
            path={`${path}[${index}]`}
            schema={items as FormSchema}
            isRequired={isRequired}
            value={entry}
            onChange={(inner) => set(index, inner)}
          />
          {entries.length < 2 ? null : (
            <ActionIcon
              mt="sm"
              variant="default"
              aria-label={`Remove ${title} ${index + 1}`}
              onClick={() => onChange(entries.filter((_, other) => other !== index))}
            >
              ✕
            </ActionIcon>
          )}
        </Fieldset>
      ))}
      <Group>
        <Button size="compact-sm" variant="default" onClick={() => onChange([...entries, {}])}>
          Add to {title.toLowerCase()}
        </Button>
      </Group>
    </Stack>
  );
}
