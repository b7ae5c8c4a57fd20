import { Alert, Badge, SegmentedControl, Table } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { EventSummary } from '../../src/starter/client/event-client';
import type { UnroutedEventResult } from '../../src/contract/workflow-input';
import { useMutation } from '@tanstack/react-query';
import { Button, Text } from '@mantine/core';
import { json, shipmentPath } from '../api';
import { Decision } from '../parts/decision';
import { Heading, More, OrderLink, Problem, Words } from '../parts/page';
import { Time } from '../parts/time';
import { useEvents, useRefresh } from '../queries';
import { useSession } from '../session';

const KINDS = [
  { value: 'all', label: 'All' },
  { value: 'foreign', label: 'Of no order' },
  { value: 'unrouted', label: 'Not read yet' },
  { value: 'late', label: 'After the end' },
];

const SAYS = { foreign: 'of no order', unrouted: 'not read yet', late: 'after the end' } as const;

/** Events that no running shipment received. */
export function EventsPage(): ReactNode {
  const [kind, setKind] = useState('all');
  const pages = useEvents({ kind: kind === 'all' ? undefined : kind });
  const events = onePerRow(pages.data?.pages.flatMap((page) => page.events) ?? []);
  return (
    <>
      <Heading title="Events">
        <SegmentedControl aria-label="Kind of event" data={KINDS} value={kind} onChange={setKind} size="xs" />
      </Heading>
      {pages.error === null ? null : <Problem error={pages.error} />}
      {pages.isPending ? <Text>Loading…</Text> : null}
      {pages.data !== undefined && events.length === 0 ? (
        <Alert color="green" title="No event">
          Every event reached its shipment.
        </Alert>
      ) : null}
      {events.length === 0 ? null : (
        <Table.ScrollContainer
          minWidth={600}
          type="native"
          tabIndex={0}
          role="region"
          aria-label="Events, as a table"
        >
          <Table striped>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Listing</Table.Th>
                <Table.Th>Kind</Table.Th>
                <Table.Th>What it says</Table.Th>
                <Table.Th>Since</Table.Th>
                <Table.Th>Decide</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {events.map((event) => (
                <Row key={keyOf(event)} event={event} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <More of={pages} shown={events.length} />
    </>
  );
}

const keyOf = ({ kind, account, listingId, orderId }: EventSummary): string =>
  `${kind} ${account} ${listingId} ${orderId}`;

/** One that changes between two pages may be on both. */
const onePerRow = (all: readonly EventSummary[]): readonly EventSummary[] => [
  ...new Map(all.map((event) => [keyOf(event), event])).values(),
];

function Row({ event }: { readonly event: EventSummary }): ReactNode {
  const { account, orderId, listingId, kind, says, startedAt, needsAttention } = event;
  return (
    <Table.Tr>
      <Table.Td>
        {listingId ?? 'not named'}
        <Text size="sm" c="dimmed">
          {orderId === null ? account : <OrderLink order={{ account, orderId }} inherit />}
        </Text>
      </Table.Td>
      <Table.Td>
        <Badge variant="default">{SAYS[kind]}</Badge>
      </Table.Td>
      <Table.Td>{says === null ? null : <Words text={says} />}</Table.Td>
      <Table.Td>
        <Time at={startedAt} />
      </Table.Td>
      <Table.Td>
        {kind === 'late' && orderId !== null && needsAttention ? (
          <Decision
            label="It was handled"
            effect="Records that you handled this at the marketplace. It is not shown again. Nothing else happens."
            place={`${shipmentPath(account, orderId)}/acknowledge`}
            bodyOf={(reason) => (listingId === null ? { reason } : { reason, listingId })}
          />
        ) : null}
        {kind !== 'late' && listingId !== null ? <FindOrder account={account} listingId={listingId} /> : null}
      </Table.Td>
    </Table.Tr>
  );
}

function FindOrder({
  account,
  listingId,
}: {
  readonly account: string;
  readonly listingId: string;
}): ReactNode {
  const session = useSession();
  const refresh = useRefresh();
  const search = useMutation({
    mutationFn: async () =>
      await json<UnroutedEventResult>(session, `/accounts/${account}/listings/${listingId}/replay`, {
        method: 'POST',
      }),
    onSettled: refresh,
  });
  if (!session.scopes.includes('decide')) return null;
  return (
    <>
      <Button size="compact-sm" variant="default" loading={search.isPending} onClick={() => search.mutate()}>
        Find the order
      </Button>
      {search.error === null ? null : <Problem error={search.error} />}
      {search.data === undefined ? null : (
        <Text size="sm" role="status">
          {search.data.workflowId === null
            ? 'It belongs to no order.'
            : `Delivered to ${search.data.workflowId}.`}
        </Text>
      )}
    </>
  );
}
