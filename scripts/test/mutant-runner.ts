/**
 * Vitest's runner for scripts/mutate.ts: each test runs as it is, and then again on every change of
 * the code that it reaches and that no test before it noticed. All in one process, so that modules
 * are loaded once and not for each change.
 */
import { writeFileSync } from 'node:fs';
import {
  type RunnerTestCase,
  type RunnerTestFile,
  type RunnerTestSuite,
  TestRunner,
  vi,
} from 'vitest';

/** What is known of changes after a test file; changes are named by their ids. */
export interface MutantResults {
  /** Noticed, and by which test. */
  readonly killed: Record<string, string>;
  /** Of these, what a test did not end on in time: a change that hangs, or a machine that is busy. */
  readonly late: Record<string, string>;
  /** Reached by a test of these files. */
  readonly reached: Record<string, string[]>;
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

/** Milliseconds for one repetition of a quick test, and for all repetitions of a test. */
const longest = 3000;
const mostForTest = 15_000;
/** How many times as long as usual a repetition may take: the machine may be busy with other work. */
const patience = 20;
/** How many times as often as usual a change may be reached: more is an endless loop. */
const mostHits = 100;

/** A test that hangs may leave these replaced. */
const startTimer = setTimeout;
const stopTimer = clearTimeout;
const elapsed = performance.now.bind(performance);

const shared = globalThis as typeof globalThis & {
  __stryker__?: Instrumentation;
  mutantResults?: MutantResults;
};
shared.__stryker__ ??= { mutantCoverage: { static: {}, perTest: {} } };
const code = shared.__stryker__;
shared.mutantResults ??= {
  killed: {},
  late: {},
  reached: {},
  loaded: code.mutantCoverage.static,
  unrepeatable: [],
  slow: [],
};
const results = shared.mutantResults;

/**
 * Counts all changes that a repetition reaches. Where a change makes other code loop without end,
 * no timer fires any more: the change is switched off, and the loop ends by an error or by itself.
 */
let hitsLeft = 0;
const repetition = 'repetition';
code.mutantCoverage.perTest[repetition] = new Proxy<Record<string, number>>(
  {},
  {
    set: () => {
      hitsLeft -= 1;
      if (hitsLeft >= 0) return true;
      code.activeMutant = undefined;
      throw new Error('an endless loop');
    },
  },
);

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

/** Changes by how many tests were repeated with them: a test that is slow begins with the fewest. */
const tried = new Map<string, number>();
const timesTried = (id: string): number => tried.get(id) ?? 0;

/** Files of which a test was repeated with a change: the parts that its tests share may be broken. */
const disturbed = new Set<string>();

class TooLate extends Error {}

/** Rejects also where the test takes more than so many milliseconds. */
async function repeatInTime(test: RunnerTestCase, most: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = startTimer(() => {
      vi.useRealTimers();
      reject(new TooLate());
    }, most);
  });
  await Promise.race([repeat(test), late]).finally(() => stopTimer(timer));
}

// biome-ignore lint/style/noDefaultExport: Vitest loads a runner by its default export
export default class MutantRunner extends TestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    const name = `${test.file.name}: ${test.name}`;
    code.currentTestId = test.id;
    try {
      await TestRunner.getTestFn(test)();
    } catch (error) {
      if (!disturbed.has(test.file.name)) throw error;
      results.unrepeatable.push(name);
      return;
    } finally {
      code.currentTestId = undefined;
    }
    const reached = code.mutantCoverage.perTest[test.id] ?? {};
    for (const id of Object.keys(reached))
      results.reached[id] = [...new Set([...(results.reached[id] ?? []), test.file.name])];
    const left = Object.entries(reached)
      .filter(([id]) => results.killed[id] === undefined)
      .sort(([one], [other]) => timesTried(one) - timesTried(other));
    if (left.length === 0) return;
    const start = elapsed();
    try {
      await repeat(test);
    } catch {
      results.unrepeatable.push(name);
      return;
    }
    const before = { ...test.result };
    const hitsOfAll = Object.values(reached).reduce((sum, hits) => sum + hits, 0);
    const now = elapsed();
    const most = Math.max(longest, patience * (now - start));
    const end = now + mostForTest;
    for (const [id, hits] of left) {
      if (elapsed() > end) {
        results.slow.push(name);
        return;
      }
      disturbed.add(test.file.name);
      tried.set(id, timesTried(id) + 1);
      hitsLeft = hitsOfAll * mostHits;
      Object.assign(code, { activeMutant: id, hitCount: 0, hitLimit: hits * mostHits });
      code.currentTestId = repetition;
      try {
        await repeatInTime(test, most);
        if (test.result?.state === 'fail' || hitsLeft < 0) results.killed[id] = name;
      } catch (error) {
        results.killed[id] = name;
        if (error instanceof TooLate) results.late[id] = name;
      } finally {
        Object.assign(code, { activeMutant: undefined, hitCount: undefined });
        code.currentTestId = undefined;
        // What failed on a change is no failure of the test.
        Object.assign(test, { promises: [], result: { ...before } });
      }
      if (results.killed[id] === undefined) continue;
      // What a change left in the parts that tests share would make the next ones look noticed.
      try {
        await repeatInTime(test, most);
      } catch {
        results.unrepeatable.push(name);
        return;
      }
    }
  }

  override onAfterRunFiles(files: RunnerTestFile[]): void {
    super.onAfterRunFiles(files);
    writeFileSync(String(process.env['MUTANT_RESULTS']), JSON.stringify(results));
  }
}
