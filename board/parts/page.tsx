import { Alert, Code, Group, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';

/** A page's heading, with what stands beside it. */
export function Heading({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <Group justify="space-between" my="sm">
      <Title order={1} size="h2">
        {title}
      </Title>
      {children}
    </Group>
  );
}

/** Shows what is read, while it is read, and why it cannot be read. What was read before stays visible. */
export function Read<T>({
  of: { data, error, isPending },
  children,
}: {
  readonly of: UseQueryResult<T>;
  readonly children: (found: T) => ReactNode;
}): ReactNode {
  return (
    <>
      {error === null ? null : <Problem error={error} />}
      {data === undefined ? isPending && error === null ? <Text>Loading…</Text> : null : children(data)}
    </>
  );
}

/** Why a request failed. */
export function Problem({ error, title }: { readonly error: Error; readonly title?: string }): ReactNode {
  return (
    <Alert color="red" title={title ?? 'The API refused or did not answer'} role="alert" my="sm">
      {error.message}
    </Alert>
  );
}

/** Shows words between backticks as code: texts name the commands that do the same. */
export function Words({ text }: { readonly text: string }): ReactNode {
  return (
    <span className="words">
      {text
        .split('`')
        .map((part, index) =>
          index % 2 === 1 ? <Code key={index}>{part}</Code> : <Fragment key={index}>{part}</Fragment>,
        )}
    </span>
  );
}

/** Names and values; those without a value are left out. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }): ReactNode {
  return (
    <dl className="facts">
      {facts.map(([name, value]) =>
        value === null || value === undefined || value === '' ? null : (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ),
      )}
    </dl>
  );
}
