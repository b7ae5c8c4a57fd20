/** A metric of a page that Prometheus reads. */
export interface ScrapedMetric {
  readonly name: string;
  readonly type: string;
  /** Of all its series; a histogram's `le` is left out. */
  readonly labels: readonly string[];
}

export interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^(?<name>[a-zA-Z_:][\w:]*)(?:\{(?<labels>.*)\})? (?<value>\S+)$/;

export function seriesOf(text: string): readonly Series[] {
  return text.split('\n').flatMap((line) => {
    const { name, labels = '', value } = LINE.exec(line)?.groups ?? {};
    if (name === undefined || line.startsWith('#')) return [];
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, is]) => [key, is]);
    return [{ name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }];
  });
}

export function metricsOf(text: string): readonly ScrapedMetric[] {
  const series = seriesOf(text);
  return [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => {
    const names = type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => `${name}${end}`) : [name];
    const labels = series.filter((one) => names.includes(one.name)).flatMap((one) => Object.keys(one.labels));
    return { name, type, labels: [...new Set(labels)].filter((label) => label !== 'le').toSorted() };
  });
}

/** The value of the series with these labels, and any others; undefined where there is none. */
export function valueOf(
  text: string,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  return seriesOf(text).find(
    (one) => one.name === name && Object.entries(labels).every(([key, is]) => one.labels[key] === is),
  )?.value;
}
