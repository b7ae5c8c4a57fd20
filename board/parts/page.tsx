import { Alert, Anchor, Button, Code, Group, Text, Title } from '@mantine/core';
import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import { Time } from './time';

/** An order, with the link to its page. */
export function OrderLink({
  order: { account, orderId },
  inherit = false,
}: {
  readonly order: { readonly account: string; readonly orderId: string };
  /** Whether it looks as the text around it. */
  readonly inherit?: boolean;
}): ReactNode {
  return (
    <Anchor component={Link} href={`/shipments/${account}/${orderId}`} inherit={inherit}>
      {account}/{orderId}
    </Anchor>
  );
}

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

/** How many entries of a list are shown, and a button for more. */
export function More({
  of: { data, hasNextPage, isFetchingNextPage, fetchNextPage },
  shown,
}: {
  readonly of: UseInfiniteQueryResult;
  readonly shown: number;
}): ReactNode {
  return (
    <Group mt="md">
      {hasNextPage ? (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      ) : null}
      <Text size="sm" c="dimmed" role="status">
        {data === undefined ? '' : `${shown} shown${hasNextPage ? ', there are more' : ''}`}
      </Text>
    </Group>
  );
}

/** For what appears below the fields that a person has just sent. The same function each time, so it scrolls once. */
export const intoView = (node: HTMLElement | null): void => node?.scrollIntoView({ block: 'nearest' });

/** Why a request failed. */
export function Problem({ error, title }: { readonly error: Error; readonly title?: string }): ReactNode {
  return (
    <Alert color="red" title={title ?? 'The API refused or did not answer'} role="alert" my="sm">
      {error.message}
    </Alert>
  );
}

/** A command between backticks, or an instant. */
const PARTS = /(`[^`]*`|\d{4}-\d{2}-\d{2}T[\d:.]+Z)/;

/** Shows commands as code, because texts name those that do the same, and instants in the reader's time zone. */
export function Words({ text }: { readonly text: string }): ReactNode {
  return <span className="words">{text.split(PARTS).map(shown)}</span>;
}

/** Each second part is one that the pattern found. */
function shown(part: string, index: number): ReactNode {
  if (index % 2 === 0) return <Fragment key={index}>{part}</Fragment>;
  return part.startsWith('`') ? <Code key={index}>{part.slice(1, -1)}</Code> : <Time key={index} at={part} />;
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
