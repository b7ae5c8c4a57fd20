import { Alert, Anchor, Badge, Group, Paper, Select, Stack, Text, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { AccountOverview, EventMeter } from '../../src/starter/client/account-overview';
import { Decision } from '../parts/decision';
import { Facts, Heading, Read, Words } from '../parts/page';
import { useAccounts, useEvents } from '../queries';

/** A worker is asked for each shipment. */
const MEASURED = ['100', '300', '1000'] as const;

/** Whether each account works, and whether its events arrive. */
export function AccountsPage(): ReactNode {
  const [measured, setMeasured] = useState('100');
  const accounts = useAccounts(measured);
  const foreign = useEvents({ kind: 'foreign' });
  const foreignOf = (account: string): string => {
    const pages = foreign.data?.pages;
    if (pages === undefined) return '…';
    const count = pages.flatMap(({ events }) => events).filter((one) => one.account === account).length;
    return foreign.hasNextPage ? `${count} or more` : String(count);
  };
  return (
    <>
      <Heading title="Accounts">
        <Select
          aria-label="How many shipments of each account are measured"
          data={MEASURED.map((count) => ({
            value: count,
            label: `Newest ${Number(count).toLocaleString('en')} shipments`,
          }))}
          allowDeselect={false}
          value={measured}
          onChange={(next) => setMeasured(next ?? '100')}
        />
      </Heading>
      <Read of={accounts}>
        {({ accounts: all }) => (
          <Stack>
            {all.map((one) => (
              <Account key={one.account} overview={one} foreign={foreignOf(one.account)} />
            ))}
          </Stack>
        )}
      </Read>
    </>
  );
}

function Account({
  overview: { account, open, paused, events },
  foreign,
}: {
  readonly overview: AccountOverview;
  readonly foreign: string;
}): ReactNode {
  return (
    <Paper withBorder p="md" component="section" aria-label={`Account ${account}`}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {account}
        </Title>
        {paused === null ? <Badge variant="default">works</Badge> : <Badge color="red.9">paused</Badge>}
      </Group>
      <Stack gap="sm">
        {paused === null ? null : (
          <>
            <Alert color="red" title="Shipments wait for this account">
              <Words text={paused} />
            </Alert>
            <Group>
              <Decision
                label="Resume the account"
                effect="Every shipment that waits for this account tries again. Fix the account first; otherwise they pause again."
                place={`/accounts/${account}/retry`}
              />
            </Group>
          </>
        )}
        <Facts
          facts={[
            ['Open shipments', open],
            ['Events accepted', events.taken],
            ['Duplicates', events.doubled],
            ['Refused', `${events.quarantined}, with the id of another event`],
            ['Repaired by reading', `${events.repairs}, which no event announced`],
            [
              'Of no order',
              <Anchor key="foreign" component={Link} href="/events">
                {foreign}
              </Anchor>,
            ],
          ]}
        />
        <Text size="sm" c="dimmed">
          {meterText(events)}
        </Text>
      </Stack>
    </Paper>
  );
}

/** Events are lost when reads find what none announced. */
function meterText({ shipments, taken, repairs }: EventMeter): string {
  if (shipments === 0) return 'No shipment was read: none exists, or no worker answers.';
  const all = taken + repairs;
  const lost = all === 0 ? 0 : Math.round((100 * repairs) / all);
  const of = `Of the newest ${shipments} shipments, ${lost} % of the changes came without an event.`;
  return lost > 20 ? `${of} Check the webhook of the account at the marketplace.` : of;
}
