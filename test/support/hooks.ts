/**
 * Hooks of support modules. A worker evaluates a support module once and runs many files, so a hook
 * that the module registered with vitest itself would belong to the first of them. `setup.ts` runs
 * these for every file.
 */
type Work = () => unknown;

const works: Record<'test' | 'file', Work[]> = { test: [], file: [] };

/** After each test, and after the hooks of its file. */
export function afterEachTest(work: Work): void {
  works.test.push(work);
}

/** After the last test of each file. */
export function afterEachFile(work: Work): void {
  works.file.push(work);
}

/** The last that was registered comes first. */
export async function runHooks(after: 'test' | 'file'): Promise<void> {
  for (const work of works[after].toReversed()) await work();
}
