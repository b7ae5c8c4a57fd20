import type { ScriptedFault } from '../sandbox';

type Scripted = Pick<ScriptedFault, 'kind' | 'status' | 'encoding' | 'contentType' | 'hits'>;

/** The effect of a fault, such as `status 400 in gzip`. */
function nameOf({ kind, status, encoding, contentType }: Scripted): string {
  return [
    kind,
    ...(status === undefined ? [] : [status]),
    ...(encoding === undefined ? [] : [`in ${encoding === 'broken' ? 'broken gzip' : encoding}`]),
    ...(contentType?.includes('html') === true ? ['as a page'] : []),
  ].join(' ');
}

/** How often the scripted faults hit, by their effect. Pure. */
export function countScripted(faults: readonly Scripted[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const fault of faults)
    if (fault.hits > 0) counts[nameOf(fault)] = (counts[nameOf(fault)] ?? 0) + fault.hits;
  return counts;
}
