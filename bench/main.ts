import { writeFile } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import { describeMachine } from './machine';
import { SECTIONS, type Section, type SectionName, type SectionReport } from './measurement';
import { renderReport, reportForPrograms, type Report } from './report';
import { measureHistory } from './sections/history';
import { measureOpen } from './sections/open';
import { measureReceiver } from './sections/receiver';
import { measureScale } from './sections/scale';
import { measureShipments } from './sections/shipments';
import { measureStarts } from './sections/starts';
import { measureVisibility } from './sections/visibility';

const MEASURES: Readonly<Record<SectionName, Section>> = {
  shipments: measureShipments,
  receiver: measureReceiver,
  visibility: measureVisibility,
  history: measureHistory,
  open: measureOpen,
  scale: measureScale,
  starts: measureStarts,
};

const MEANINGS = `
Sections:
  shipments   throughput and CPU per shipment, against a bare workflow with the same history
  receiver    throughput, p50 and p99 of the webhook receiver, against the least possible receiver and signals alone
  visibility  time from an event until a query shows its effect
  history     history events and bytes, workflow tasks, API calls and billable actions of a quick and a slow life
  open        memory, CPU per event and p99 with many open shipments
  scale       calls of many open shipments, measured beside simulated (npm run scale)
  starts      start times of the worker and the CLI

Each section starts its own Temporal server and processes on this machine. Run nothing else at the same time: other load
changes the numbers. Needs Linux, because CPU and memory are read from /proc. Progress goes to standard error.`;

interface Options {
  readonly only: readonly SectionName[];
  readonly quick: boolean;
  readonly json?: string;
}

const isSection = (name: string): name is SectionName => SECTIONS.some((section) => section === name);

/** The names between commas, in the order of the report. */
function parseSections(given: string): readonly SectionName[] {
  const names = given.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !isSection(name));
  if (unknown !== undefined) throw new InvalidArgumentError(`Name some of ${SECTIONS.join(', ')}.`);
  return SECTIONS.filter((section) => names.includes(section));
}

async function main(): Promise<void> {
  const program = new Command('npm run bench --')
    .description('Benchmarks Consign. Prints each measurement with its goal.')
    .option('--only <sections>', 'run only these sections, comma-separated', parseSections, SECTIONS)
    .option('--quick', 'smaller sizes and fewer rounds; takes a few minutes', false)
    .option('--json <file>', 'also write all numbers to this file')
    .addHelpText('after', MEANINGS);
  const { only, quick, json } = program.parse().opts<Options>();
  const report = await measure(only, quick);
  process.stdout.write(`${renderReport(report)}\n`);
  if (json !== undefined) await writeFile(json, `${JSON.stringify(reportForPrograms(report), null, 2)}\n`);
}

async function measure(only: readonly SectionName[], isQuick: boolean): Promise<Report> {
  const begun = new Date();
  const sections: SectionReport[] = [];
  for (const name of only) {
    const progress = (what: string): void =>
      void process.stderr.write(`${secondsSince(begun)} s  ${name}: ${what}\n`);
    progress('begins');
    sections.push(await MEASURES[name]({ isQuick, progress }));
  }
  return {
    startedAt: begun.toISOString(),
    tookSeconds: secondsSince(begun),
    isQuick,
    machine: describeMachine(),
    sections,
  };
}

const secondsSince = (begun: Date): number => Math.round((Date.now() - begun.getTime()) / 1_000);

void main();
