import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect } from '@jest/globals';
import { stringify } from 'yaml';
import { scrapeLiveStack } from '../support/metrics-stack';
import { testUnless } from '../support/test-unless';
import { installTool, run, whyNot } from '../../devstack/cluster/go-tool';

const PROMTOOL = {
  package: 'github.com/prometheus/prometheus/cmd/promtool',
  // The Go module of Prometheus 3.16.
  version: 'v0.316.0',
  // Of the ways to find targets, only the one that our configuration uses: the others take minutes to compile.
  tags: 'remove_all_sd,enable_dns_sd',
  variable: 'PROMTOOL',
};
const DEPLOY = path.join(__dirname, '..', '..', 'deploy', 'prometheus');
const DASHBOARD = path.join(DEPLOY, '..', 'grafana', 'consign.json');
/** The first build compiles for minutes. */
const BUILD_MS = 20 * 60_000;

// The rule does not see that `testWithPromtool` is a test.
/* oxlint-disable jest/no-standalone-expect */
const WHY_NOT = whyNot(PROMTOOL);
const { test: testWithPromtool, unless } = testUnless(WHY_NOT);

let program: string;
beforeAll(async () => {
  if (WHY_NOT === null) program = await installTool(PROMTOOL);
}, BUILD_MS);

async function promtool(
  args: readonly string[],
  input?: string,
): Promise<{ readonly code: number; readonly output: string }> {
  const { code, output } = await run(program, args, { input });
  return { code, output };
}
const inDeploy = (file: string): string => path.join(DEPLOY, file);

testWithPromtool(`promtool accepts the rules of the alerts${unless}`, async () => {
  const { code, output } = await promtool([
    'check',
    'rules',
    '--lint=all',
    '--lint-fatal',
    inDeploy('alerts.yaml'),
  ]);
  expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/SUCCESS: \d\d rules found/) });
});

testWithPromtool(`promtool accepts every query of the dashboard${unless}`, async () => {
  const { panels } = JSON.parse(await readFile(DASHBOARD, 'utf8')) as {
    readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
  };
  // As Grafana replaces its variable. Another variable would be left, and refused.
  const rules = panels
    .flatMap(({ targets = [] }) => targets)
    .map(({ expr }, index) => ({
      record: `dashboard:query${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }));
  expect(rules.length).toBeGreaterThan(30);
  const { code, output } = await promtool(
    ['check', 'rules'],
    stringify({ groups: [{ name: 'all', rules }] }),
  );
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringContaining(`SUCCESS: ${rules.length} rules found`),
  });
});

testWithPromtool(`promtool accepts the configuration of Prometheus${unless}`, async () => {
  const { code, output } = await promtool(['check', 'config', '--lint=all', inDeploy('prometheus.yaml')]);
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringContaining('is valid prometheus config file'),
  });
});

testWithPromtool(`each alert fires when it should, and is silent otherwise${unless}`, async () => {
  const { code, output } = await promtool(['test', 'rules', inDeploy('alerts.test.yaml')]);
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('SUCCESS') });
});

testWithPromtool(`promtool finds fault with a rule that is wrong${unless}`, async () => {
  const rules =
    'groups:\n  - name: a\n    rules:\n      - alert: A\n        expr: max(consign_open_shipments\n';
  const { code, output } = await promtool(['check', 'rules'], rules);
  expect({ code, output }).toEqual({
    code: 1,
    output: expect.stringContaining('could not parse expression'),
  });
});

/** What the SDK of Temporal calls its metrics is not ours to change. */
const ofConsign = (page: string): string =>
  page
    .split('\n')
    .filter((line) => /^(?:# \w+ )?consign_/.test(line))
    .map((line) => `${line}\n`)
    .join('');

testWithPromtool(
  `promtool accepts the metrics of a live worker, receiver and HTTP API${unless}`,
  async () => {
    const { worker, webhooks, api } = await scrapeLiveStack();
    for (const page of [worker, webhooks, api]) {
      expect(ofConsign(page).split('\n').length).toBeGreaterThan(20);
      expect(await promtool(['check', 'metrics'], ofConsign(page))).toEqual({ code: 0, output: '' });
      // Also the others can be read.
      expect((await promtool(['check', 'metrics'], page)).output).not.toContain('error while linting');
    }
  },
);
