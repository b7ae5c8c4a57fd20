import { setTimeout as delay } from 'node:timers/promises';
import { DEFAULT_POLICY } from '../../src/domain/default-policy';
import type { ShipmentPolicy } from '../../src/domain/policy';
import { closingAll } from '../../src/platform/closing';
import { limitQueues } from '../../src/temporal/queue-limits';
import { HOUR_MS, MOCK_POLICY, scaled } from '../flow-policy';
import { GOALS } from '../goals';
import type { Measurement, Section } from '../measurement';
import { UNTIL_BOOKED, UNTIL_PICKED_UP, WHOLE_LIFE } from '../mock-marketplace';
import { ACCOUNT, createMockWorld, type MockWorld } from '../mock-world';
import { openUntil } from '../open-shipments';
import { simulate, SLOW_LIFE, type Fleet, type PollKind } from '../scale/simulate';
import { median } from '../statistics';

/** The hour grows with the number of shipments: more reads per second than two cores serve would measure the machine. */
const FULL = { open: 1_000, hourMs: 18_000 };
const QUICK = { open: 64, hourMs: 1_500 };
/** By then the polls of the last shipment are as far apart as they get. */
const SETTLED_AFTER_HOURS = 6;
/** Twice the longest delay of a poll. */
const WINDOW_HOURS = 8;
/** The server takes a moment to hand a new limit to its queues. */
const LIMITED_AFTER_MS = 2_000;
/** Of the calls without a limit. */
const LIMITED_SHARE = 0.6;
const SIMULATIONS = 5;

/** Half days of a life, and the shipments of each: as if they had been ordered one after the other. */
const HALF_DAYS = { booked: 1, inTransit: 13, whole: 32 };
/** Has no factor in common with the number of half days: even a few shipments are spread over the whole life. */
const STRIDE = 11;

function lifeOf(earlier: number): typeof WHOLE_LIFE {
  const halfDay = (earlier * STRIDE) % HALF_DAYS.whole;
  if (halfDay < HALF_DAYS.booked) return UNTIL_BOOKED;
  return halfDay < HALF_DAYS.booked + HALF_DAYS.inTransit ? UNTIL_PICKED_UP : WHOLE_LIFE;
}

/** What is not scaled happens at once, or only after the measurement. */
function policyOf(hourMs: number): ShipmentPolicy {
  const { sweepPace, trackingPace, trackingPositionMs } = scaled(DEFAULT_POLICY, hourMs);
  const { settlementWindowMs } = DEFAULT_POLICY;
  return { ...MOCK_POLICY, sweepPace, trackingPace, trackingPositionMs, settlementWindowMs };
}

type Readings = Readonly<Record<PollKind, number>>;

interface Window {
  readonly measured: Readings;
  /** One for each simulation. */
  readonly simulated: readonly Readings[];
}

/** Calls that a measured fleet makes, beside those that `npm run scale` says it makes. */
export const measureScale: Section = async ({ isQuick, progress }) =>
  await closingAll(async (onClose) => {
    const { open, hourMs } = isQuick ? QUICK : FULL;
    const mockWorld = await createMockWorld({ lifeOf, isMoving: true, policy: policyOf(hourMs) }, onClose);
    progress(`opening ${open} shipments`);
    await openUntil(mockWorld, open);
    await delay(SETTLED_AFTER_HOURS * hourMs);
    const fleet: Fleet = { ...SLOW_LIFE, open, callsPerOrder: 0, hasWebhooks: true, hasPositions: true };
    progress('counting without a limit');
    const unlimited = await countWindow(mockWorld, { fleet, hourMs, callsPerSecond: null });
    const perSecond = (sumOf(unlimited.measured) * 1_000) / (WINDOW_HOURS * hourMs);
    const callsPerSecond = Math.max(1, Math.round(perSecond * LIMITED_SHARE));
    await limitQueues(mockWorld.world.temporal.client, [{ name: ACCOUNT, callsPerSecond }]);
    await delay(LIMITED_AFTER_MS);
    progress(`counting with a limit of ${callsPerSecond} calls per second`);
    const limited = await countWindow(mockWorld, { fleet, hourMs, callsPerSecond });
    return {
      name: 'scale',
      title: `calls of ${open} open shipments, measured and simulated`,
      how: [
        `Shipments of both kinds in all half days of the slow life, on a mock marketplace that shows moving trucks, with the default policy's paces in hours of ${hourMs / 1_000} s. Readings are counted for ${WINDOW_HOURS} such hours, once the paces are as wide as they get; then again, from ${LIMITED_AFTER_MS / 1_000} s after the account has a limit of ${callsPerSecond} calls per second.`,
        `The simulation is that of \`npm run scale\`, with the same number of shipments, policy and limit; median of ${SIMULATIONS}.`,
        'The duration of calls is not scaled, so on a busy machine fewer readings are measured.',
      ],
      measurements: [
        ...measurementsOf('no limit', unlimited),
        ...measurementsOf(`limit of ${callsPerSecond} per second`, limited),
      ],
    };
  });

interface Conditions {
  readonly fleet: Fleet;
  readonly hourMs: number;
  /** Seconds are those of the clock on the wall. */
  readonly callsPerSecond: number | null;
}

async function countWindow(
  { mock }: MockWorld,
  { fleet, hourMs, callsPerSecond }: Conditions,
): Promise<Window> {
  const before = { ...mock.readings };
  const startedAt = performance.now();
  await delay(WINDOW_HOURS * hourMs);
  const { listing, tracking } = mock.readings;
  const hours = (performance.now() - startedAt) / hourMs;
  const simulated = Array.from(
    { length: SIMULATIONS },
    () =>
      simulate({
        ...{ fleet, policy: DEFAULT_POLICY, random: Math.random },
        callsPerSecond: callsPerSecond === null ? null : (callsPerSecond * hourMs) / HOUR_MS,
        seconds: Math.round((hours * HOUR_MS) / 1_000),
      }).calls,
  );
  return {
    measured: { listing: listing - before.listing, tracking: tracking - before.tracking },
    simulated,
  };
}

const sumOf = ({ listing, tracking }: Readings): number => listing + tracking;

const COUNTED: Readonly<Record<string, (readings: Readings) => number>> = {
  'listing readings': ({ listing }) => listing,
  'tracking readings': ({ tracking }) => tracking,
  'all readings': sumOf,
};

function measurementsOf(limit: string, { measured, simulated }: Window): Measurement[] {
  return Object.entries(COUNTED).flatMap(([what, countOf]): Measurement[] => {
    const samples = simulated.map(countOf);
    const ratio = countOf(measured) / median(samples);
    return [
      { what: `${limit}: ${what}, measured`, unit: '', samples: [countOf(measured)] },
      { what: `${limit}: ${what}, simulated`, unit: '', samples },
      { what: `${limit}: ${what}, measured by simulated`, unit: '', samples: [ratio], isRatio: true },
      {
        what: `${limit}: ${what}, difference`,
        unit: '%',
        samples: [Math.abs(ratio - 1) * 100],
        goal: GOALS.simulation,
      },
    ];
  });
}
