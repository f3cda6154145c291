/**
 * Vitest's runner for scripts/mutate.ts: each test runs as it is, and then again on every change of
 * the code that it reaches and that no test before it noticed. All in one process, so that modules
 * are loaded once and not for each change.
 */
import { writeFileSync } from 'node:fs';
import { type RunnerTestCase, type RunnerTestFile, type RunnerTestSuite, TestRunner } from 'vitest';

/** What is known of changes after a test file; changes are named by their ids. */
export interface MutantResults {
  /** Noticed, and by which test. */
  readonly killed: Record<string, string>;
  /** Reached by a test, and how often in it. */
  readonly reached: Record<string, number>;
  /** Run while modules are loaded: the tests cannot switch them on. */
  readonly loaded: Record<string, number>;
  /** Tests that fail when they are repeated, so that they say nothing. */
  readonly unrepeatable: string[];
  /** Tests that took too long to be repeated for all changes. */
  readonly slow: string[];
}

/** What Stryker's instrumented code reads and writes. */
interface Instrumentation {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  readonly mutantCoverage: {
    readonly static: Record<string, number>;
    readonly perTest: Record<string, Record<string, number>>;
  };
}

/** Milliseconds for one repetition, and for all repetitions of a test. */
const longest = 3000;
const mostForTest = 15_000;
/** How many times as often as usual a change may be reached: more is an endless loop. */
const mostHits = 100;

const shared = globalThis as typeof globalThis & {
  __stryker__?: Instrumentation;
  mutantResults?: MutantResults;
};
shared.__stryker__ ??= { mutantCoverage: { static: {}, perTest: {} } };
const code = shared.__stryker__;
shared.mutantResults ??= {
  killed: {},
  reached: {},
  loaded: code.mutantCoverage.static,
  unrepeatable: [],
  slow: [],
};
const results = shared.mutantResults;

/** The suites around a test, from the file inwards. */
function suitesOf(test: RunnerTestCase): readonly RunnerTestSuite[] {
  const suites: RunnerTestSuite[] = [];
  for (let suite: RunnerTestSuite | undefined = test.suite; suite; suite = suite.suite)
    suites.unshift(suite);
  return suites[0] === test.file ? suites : [test.file, ...suites];
}

/** Runs a test with what is to be done before and after each. */
async function repeat(test: RunnerTestCase): Promise<void> {
  const suites = suitesOf(test);
  const undo: (() => unknown)[] = [];
  try {
    for (const suite of suites)
      for (const hook of TestRunner.getSuiteHooks(suite).beforeEach) {
        const cleanUp: unknown = await hook(test.context, suite);
        if (typeof cleanUp === 'function') undo.unshift(() => cleanUp());
      }
    await TestRunner.getTestFn(test)();
  } finally {
    for (const cleanUp of undo) await cleanUp();
    for (const suite of suites.toReversed())
      for (const hook of TestRunner.getSuiteHooks(suite).afterEach.toReversed())
        await hook(test.context, suite);
  }
}

/** Rejects also where the test takes too long. */
async function repeatInTime(test: RunnerTestCase): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('too slow')), longest);
  });
  await Promise.race([repeat(test), late]).finally(() => clearTimeout(timer));
}

// biome-ignore lint/style/noDefaultExport: Vitest loads a runner by its default export
export default class MutantRunner extends TestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    code.currentTestId = test.id;
    await TestRunner.getTestFn(test)();
    code.currentTestId = undefined;
    const reached = code.mutantCoverage.perTest[test.id] ?? {};
    for (const [id, hits] of Object.entries(reached))
      results.reached[id] = (results.reached[id] ?? 0) + hits;
    const name = `${test.file.name}: ${test.name}`;
    const left = Object.entries(reached).filter(([id]) => results.killed[id] === undefined);
    if (left.length === 0) return;
    try {
      await repeat(test);
    } catch {
      results.unrepeatable.push(name);
      return;
    }
    const before = { ...test.result };
    const end = performance.now() + mostForTest;
    for (const [id, hits] of left) {
      if (performance.now() > end) {
        results.slow.push(name);
        return;
      }
      Object.assign(code, { activeMutant: id, hitCount: 0, hitLimit: hits * mostHits });
      try {
        await repeatInTime(test);
        if (test.result?.state === 'fail') results.killed[id] = name;
      } catch {
        results.killed[id] = name;
      } finally {
        Object.assign(code, { activeMutant: undefined, hitCount: undefined });
        // What failed on a change is no failure of the test.
        Object.assign(test, { promises: [], result: { ...before } });
      }
    }
  }

  override onAfterRunFiles(files: RunnerTestFile[]): void {
    super.onAfterRunFiles(files);
    writeFileSync(String(process.env['MUTANT_RESULTS']), JSON.stringify(results));
  }
}
