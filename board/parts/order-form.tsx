import {
  ActionIcon,
  Button,
  Checkbox,
  Fieldset,
  Group,
  NumberInput,
  Select,
  Stack,
  TextInput,
} from '@mantine/core';
import { useMemo, useState, type ReactNode } from 'react';
import orderSchema from '../../schema/order.json';
import type { ShipmentKind } from '../../src/domain/shipment';
import { chosenForm, formSchema, titleOf, type FormSchema } from '../order-form';

type Document = Readonly<Record<string, unknown>>;

interface Props {
  readonly kind: ShipmentKind;
  readonly accounts: readonly string[];
  readonly document: Document;
  readonly onChange: (document: Document) => void;
}

/**
 * An order as a form, made of the JSON Schema of the order. The API checks what is written: it knows more than the schema,
 * and says it in words.
 */
export function OrderForm({ kind, accounts, document, onChange }: Props): ReactNode {
  // TypeScript reads the file's own literal types, which are not those of a schema.
  const schema = useMemo(
    () => formSchema(orderSchema as unknown as FormSchema, kind, accounts),
    [kind, accounts],
  );
  return <Properties schema={schema} isRequired value={document} onChange={onChange} />;
}

interface FieldProps {
  readonly title: string;
  readonly schema: FormSchema;
  readonly isRequired: boolean;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function Properties({
  schema: { properties = {}, required = [] },
  isRequired,
  value,
  onChange,
}: Pick<FieldProps, 'schema' | 'isRequired' | 'value'> & {
  readonly onChange: (value: Document) => void;
}): ReactNode {
  const document = isDocument(value) ? value : {};
  return (
    <div className="fields">
      {Object.entries(properties).map(([name, schema]) => (
        <Field
          key={name}
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
  const { title, schema, isRequired, value, onChange } = props;
  const { type, anyOf, enum: values, items, format, description } = schema;
  const common = { label: title, description, required: isRequired };
  if (anyOf !== undefined) return <Choice {...props} forms={anyOf} />;
  if (type === 'object')
    return (
      <Fieldset legend={title}>
        <Properties schema={schema} isRequired={isRequired} value={value} onChange={onChange} />
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
        <Properties schema={form} isRequired={isRequired} value={value} onChange={onChange} />
      </Stack>
    </Fieldset>
  );
}

function List({
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
          <Properties
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
