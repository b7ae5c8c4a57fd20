/** Any fixed number will do: without `FUZZ_RUNS` a property meets the same cases every time, and fails for its change. */
const SEED = 20;

/**
 * What `fc.assert` takes: few cases by default, or as many new ones as `FUZZ_RUNS` says.
 *
 * @throws Error when `FUZZ_RUNS` is no positive whole number: zero cases would pass everything
 */
export function fuzzing(usualRuns: number): { readonly numRuns: number; readonly seed?: number } {
  const wanted = process.env.FUZZ_RUNS ?? '';
  if (wanted === '') return { numRuns: usualRuns, seed: SEED };
  const numRuns = Number(wanted);
  if (!Number.isSafeInteger(numRuns) || numRuns < 1) throw new Error(`FUZZ_RUNS is no count: ${wanted}`);
  return { numRuns };
}
