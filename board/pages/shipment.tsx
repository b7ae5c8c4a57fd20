import { Alert, Anchor, Badge, Group, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { lazy, Suspense, type ReactNode } from 'react';
import { noticesOf } from '../../src/domain/bounded-state';
import { carrierPhone } from '../../src/domain/due';
import { deliveryText, proNumberOf } from '../../src/domain/listing';
import { formatMoney } from '../../src/domain/money';
import { billOfLadingNumber, carrierName } from '../../src/domain/shipment-result';
import { followedListing, isBooked, type ShipmentState } from '../../src/domain/shipment-state';
import type { ShipmentView } from '../../src/starter/client/get-shipment';
import { shipmentPath } from '../api';
import { ChangeOrder } from '../parts/change-order';
import { Decision } from '../parts/decision';
import { Documents } from '../parts/documents';
import { Facts, Heading, Problem, Words } from '../parts/page';
import { QuestionCard } from '../parts/question';
import { Time } from '../parts/time';
import { PHASE_NAMES, phaseOf } from '../phases';
import { priceSteps } from '../prices';
import { useOrder } from '../queries';
import { useLiveShipment, type LiveShipment } from '../use-live-shipment';

// With the outlines of the states and the library that draws them.
const ShipmentMap = lazy(async () => ({ default: (await import('../parts/map')).ShipmentMap }));

interface Props {
  readonly account: string;
  readonly orderId: string;
}

/** One shipment, live. */
export function ShipmentPage({ account, orderId }: Props): ReactNode {
  const live = useLiveShipment(account, orderId);
  const { view, known, problem, connection } = live;
  const state = known?.state ?? null;
  return (
    <>
      <Heading title={`${account}/${orderId}`}>
        <Connection connection={connection} />
      </Heading>
      {problem === null ? null : (
        <Problem error={new Error(problem)} title="The shipment cannot be followed" />
      )}
      {view === null ? (
        problem === null ? (
          <Text>Loading…</Text>
        ) : null
      ) : (
        <Stack>
          {view.state === null ? (
            <Alert color="orange" title="No worker answers" role="alert">
              {state === null
                ? 'Its state is known to workers only.'
                : 'The state below is the last known one.'}{' '}
              Nothing is lost: the shipment goes on when a worker runs.
            </Alert>
          ) : null}
          <Now view={view} state={state} />
          {state?.question == null ? null : (
            <Section title="Question">
              <QuestionCard state={state} question={state.question} />
            </Section>
          )}
          {state === null ? null : <Parts account={account} orderId={orderId} view={view} state={state} />}
        </Stack>
      )}
    </>
  );
}

const CONNECTIONS: Readonly<Record<LiveShipment['connection'], string>> = {
  connecting: 'connecting',
  live: 'live',
  ended: 'ended',
  refused: 'not followed',
};

const Connection = ({ connection }: Pick<LiveShipment, 'connection'>): ReactNode => (
  <Badge variant="default" role="status">
    {CONNECTIONS[connection]}
  </Badge>
);

const Section = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}): ReactNode => (
  <Paper withBorder p="md" component="section" aria-label={title}>
    <Title order={2} size="h4" mb="xs">
      {title}
    </Title>
    {children}
  </Paper>
);

/** The phase, and what it waits for since and until. */
function Now({
  view,
  state,
}: {
  readonly view: ShipmentView;
  readonly state: ShipmentState | null;
}): ReactNode {
  const { status, waitingFor, withdrawal, failure } = view;
  const isAsked = state?.question != null;
  return (
    <Section title={state === null ? 'Now' : PHASE_NAMES[state.at.phase]}>
      <Stack gap="xs">
        <Facts
          facts={[
            ['In this phase since', state?.phaseSince == null ? null : <Time at={state.phaseSince} />],
            [
              'Waits for',
              status !== 'RUNNING' || waitingFor === null ? null : isAsked ? (
                'a person: see the question below'
              ) : (
                <Words text={waitingFor} />
              ),
            ],
            ['Ended', status === 'RUNNING' ? null : phaseOf({ status, phase: state?.at.phase ?? null })],
            ['Withdrawn', withdrawal === null ? null : `by ${withdrawal.by}: ${withdrawal.reason}`],
            ['Failure', withdrawal === null ? failure : null],
            [
              'Late',
              state?.late == null ? null : <Words text={`since ${state.late.since}: ${state.late.kind}`} />,
            ],
          ]}
        />
        {state === null
          ? null
          : noticesOf(state).map((notice) => (
              <Alert key={notice} color="yellow" title="Notice">
                <Words text={notice} />
              </Alert>
            ))}
      </Stack>
    </Section>
  );
}

function Parts({
  account,
  orderId,
  view,
  state,
}: Props & { readonly view: ShipmentView; readonly state: ShipmentState }): ReactNode {
  const isOpen = view.status === 'RUNNING';
  return (
    <>
      <div className="columns">
        <Section title="Booking">
          <Booking state={state} />
        </Section>
        <Section title="Map">
          <Where account={account} orderId={orderId} state={state} />
        </Section>
        <Section title="Prices">
          <Prices state={state} />
        </Section>
        {state.rateDecision === null ? null : (
          <Section title="Rates">
            <Rates state={state} />
          </Section>
        )}
        <Section title="Documents">
          <Documents account={account} orderId={orderId} isOpen={isOpen && isBooked(state)} />
        </Section>
        <Section title="Timeline">
          <Timeline state={state} />
        </Section>
      </div>
      {isOpen ? (
        <Group>
          {canBeAmended(state) ? <ChangeOrder account={account} orderId={orderId} /> : null}
          <Decision
            label="Withdraw the order"
            effect="Consign deletes the open listing, and the order ends. It is refused once a carrier has booked: then cancel the booking at the marketplace."
            isGrave
            place={`${shipmentPath(account, orderId)}/cancel`}
          />
        </Group>
      ) : null}
    </>
  );
}

