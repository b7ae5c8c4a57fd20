import pc from 'picocolors';
import {
  isConforming,
  type ConformanceVerdict,
  type EndpointReport,
  type UnreadField,
} from '../../domain/conformance';

/** What a report is about: people read it elsewhere and later. */
export interface ReportHead {
  readonly version: string;
  /** Calendar day in UTC. */
  readonly date: string;
  readonly environment: 'sandbox' | 'production';
}

const VERDICTS: Readonly<Record<ConformanceVerdict, string>> = {
  fits: pc.green('conforms'),
  differs: pc.red('differs'),
  notThere: 'not found, as documented',
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
    ...listLine('unknown values', values),
    ...fieldLines('fields that Consign does not read', report.unreadFields),
    ...listLine('optional fields that the answer lacks', report.absentFields),
  ].join('\n');
}

/** A conformance report that may be published: it holds names of fields, types and codes, and no content. */
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
    `${verdict}; this report contains no values except codes of open lists`,
  ].join('\n\n');
}
