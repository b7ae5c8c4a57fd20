import { Alert, Badge, Group, Select, Table, Text, TextInput } from '@mantine/core';
import { useDeferredValue, useState, type ReactNode } from 'react';
import type { ShipmentSummary } from '../../src/starter/client/list-shipments';
import { Heading, More, OrderLink, Problem } from '../parts/page';
import { ageText } from '../parts/time';
import { PHASE_NAMES, phaseOf } from '../phases';
import { useShipments } from '../queries';
import { useSession } from '../session';

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
  const pages = useShipments(filter);
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
      <More of={pages} shown={shipments.length} />
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
