import { Alert, Badge, Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { parseLateEventWorkflowId, parseShipmentWorkflowId } from '../../src/domain/workflow-id';
import type { AttentionEntry, AttentionReason, AttentionReport } from '../../src/starter/client/attention';
import type { ShipmentSummary } from '../../src/starter/client/list-shipments';
import { shipmentPath } from '../api';
import { Decision } from '../parts/decision';
import { Heading, OrderLink, Problem, Read, Words } from '../parts/page';
import { QuestionCard } from '../parts/question';
import { ageText, Time } from '../parts/time';
import { phaseOf } from '../phases';
import { useAttention, useShipment } from '../queries';

/** Each one with a question is read by itself. */
const AT_ONCE = 25;

/** Everything that waits for a person. */
export function NeedsYouPage(): ReactNode {
  const attention = useAttention();
  return (
    <>
      <Heading title="Needs you" />
      <Read of={attention}>{(report) => <Report report={report} />}</Read>
    </>
  );
}

function Report({
  report: { entries, queues, calls, endpoints, looked, open },
}: {
  readonly report: AttentionReport;
}): ReactNode {
  const [shown, setShown] = useState(AT_ONCE);
  return (
    <Stack>
      {queues.map(({ queue, workers, shipments, since }) => (
        <Alert key={queue} color="red" title={`No worker takes the tasks of ${queue}`}>
          {shipments} shipments wait since <Time at={since} />. Workers that poll it: {workers ?? 'unknown'}.
          Start or upgrade the workers.
        </Alert>
      ))}
      {calls.map(({ account, call, failures, reason, shipments }) => (
        <Alert key={`${account} ${call}`} color="red" title={`Calls of account ${account} fail`}>
          {call} failed {failures} times in a row: {reason}. {shipments} shipments wait. Consign tries again.
        </Alert>
      ))}
      {endpoints.map(({ account, endpoint, orders, since, reason, isPaused }) => (
        <Alert key={`${account} ${endpoint}`} color="red" title={`Endpoint ${endpoint} of ${account} fails`}>
          Since <Time at={since} />: {reason}. Notifications of {orders} orders wait.{' '}
          {isPaused ? 'Consign sends nothing more until somebody runs ' : 'Consign tries again. At once: '}
          <Code>
            consign notifications retry --account {account} --endpoint {endpoint}
          </Code>
        </Alert>
      ))}
      {entries.length + queues.length + calls.length + endpoints.length === 0 ? (
        <Alert color="green" title="Nothing needs you">
          {open} shipments are open.
        </Alert>
      ) : null}
      {entries.slice(0, shown).map((entry) => (
        <Entry key={entry.shipment.workflowId} entry={entry} />
      ))}
      {entries.length > shown ? (
        <Group>
          <Button variant="default" onClick={() => setShown(shown + AT_ONCE)}>
            Show more
          </Button>
          <Text size="sm" c="dimmed" role="status">
            {shown} of {entries.length} shown
          </Text>
        </Group>
      ) : null}
      {looked < open ? (
        <Text size="sm" c="dimmed">
          The tasks of the newest {looked} of {open} open shipments were checked; questions of all.
        </Text>
      ) : null}
    </Stack>
  );
}

function Entry({ entry: { shipment, reasons } }: { readonly entry: AttentionEntry }): ReactNode {
  const { workflowId, account, orderId, phase, startedAt } = shipment;
  const order = parseShipmentWorkflowId(workflowId);
  const isPause = phase === 'accountPause';
  return (
    <Paper
      withBorder
      p="md"
      component="article"
      aria-label={isPause ? `Account ${account}` : `${account}/${orderId}`}
    >
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {isPause ? `Account ${account}` : <OrderLink order={shipment} inherit />}
        </Title>
        <Group gap="xs">
          <Badge variant="default">{isPause ? 'paused' : phaseOf(shipment)}</Badge>
          <Text size="sm" c="dimmed">
            {ageText(startedAt)} old
          </Text>
        </Group>
      </Group>
      {order !== null && reasons.some(({ kind }) => kind === 'question' || kind === 'unreadable') ? (
        <Question shipment={shipment} fallback={reasons} />
      ) : (
        <Reasons reasons={reasons} />
      )}
      {isPause ? (
        <Decision
          label="Resume the account"
          effect="Every shipment that waits for this account tries again. Fix the account first; otherwise they pause again."
          place={`/accounts/${account}/retry`}
        />
      ) : null}
      <Acknowledge workflowId={workflowId} reasons={reasons} account={account} orderId={orderId} />
    </Paper>
  );
}

function Question({
  shipment: { account, orderId, waitingFor },
  fallback,
}: {
  readonly shipment: ShipmentSummary;
  readonly fallback: readonly AttentionReason[];
}): ReactNode {
  const { data, error } = useShipment(account, orderId, waitingFor ?? '');
  if (error !== null && data === undefined) return <Problem error={error} />;
  const state = data?.state ?? null;
  if (state === null || state.question === null) return <Reasons reasons={fallback} />;
  return <QuestionCard state={state} question={state.question} />;
}

const Reasons = ({ reasons }: { readonly reasons: readonly AttentionReason[] }): ReactNode => (
  <Stack gap="xs" mb="xs">
    {reasons.map(({ kind, text }) => (
      <Text key={`${kind} ${text}`}>
        <Words text={text} />
      </Text>
    ))}
  </Stack>
);

/** Late events, and shipments that Temporal ended, wait until a person says that they were handled. */
function Acknowledge({
  workflowId,
  reasons,
  account,
  orderId,
}: {
  readonly workflowId: string;
  readonly reasons: readonly AttentionReason[];
  readonly account: string;
  readonly orderId: string;
}): ReactNode {
  const late = parseLateEventWorkflowId(workflowId);
  if (late === null && !reasons.some(({ kind }) => kind === 'endedUnclearly')) return null;
  const listingId = late?.listingId ?? null;
  return (
    <Decision
      label="It was handled"
      effect="Records that you handled this at the marketplace. It is not shown again. Nothing else happens."
      place={`${shipmentPath(account, orderId)}/acknowledge`}
      bodyOf={(reason) => (listingId === null ? { reason } : { reason, listingId })}
    />
  );
}
