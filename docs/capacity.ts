import { readFileSync } from 'node:fs';
import path from 'node:path';
import { RETENTION_DAYS } from '../src/temporal/connect';

/** A value of the benchmarks' last run; sizes in bytes. */
interface Measured {
  readonly text: string;
  readonly value: number;
}

const BENCHMARKS = path.join(__dirname, 'benchmarks.md');
const FACTORS: Readonly<Record<string, number>> = { B: 1, kB: 1e3, MB: 1e6 };

/** @param row its label, as `bench/sections` writes it */
function measured(row: string): Measured {
  const line = readFileSync(BENCHMARKS, 'utf8')
    .split('\n')
    .find((text) => text.startsWith(`${row} `));
  const [, text, unit = ''] = /^ +([\d.,]+)(?: (k?B|MB))?/.exec(line?.slice(row.length) ?? '') ?? [];
  if (text === undefined) throw new Error(`docs/benchmarks.md has no value of "${row}"`);
  return {
    text: unit === '' ? text : `${text} ${unit}`,
    value: Number(text.replaceAll(',', '')) * (FACTORS[unit] ?? 1),
  };
}

const slowLife = (flow: 'furniture' | 'LTL', what: string): Measured =>
  measured(`slow life, ${flow} flow: ${what}`);

/** Of one shipment, when half are furniture and half LTL. */
const mean = (what: string): number => (slowLife('furniture', what).value + slowLife('LTL', what).value) / 2;

const SIZE = 'history size';
const COUNTED = ['history events', SIZE, 'workflow tasks', 'activity attempts', 'signals', 'API calls'];
const ACTIONS = 'billable actions (estimate)';

/** With two significant digits: more would pretend to be exact. */
function about(value: number, unit = ''): string {
  const rounded = Number(value.toPrecision(2));
  const text = rounded >= 1e6 ? `${rounded / 1e6} million` : rounded.toLocaleString('en-US');
  return unit === '' ? text : `${text} ${unit}`;
}

const sizeText = (bytes: number): string =>
  bytes >= 1e9 ? about(bytes / 1e9, 'GB') : about(bytes / 1e6, 'MB');

/** What one shipment costs, by the last run of the benchmarks. */
export function capacityTable(): string[][] {
  const rows = [...COUNTED, ACTIONS].map((what) => {
    const many = mean(what) * 10_000;
    return [
      what,
      slowLife('furniture', what).text,
      slowLife('LTL', what).text,
      what === SIZE ? sizeText(many) : about(many),
    ];
  });
  return [['', 'furniture', 'LTL', '10,000 shipments'], ...rows];
}

/** As docs/benchmarks.md describes it. */
const SLOW_LIFE_DAYS = 16;

/** For 10,000 orders in a month of 30 days. */
export function capacityPlan() {
  const [ordersADay, days] = [10_000 / 30, SLOW_LIFE_DAYS];
  const openShipments = ordersADay * days;
  return {
    openShipments,
    // The worker's own default is the inverse, see `cachedWorkflowsIn`.
    heapMbForShipments: openShipments / 2,
    callsPerSecond: (ordersADay * mean('API calls')) / 86_400,
    actionsAMonth: 10_000 * mean(ACTIONS),
    historyBytes: ordersADay * (days + RETENTION_DAYS) * mean(SIZE),
  };
}

/** What a number of orders needs. */
export function planTable(): string[][] {
  const plan = capacityPlan();
  const empty = measured('memory of the worker without shipments');
  const each = measured('3000 open: memory per shipment');
  return [
    ['what', 'formula', '10,000 orders a month'],
    ['open shipments', `orders a day × ${SLOW_LIFE_DAYS} days`, about(plan.openShipments)],
    [
      'memory of the workers',
      `${empty.text} for each worker + ${each.text} for each open shipment`,
      `${sizeText(plan.openShipments * each.value)} + ${empty.text} each`,
    ],
    [
      'heap limit, for the default cache',
      '200 MB for each worker + 0.5 MB for each open shipment',
      about(plan.heapMbForShipments, 'MB + 200 MB each'),
    ],
    ['API calls per second, on average', 'orders a day × API calls ÷ 86,400', about(plan.callsPerSecond)],
    ['billable actions a month', 'orders a month × actions', about(plan.actionsAMonth)],
    [
      'history in the database',
      `orders a day × (${SLOW_LIFE_DAYS} + ${RETENTION_DAYS} days) × size`,
      sizeText(plan.historyBytes),
    ],
  ];
}
