import { Alert, Anchor, Button, Group, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { formatMoney } from '../../src/domain/money';
import type { FixedPriceAnswer } from '../../src/domain/fixed-price';
import type { Quote } from '../../src/starter/client/quote-order';
import type { StartedShipment } from '../../src/starter/client/start-order';
import { json, shipmentPath } from '../api';
import { documentIn, draftOf, OrderEditor, OrderProblems, type Document } from '../parts/order-editor';
import { Heading, Words } from '../parts/page';
import { useRefresh } from '../queries';
import { useSession } from '../session';

/** Asks what an order would cost, and starts it. */
export function QuotePage(): ReactNode {
  const session = useSession();
  const [draft, setDraft] = useState(() => draftOf({ account: session.accounts[0] }, 'ltl'));
  const [error, setError] = useState<Error | null>(null);
  if (!session.scopes.includes('start'))
    return <Alert title="This token may not quote or start orders">It lacks the scope `start`.</Alert>;
  return (
    <>
      <Heading title="Quote" />
      <Stack>
        <OrderEditor draft={draft} onChange={setDraft} accounts={session.accounts} error={error} />
        <Actions document={documentIn(draft)} onError={setError} />
      </Stack>
    </>
  );
}

function Actions({
  document,
  onError,
}: {
  readonly document: Document | null;
  /** Receives why the document was refused; null once it is sent again. */
  readonly onError: (error: Error | null) => void;
}): ReactNode {
  const session = useSession();
  const refresh = useRefresh();
  const quote = useMutation({
    mutationFn: async (order: Document) =>
      await json<Quote>(session, '/quotes', { method: 'POST', body: { order, maximumWaitSeconds: 30 } }),
    onSettled: (_, error) => onError(error),
  });
  const start = useMutation({
    mutationFn: async (order: Document) =>
      await json<StartedShipment>(session, shipmentPath(String(order.account), String(order.orderId)), {
        method: 'PUT',
        body: order,
      }),
    onSuccess: refresh,
    onSettled: (_, error) => onError(error),
  });
  // What was quoted is what can be started: after a change it must be quoted again.
  const quoted = quote.variables;
  const isQuoted =
    quote.data !== undefined && document !== null && JSON.stringify(quoted) === JSON.stringify(document);
  return (
    <>
      <Group>
        <Button
          loading={quote.isPending}
          disabled={document === null}
          onClick={() => {
            start.reset();
            if (document !== null) quote.mutate(document);
          }}
        >
          Ask for prices
        </Button>
        <Text size="sm" c="dimmed">
          This books nothing. LTL rates take up to 30 seconds.
        </Text>
      </Group>
      {quote.error === null ? null : <OrderProblems error={quote.error} />}
      {isQuoted && quote.data !== undefined ? (
        <Paper withBorder p="md" component="section" aria-label="Prices">
          <Title order={2} size="h4" mb="xs">
            Prices
          </Title>
          <Offers quote={quote.data} />
          <Alert color="orange" title="Starting books a truck" my="md">
            Consign starts the order, and books by its policy: the carrier and the price may differ from this
            quote, within the order’s price limit.
          </Alert>
          <Button
            loading={start.isPending}
            disabled={start.data !== undefined}
            onClick={() => {
              if (quoted !== undefined) start.mutate(quoted);
            }}
          >
            Start the order
          </Button>
          {start.error === null ? null : <OrderProblems error={start.error} />}
          {start.data === undefined || quoted === undefined ? null : (
            <Alert color="green" title="Started" role="status" mt="md">
              <Anchor
                component={Link}
                href={`/shipments/${String(quoted.account)}/${String(quoted.orderId)}`}
              >
                Follow {String(quoted.account)}/{String(quoted.orderId)}
              </Anchor>
            </Alert>
          )}
        </Paper>
      ) : null}
    </>
  );
}

function Offers({ quote }: { readonly quote: Quote }): ReactNode {
  if (quote.kind === 'furniture') return <FixedPrice answer={quote.fixedPrice} />;
  const { rates, decision, possibleCauses } = quote;
  if (rates.length === 0)
    return (
      <Alert color="orange" title="No carrier offered a rate">
        {possibleCauses.map(({ path, problem, remedy }) => (
          <div key={path}>
            <strong>{path.replace(/^\$\./, '')}</strong>: {problem}; <Words text={remedy} />
          </div>
        ))}
      </Alert>
    );
  const whyById = new Map(decision.losses.map(({ rateId, why }) => [rateId, why]));
  return (
    <Table.ScrollContainer
      minWidth={480}
      type="native"
      tabIndex={0}
      role="region"
      aria-label="Rates, as a table"
    >
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Carrier</Table.Th>
            <Table.Th>Price</Table.Th>
            <Table.Th>Days</Table.Th>
            <Table.Th>By the policy</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rates.map(({ rateId, carrier, totalPrice, deliveryDelayInDays }) => (
            <Table.Tr key={rateId}>
              <Table.Td>{carrier.displayName}</Table.Td>
              <Table.Td>{formatMoney(totalPrice)}</Table.Td>
              <Table.Td>{deliveryDelayInDays}</Table.Td>
              <Table.Td>
                {decision.chosen?.rateId === rateId ? <strong>chosen</strong> : whyById.get(rateId)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function FixedPrice({ answer }: { readonly answer: FixedPriceAnswer }): ReactNode {
  if (answer.premium === 'unknown')
    return (
      <Text>
        {formatMoney(answer.price)}, without the coverage: its premium is unknown, so the order will ask for
        it.
      </Text>
    );
  return (
    <Text>
      {formatMoney(answer.total)}
      {answer.premium === null ? '' : `, of which ${formatMoney(answer.premium)} for the coverage`}
    </Text>
  );
}
