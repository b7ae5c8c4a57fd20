import pc from 'picocolors';
import {
  isConforming,
  type ConformanceVerdict,
  type EndpointReport,
  type UnreadField,
} from '../../domain/conformance';

/** What a report says of itself, so that it can be read elsewhere and later. */
export interface ReportHead {
  readonly version: string;
  /** Calendar day in UTC. */
  readonly date: string;
  readonly environment: 'sandbox' | 'production';
}

const VERDICTS: Readonly<Record<ConformanceVerdict, string>> = {
  fits: pc.green('fits'),
  differs: pc.red('differs'),
  notThere: 'not there, as documented',
  refused: pc.red('refused'),
  noAnswer: pc.red('no answer'),
};

const listLine = (title: string, names: readonly string[]): string[] =>
  names.length === 0 ? [] : [`  ${title}: ${names.join(', ')}`];

/** One line for each object that holds such fields; their kinds are in the JSON. */
function fieldLines(title: string, fields: readonly UnreadField[]): string[] {
  const byParent = new Map<string, string[]>();
  for (const { path } of fields) {
    const cut = path.lastIndexOf('.');
    const parent = path.slice(0, Math.max(cut, 0));
    byParent.set(parent, [...(byParent.get(parent) ?? []), path.slice(cut + 1)]);
  }
  const lines = [...byParent].map(
    ([parent, names]) => `    ${parent === '' ? '' : `${parent}: `}${names.join(', ')}`,
  );
  return lines.length === 0 ? [] : [`  ${title}:`, ...lines];
}

function renderEndpoint(report: EndpointReport): string {
  const { endpoint, status, verdict, trouble, differences } = report;
  const values = report.unknownValues.map(
    ({ path, value }) => `${path} = ${value ?? '(no code, not shown)'}`,
  );
  return [
    `${pc.bold(endpoint)}: ${status ?? '-'} ${VERDICTS[verdict]}${trouble === null ? '' : ` (${trouble})`}`,
    ...differences.map(
      ({ path, expected, received }) => `  ${path}: expected ${expected}, received ${received}`,
    ),
    ...listLine('values not known', values),
    ...fieldLines('fields not read', report.unreadFields),
    ...listLine('fields read where they are there, and not given', report.absentFields),
  ].join('\n');
}

/** A conformance report that may be shown to anybody: names of fields, kinds and codes, no content. */
export function renderConformance(
  { version, date, environment }: ReportHead,
  reports: readonly EndpointReport[],
): string {
  const failing = reports.filter((report) => !isConforming(report)).length;
  const verdict =
    failing === 0
      ? pc.green('conforming')
      : pc.red(`${failing} of ${reports.length} endpoints do not conform`);
  return [
    `Consign ${version}, conformance of the marketplace's ${environment} on ${date}`,
    ...reports.map(renderEndpoint),
    `${verdict}; holds no values but those of open lists`,
  ].join('\n\n');
}