/** Without a question, only the open listing of a furniture order can be changed. */
const canBeAmended = ({ kind, at, question }: ShipmentState): boolean =>
  kind === 'furniture' && at.phase === 'awaitingBooking' && question === null;

function Booking({ state }: { readonly state: ShipmentState }): ReactNode {
  const { listing, trackingLink, bookedAt, lastSeen, tracking } = state;
  const phone = carrierPhone(state);
  return (
    <Facts
      facts={[
        ['Listing', followedListing(state)],
        ['Status', listing?.status],
        ['Transit', listing?.transitStatus],
        ['Carrier', carrierName(state)],
        ['Carrier’s phone', phone === null ? null : <Phone number={phone} />],
        ['Booked', bookedAt === null ? null : <Time at={bookedAt} />],
        ['Delivery', listing === null ? null : deliveryText(listing)],
        ['Bill of lading', billOfLadingNumber(state) ?? listing?.billOfLadingNumber],
        ['PRO number', listing === null ? null : proNumberOf(listing)],
        ['Last seen', lastSeen],
        ['Last status', tracking?.statuses.at(-1)?.status],
        ['Tracking', <Outside key="tracking" url={trackingLink?.url ?? null} name="tracking page" />],
        [
          'Cancel',
          <Outside key="cancel" url={listing?.cancellationLink ?? null} name="cancel at the marketplace" />,
        ],
        [
          'Events',
          `${state.events.taken} accepted, ${state.events.doubled} duplicates, ${state.repairs} repaired by reading`,
        ],
      ]}
    />
  );
}

export const Phone = ({ number }: { readonly number: string }): ReactNode => (
  <Anchor href={`tel:${number.replaceAll(/[^\d+]/g, '')}`}>{number}</Anchor>
);

/** A link of the marketplace. Only https: an address from outside must not run anything. */
const Outside = ({ url, name }: { readonly url: string | null; readonly name: string }): ReactNode =>
  url !== null && /^https?:\/\//.test(url) ? (
    <Anchor href={url} target="_blank" rel="noreferrer">
      {name}
    </Anchor>
  ) : (
    'none'
  );

function Where({ account, orderId, state }: Props & { readonly state: ShipmentState }): ReactNode {
  const { data: order, error } = useOrder(account, orderId);
  if (error !== null && order === undefined) return <Problem error={error} />;
  if (order === undefined) return <Text>Loading…</Text>;
  return (
    <Suspense fallback={<Text>Loading…</Text>}>
      <ShipmentMap order={order} tracking={state.tracking} lastSeen={state.lastSeen} />
    </Suspense>
  );
}

function Prices({ state }: { readonly state: ShipmentState }): ReactNode {
  const steps = priceSteps(state);
  if (steps.length === 0) return <Text>No price yet.</Text>;
  return (
    <Table aria-label="Prices over time">
      <Table.Tbody>
        {steps.map(({ what, at, price, change }) => (
          <Table.Tr key={what}>
            <Table.Td>
              {what}
              {at === null ? null : (
                <Text size="sm" c="dimmed">
                  <Time at={at} />
                </Text>
              )}
            </Table.Td>
            <Table.Td>{price}</Table.Td>
            <Table.Td>{change}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Rates({ state: { rateDecision } }: { readonly state: ShipmentState }): ReactNode {
  if (rateDecision === null) return null;
  const { chosen, losses, rule, decidedAt } = rateDecision;
  return (
    <>
      <Text size="sm" c="dimmed">
        Decided <Time at={decidedAt} /> by {rule === 'person' ? 'a person' : `the rule ${rule}`}.
      </Text>
      <Table aria-label="Rates, and why each lost">
        <Table.Tbody>
          {chosen === null ? null : (
            <Table.Tr>
              <Table.Td>{chosen.carrier.displayName}</Table.Td>
              <Table.Td>{formatMoney(chosen.totalPrice)}</Table.Td>
              <Table.Td>
                <strong>chosen</strong>
              </Table.Td>
            </Table.Tr>
          )}
          {losses.map(({ rateId, carrier, price, why }) => (
            <Table.Tr key={rateId}>
              <Table.Td>{carrier}</Table.Td>
              <Table.Td>{price}</Table.Td>
              <Table.Td className="words">{why}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}

const Timeline = ({ state: { timeline } }: { readonly state: ShipmentState }): ReactNode => (
  <Table aria-label="Timeline, the newest first">
    <Table.Tbody>
      {timeline.toReversed().map(({ at, what }, index) => (
        <Table.Tr key={timeline.length - index}>
          <Table.Td className="when">
            <Time at={at} />
          </Table.Td>
          <Table.Td>
            <Words text={what} />
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);
