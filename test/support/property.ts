/**
 * fast-check as our tests use it: the same cases every time, so that a red run is the fault of the change; a search with
 * new cases is `npm run test:fuzz`, whose failure prints the seed that repeats it.
 */
import fc from 'fast-check';

const { FUZZ_SEED, FUZZ_TIMES } = process.env;
/** How many times the usual cases are run. */
export const times = Number(FUZZ_TIMES ?? 1);

fc.configureGlobal(FUZZ_SEED === 'random' ? {} : { seed: Number(FUZZ_SEED ?? 20_261_121) });

/** So many runs of a property, more in a search. */
export function runs(count: number): { readonly numRuns: number } {
  return { numRuns: count * times };
}

export { fc };
