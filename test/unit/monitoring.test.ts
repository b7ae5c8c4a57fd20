import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { ASKED_KINDS } from '../../src/domain/asked-kind';
import { documentedMetrics } from '../support/documented-metrics';
import { sectionsOf } from '../support/markdown';

const ROOT = path.join(__dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}
const { groups } = parse(read('deploy/prometheus/alerts.yaml')) as {
  readonly groups: readonly { readonly rules: readonly Alert[] }[];
};
const ALERTS = groups.flatMap(({ rules }) => rules);
const { tests: alertTests } = parse(read('deploy/prometheus/alerts.test.yaml')) as {
  readonly tests: readonly {
    readonly alert_rule_test: readonly {
      readonly alertname: string;
      readonly exp_alerts: readonly object[];
    }[];
  }[];
};
const CHECKS = alertTests.flatMap(({ alert_rule_test: checks }) => checks);

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string }[];
}
const { panels } = JSON.parse(read('deploy/grafana/consign.json')) as { readonly panels: readonly Panel[] };
const GRAPHS = panels.filter(({ type }) => type !== 'row');

const RUN_BOOKS = read('docs/run-books.md');

/** Metrics of Consign that an expression names, without the suffixes of a histogram. */
const namedBy = (expression: string): readonly string[] =>
  [...expression.matchAll(/\bconsign_\w+/g)].map(([name]) => name.replace(/_(?:bucket|sum|count)$/, ''));

const NAMES = documentedMetrics().map(({ name }) => name);

test.each(ALERTS)(
  'alert $alert leads to the run-book that names it, with a command, and has a severity',
  ({ alert, labels, annotations }) => {
    const [page, anchor = ''] = annotations.runbook_url.split('#');
    expect(page).toBe('docs/run-books.md');
    const section = sectionsOf(RUN_BOOKS).get(anchor) ?? '';
    expect(section).toMatch(new RegExp(`^Alerts? .*\`${alert}\``, 'm'));
    expect(section).toMatch(/`(?:consign |GET )|\]\(questions\.md#/);
    expect(['critical', 'warning']).toContain(labels.severity);
  },
);

test('the run-books name no alert that is gone, and each alert once', () => {
  const named = [...RUN_BOOKS.matchAll(/`(Consign[A-Z]\w+)`/g)].map(([, name = '']) => name);
  expect(new Set(named)).toEqual(new Set(ALERTS.map(({ alert }) => alert)));
  expect(named).toHaveLength(ALERTS.length);
});

test.each(ASKED_KINDS)('the run-books lead from the question %s to what to do', (kind) => {
  const line = RUN_BOOKS.split(/^- /m).find((item) => item.includes(`\`${kind}\``)) ?? '';
  expect(line).toMatch(/\]\((?:questions\.md)?#[\w-]+\)/);
});

test.each(ALERTS)('a test shows alert $alert firing, and one shows it silent', ({ alert }) => {
  const expected = CHECKS.filter(({ alertname }) => alertname === alert).map(
    ({ exp_alerts }) => exp_alerts.length,
  );
  expect(expected).toContain(0);
  expect(expected.filter((count) => count > 0)).not.toEqual([]);
});

test('alerts and dashboard use only metrics that are documented, and every one of them', () => {
  const expressions = [
    ...ALERTS.map(({ expr }) => expr),
    ...GRAPHS.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ];
  expect(expressions.length).toBeGreaterThan(30);
  const used = new Set(expressions.flatMap(namedBy));
  expect([...used].filter((name) => !NAMES.includes(name))).toEqual([]);
  expect(NAMES.filter((name) => !used.has(name))).toEqual([]);
});

test('every graph of the dashboard has a title and a query, and each place one graph', () => {
  expect(GRAPHS.length).toBeGreaterThan(15);
  for (const { title, targets = [] } of GRAPHS) {
    expect(title).not.toBe('');
    expect(targets.length).toBeGreaterThan(0);
  }
  const places = panels.map((panel) => JSON.stringify((panel as { gridPos?: unknown }).gridPos));
  expect(new Set(places).size).toBe(panels.length);
});

test('every metric that the code makes is documented', () => {
  const sources = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => read(path.join('src', file)))
    .join('\n');
  const made = [...sources.matchAll(/'(consign_\w+)'/g)].map(([, name = '']) => name);
  expect(made.length).toBeGreaterThan(12);
  // Temporal's runtime adds the suffixes of counters and of units.
  const isDocumented = (name: string): boolean =>
    [name, `${name}_total`, `${name}_seconds`].some((full) => NAMES.includes(full));
  expect(made.filter((name) => !isDocumented(name))).toEqual([]);
});
