import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ScrapedMetric } from './metrics-text';

const PAGE = path.join(__dirname, '..', '..', 'docs', 'metrics.md');
const ROW = /^\| `(?<name>consign_\w+)` +\| (?<type>\w+) +\| (?<labels>[^|]*)\|/gm;

/** The rows of the tables of docs/metrics.md. */
export function documentedMetrics(): readonly ScrapedMetric[] {
  return [...readFileSync(PAGE, 'utf8').matchAll(ROW)].map(({ groups }) => ({
    name: groups?.name ?? '',
    type: groups?.type ?? '',
    labels: [...(groups?.labels ?? '').matchAll(/`(\w+)`/g)].map(([, label = '']) => label).toSorted(),
  }));
}
