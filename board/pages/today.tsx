import { Alert, Badge, Group, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { DueDays } from '../../src/domain/delivery-days';
import type { DueEntry, DueReport } from '../../src/starter/client/due-shipments';
import { Heading, OrderLink, Read, Words } from '../parts/page';
import { useDue } from '../queries';
import { Phone } from './shipment';

/** `2035-03-06` of the reader's calendar. */
const today = (): string => new Intl.DateTimeFormat('sv-SE').format(new Date());

/** The pickups and deliveries of a day, what is late, and what has no papers. */
export function TodayPage(): ReactNode {
  const [on, setOn] = useState(today);
  const due = useDue(on);
  return (
    <>
      <Heading title="Today">
        <TextInput
          type="date"
          aria-label="Day"
          value={on}
          onChange={(event) => {
            if (/^\d{4}-\d{2}-\d{2}$/.test(event.currentTarget.value)) setOn(event.currentTarget.value);
          }}
        />
      </Heading>
      <Read of={due}>{(report) => <Report report={report} />}</Read>
    </>
  );
}

function Report({
  report: { entries, looked, open, unanswered },
}: {
  readonly report: DueReport;
}): ReactNode {
  return (
    <Stack>
      {unanswered > 0 ? (
        <Alert color="orange" title={`No worker answers for ${unanswered} shipments`}>
          They are not in the lists below. Check that a worker runs.
        </Alert>
      ) : null}
      <DueTable title="Late" entries={entries.filter(({ late }) => late !== null)} />
      <DueTable title="Pickups" entries={entries.filter(({ isPickupDue }) => isPickupDue)} />
      <DueTable title="Deliveries" entries={entries.filter(({ isDeliveryDue }) => isDeliveryDue)} />
      <DueTable
        title="Booked without papers"
        entries={entries.filter(({ missingPapers }) => missingPapers.length > 0)}
      />
      <Text size="sm" c="dimmed">
        {looked < open
          ? `The newest ${looked} of ${open} open shipments were asked.`
          : `${looked} open shipments were asked.`}
      </Text>
    </Stack>
  );
}

function daysText({ earliest, latest }: DueDays): string {
  if (earliest === null) return `by ${latest}`;
  if (latest === null) return `from ${earliest}`;
  return earliest === latest ? latest : `${earliest} to ${latest}`;
}

const PAPERS = { billOfLading: 'bill of lading', contacts: 'contacts' } as const;

function DueTable({
  title,
  entries,
}: {
  readonly title: string;
  readonly entries: readonly DueEntry[];
}): ReactNode {
  return (
    <section aria-label={title}>
      <Group gap="xs">
        <Title order={2} size="h4">
          {title}
        </Title>
        <Badge variant="default">{entries.length}</Badge>
      </Group>
      {entries.length === 0 ? (
        <Text c="dimmed">None.</Text>
      ) : (
        <Table.ScrollContainer
          minWidth={640}
          type="native"
          tabIndex={0}
          role="region"
          aria-label={`${title}, as a table`}
        >
          <Table striped>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Order</Table.Th>
                <Table.Th>Route</Table.Th>
                <Table.Th>Pickup</Table.Th>
                <Table.Th>Delivery</Table.Th>
                <Table.Th>Carrier</Table.Th>
                <Table.Th>What is wrong</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {entries.map((entry) => (
                <Row key={entry.shipment.workflowId} entry={entry} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </section>
  );
}

function Row({ entry }: { readonly entry: DueEntry }): ReactNode {
  const { shipment, pickup, delivery, late, missingPapers, carrier, carrierPhone, from, to } = entry;
  return (
    <Table.Tr>
      <Table.Td>
        <OrderLink order={shipment} />
      </Table.Td>
      <Table.Td>
        {from} to {to}
      </Table.Td>
      <Table.Td className="days">{daysText(pickup)}</Table.Td>
      <Table.Td className="days">{delivery === null ? 'not said' : daysText(delivery)}</Table.Td>
      <Table.Td>
        {carrier ?? 'not booked'}
        {carrierPhone === null ? null : (
          <>
            <br />
            <Phone number={carrierPhone} />
          </>
        )}
      </Table.Td>
      <Table.Td>
        {late === null ? null : <Words text={late} />}
        {missingPapers.length === 0 ? null : (
          <div>without {missingPapers.map((paper) => PAPERS[paper]).join(' and ')}</div>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
