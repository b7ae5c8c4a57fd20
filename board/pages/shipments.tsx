import { Alert, Badge, Button, Group, Select, Table, Text, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useState, type ReactNode } from 'react';
import type { ShipmentPage as Page, ShipmentSummary } from '../../src/starter/client/list-shipments';
import { json, query } from '../api';
import { Heading, OrderLink, Problem } from '../parts/page';
import { ageText } from '../parts/time';
import { PHASE_NAMES, phaseOf } from '../phases';
import { useSession } from '../session';

const PAGE_SIZE = '100';
const EVERY_MS = 10_000;
const SEARCHABLE = /^[\w .,:;/#+()&@-]{2,100}$/;

/** All orders, with a search. */
export function ShipmentsPage(): ReactNode {
  const session = useSession();
  const [text, setText] = useState('');
  const [phase, setPhase] = useState<string | null>(null);
  const [account, setAccount] = useState<string | null>(null);
  const search = useDeferredValue(text).trim();
  const isSearchable = SEARCHABLE.test(search);
  const filter = {
    search: isSearchable ? search : undefined,
    phase: phase ?? undefined,
    account: account ?? undefined,
  };
  const pages = useInfiniteQuery({
    queryKey: ['shipments', filter],
    queryFn: async ({ pageParam, signal }) =>
      await json<Page>(session, `/shipments${query({ ...filter, limit: PAGE_SIZE, cursor: pageParam })}`, {
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    // More pages than one are read again only when the person asks: each is a query of the server.
    refetchInterval: (state) => (state.state.data?.pages.length === 1 ? EVERY_MS : false),
    placeholderData: (before) => before,
  });
  const shipments = onePerRow(pages.data?.pages.flatMap((page) => page.shipments) ?? []);
  return (
    <>
      <Heading title="Shipments" />
      <Group align="end" mb="md">
        <TextInput
          type="search"
          label="Search"
          description="Beginning of an order id; or a listing, reference, bill of lading or PRO number"
          value={text}
          error={search !== '' && !isSearchable ? 'Write two characters or more, without quotes' : null}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Select
          label="Phase"
          placeholder="all"
          clearable
          clearButtonProps={{ 'aria-label': 'All phases' }}
          data={Object.entries(PHASE_NAMES).map(([value, label]) => ({ value, label }))}
          value={phase}
          onChange={setPhase}
        />
        <Select
          label="Account"
          placeholder="all"
          clearable
          clearButtonProps={{ 'aria-label': 'All accounts' }}
          data={[...session.accounts]}
          value={account}
          onChange={setAccount}
        />
      </Group>
      {pages.error === null ? null : <Problem error={pages.error} />}
      {pages.isPending ? <Text>Loading…</Text> : null}
      {pages.data !== undefined && shipments.length === 0 ? <Alert title="No shipment is found" /> : null}
      {shipments.length === 0 ? null : (
        <Table.ScrollContainer
          minWidth={560}
          type="native"
          tabIndex={0}
          role="region"
          aria-label="Shipments, as a table"
        >
          <Table aria-label="Shipments" striped>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Order</Table.Th>
                <Table.Th>Phase</Table.Th>
                <Table.Th>Waits for</Table.Th>
                <Table.Th>Listing</Table.Th>
                <Table.Th>Age</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shipments.map((shipment) => (
                <Row key={shipment.workflowId} shipment={shipment} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <Group mt="md">
        {pages.hasNextPage ? (
          <Button
            variant="default"
            loading={pages.isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            Show more
          </Button>
        ) : null}
        <Text size="sm" c="dimmed" role="status">
          {pages.data === undefined
            ? ''
            : `${shipments.length} shown${pages.hasNextPage ? ', there are more' : ''}`}
        </Text>
      </Group>
    </>
  );
}

/** An order that changes between two pages may be on both. */
const onePerRow = (all: readonly ShipmentSummary[]): readonly ShipmentSummary[] => [
  ...new Map(all.map((shipment) => [shipment.workflowId, shipment])).values(),
];

function Row({ shipment }: { readonly shipment: ShipmentSummary }): ReactNode {
  const { needsAttention, waitsFor, listingId, startedAt, status } = shipment;
  return (
    <Table.Tr>
      <Table.Td>
        <OrderLink order={shipment} />
      </Table.Td>
      <Table.Td>
        <Group gap={4}>
          <Badge variant="default">{phaseOf(shipment)}</Badge>
          {needsAttention ? <Badge color="red.9">needs you</Badge> : null}
        </Group>
      </Table.Td>
      <Table.Td className="words">{status === 'RUNNING' ? waitsFor : null}</Table.Td>
      <Table.Td>{listingId}</Table.Td>
      <Table.Td>{ageText(startedAt)}</Table.Td>
    </Table.Tr>
  );
}
