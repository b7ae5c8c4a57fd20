import {
  Alert,
  Anchor,
  Button,
  Group,
  Paper,
  SegmentedControl,
  Stack,
  Table,
  Text,
  Textarea,
  Title,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { formatMoney } from '../../src/domain/money';
import type { FixedPriceAnswer } from '../../src/domain/fixed-price';
import type { ShipmentKind } from '../../src/domain/shipment';
import type { Quote } from '../../src/starter/client/quote-order';
import type { StartedShipment } from '../../src/starter/client/start-order';
import type { FieldProblem } from '../../src/starter/api/api-error';
import { ApiProblem, json, shipmentPath } from '../api';
import { withoutEmpty } from '../order-form';
import { Heading, Problem, Words } from '../parts/page';
import { OrderForm } from '../parts/order-form';
import { useRefresh } from '../queries';
import { useSession } from '../session';

type Document = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Asks what an order would cost, and starts it. */
export function QuotePage(): ReactNode {
  const session = useSession();
  const [kind, setKind] = useState<ShipmentKind>('ltl');
  const [mode, setMode] = useState('form');
  const [document, setDocument] = useState<Document>({ account: session.accounts[0] });
  const [text, setText] = useState('');
  const sent = (mode === 'form' ? { kind, ...(withoutEmpty(document) as Document) } : parsed(text)) ?? null;
  if (!session.scopes.includes('start'))
    return <Alert title="This token may not quote or start orders">It lacks the scope `start`.</Alert>;
  return (
    <>
      <Heading title="Quote">
        <SegmentedControl
          aria-label="How the order is written"
          data={[
            { value: 'form', label: 'Form' },
            { value: 'json', label: 'JSON' },
          ]}
          value={mode}
          onChange={(next) => {
            if (next === 'json') setText(JSON.stringify(sent, null, 2));
            if (next === 'form' && isObject(sent)) {
              setDocument(sent);
              if (sent.kind === 'furniture' || sent.kind === 'ltl') setKind(sent.kind);
            }
            setMode(next);
          }}
        />
      </Heading>
      <Stack>
        {mode === 'form' ? (
          <Paper withBorder p="md">
            <SegmentedControl
              aria-label="Kind of order"
              mb="md"
              data={[
                { value: 'ltl', label: 'LTL' },
                { value: 'furniture', label: 'Furniture' },
              ]}
              value={kind}
              onChange={(next) => setKind(next === 'furniture' ? 'furniture' : 'ltl')}
            />
            <OrderForm kind={kind} accounts={session.accounts} document={document} onChange={setDocument} />
          </Paper>
        ) : (
          <Textarea
            label="Order document as JSON"
            description="With every field that an order may have; the form keeps those that it does not show."
            autosize
            minRows={12}
            maxRows={30}
            value={text}
            error={text.trim() !== '' && sent === null ? 'This is not a JSON object' : null}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        <Actions document={sent} />
      </Stack>
    </>
  );
}

function parsed(text: string): Document | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function Actions({ document }: { readonly document: Document | null }): ReactNode {
  const session = useSession();
  const refresh = useRefresh();
  const quote = useMutation({
    mutationFn: async (order: Document) =>
      await json<Quote>(session, '/quotes', { method: 'POST', body: { order, maximumWaitSeconds: 30 } }),
  });
  const start = useMutation({
    mutationFn: async (order: Document) =>
      await json<StartedShipment>(session, shipmentPath(String(order.account), String(order.orderId)), {
        method: 'PUT',
        body: order,
      }),
    onSuccess: refresh,
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
      {quote.error === null ? null : <Problems error={quote.error} />}
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
          {start.error === null ? null : <Problems error={start.error} />}
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

/** Every problem of the order at once. */
function Problems({ error }: { readonly error: Error }): ReactNode {
  const errors: readonly FieldProblem[] = error instanceof ApiProblem ? (error.problem.errors ?? []) : [];
  if (errors.length === 0) return <Problem error={error} />;
  return (
    <Alert color="red" title={error.message} role="alert">
      <ul>
        {errors.map(({ path, problem, remedy }) => (
          <li key={`${path} ${problem}`}>
            <strong>{path.replace(/^\$\.(?:order\.)?/, '')}</strong>: {problem}; {remedy}
          </li>
        ))}
      </ul>
    </Alert>
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
