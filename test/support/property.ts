/**
 * fast-check with a fixed seed: the same cases in every run, so that a failure is caused by a
 * change. `npm run test:fuzz` searches with new cases and prints the seed of a failure.
 */
import fc from 'fast-check';

const { FUZZ_SEED, FUZZ_TIMES } = process.env;
/** Multiplier for the number of cases. */
export const times = Number(FUZZ_TIMES ?? 1);

fc.configureGlobal(FUZZ_SEED === 'random' ? {} : { seed: Number(FUZZ_SEED ?? 20_261_121) });

/** Number of runs of a property; more when fuzzing. */
export function runs(count: number): { readonly numRuns: number } {
  return { numRuns: count * times };
}

/**
 * Texts of any code points. `fc.string` with its `binary` unit first makes a table of all of them,
 * for two seconds.
 */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  const surrogates = { from: 0xd800, count: 0x800 };
  const point = fc
    .nat(0x10ffff - surrogates.count)
    .map((one) => (one < surrogates.from ? one : one + surrogates.count));
  return fc.array(point, { maxLength }).map((points) => String.fromCodePoint(...points));
}

export { fc };
