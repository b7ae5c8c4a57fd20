import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Sandbox } from '../../sandbox';
import { defaultSwitches, switchesSchema, type SwitchChanges } from '../../sandbox/model/switches';

/** A switch, and a value of it under which a client made a request. */
export type TriedSwitch = readonly [name: string, value: unknown];

/** Set by the setup of the contract tests for all their processes. */
const FOLDER = 'CONSIGN_TRIED_SWITCHES';

/** Notes which switches had which values while requests were made. */
export function watchSwitches(sandbox: Sandbox): { note(): void; save(file: string): void } {
  const setSwitches = sandbox.setSwitches.bind(sandbox);
  const tried: TriedSwitch[] = [];
  const set = new Map<string, { readonly value: unknown; readonly requestsBefore: number }>();

  function note(): void {
    for (const [name, { value, requestsBefore }] of set)
      if (sandbox.requests().length > requestsBefore) tried.push([name, value]);
    set.clear();
  }
  function watched(changes: SwitchChanges): ReturnType<Sandbox['setSwitches']> {
    const standing = [...set];
    note();
    const requestsBefore = sandbox.requests().length;
    for (const [name, { value }] of standing) set.set(name, { value, requestsBefore });
    for (const [name, value] of Object.entries(changes))
      set.set(name, { value: structuredClone(value), requestsBefore });
    return setSwitches(changes);
  }
  Object.assign(sandbox, { setSwitches: watched });
  return {
    note,
    save(file) {
      const folder = process.env[FOLDER];
      if (folder === undefined) return;
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, `${path.basename(file)}.json`), JSON.stringify(tried));
    },
  };
}

/** Makes the processes of this run note what they try. */
export function collectTriedSwitches(folder: string): void {
  process.env[FOLDER] = folder;
}

/** What each test file tried, by the file's name. */
export function readTriedSwitches(): ReadonlyMap<string, readonly TriedSwitch[]> {
  const folder = process.env[FOLDER] ?? '';
  return new Map(
    readdirSync(folder).map((name) => [
      name.replace(/\.json$/, ''),
      JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as TriedSwitch[],
    ]),
  );
}

export function forgetTriedSwitches(): void {
  rmSync(process.env[FOLDER] ?? '', { recursive: true, force: true });
}

interface Described {
  readonly type: string;
  readonly options?: readonly unknown[];
}

/** The values that a switch must be seen with; null: any other than its default. */
function valuesOf({ type, options = [] }: Described): readonly unknown[] | null {
  if (type === 'boolean') return [true, false];
  if (type === 'enum') return options;
  return type === 'union' ? options.map((option) => (option as { value: unknown }).value) : null;
}

/**
 * The values that no client met, such as `location=bare`, or `rateLifetimeInSeconds≠604800` where any would do. The
 * default of a switch is what all other tests run under. Webhooks are no affair of the client.
 */
export function untriedSwitches(tried: readonly TriedSwitch[]): string[] {
  const defaults: Readonly<Record<string, unknown>> = defaultSwitches;
  const met = new Map<string, Set<string>>();
  for (const [name, value] of tried) met.set(name, (met.get(name) ?? new Set()).add(JSON.stringify(value)));
  return Object.entries(switchesSchema.shape)
    .filter(([name]) => !name.startsWith('webhook'))
    .flatMap(([name, schema]) => {
      const usual = JSON.stringify(defaults[name]);
      const seen = [...(met.get(name) ?? [])].filter((value) => value !== usual);
      const wanted = valuesOf(schema);
      if (wanted === null) return seen.length > 0 ? [] : [`${name}≠${usual}`];
      return wanted
        .map((value) => JSON.stringify(value))
        .filter((value) => value !== usual && !seen.includes(value))
        .map((value) => `${name}=${value.replaceAll('"', '')}`);
    });
}
