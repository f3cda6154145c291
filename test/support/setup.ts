/**
 * Runs before every test file. A worker runs many of them, so nothing that one of them changes may
 * remain.
 */
import { afterAll, afterEach, type TestContext, vi } from 'vitest';
import { countingLimits } from '../../src/core/metering/counting-thread.ts';
import { priceClock } from '../../src/core/models/dated-price.ts';
import { keepPages } from './failed-pages.ts';
import { runHooks } from './hooks.ts';
import './direct-imports.ts';
import './lasting-connections.ts';
import './lasting-threads.ts';
import './light-hashing.ts';
import './patient-waits.ts';
import { isSlow, startSlowly } from './slow.ts';
import { countProcesses, cpuSeconds, takeUsage, type Usage } from './usage.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** CPU seconds of a file; see {@link cpuSeconds}. */
    cpu?: number;
    uses?: Usage;
  }
}

// Prices of this day: no test fails on the day when a vendor changes them.
priceClock.now = () => Date.UTC(2026, 10, 29);
countProcesses();
// Else tokens are estimated on a busy machine, where tests expect them counted.
countingLimits.timeLimit = 60_000;
// A link that an earlier file followed, such as that of a download, led its page elsewhere.
const { happyDOM } = globalThis as { readonly happyDOM?: { setURL(url: string): void } };
happyDOM?.setURL('http://localhost:3000/');
takeUsage();
startSlowly();
const before = cpuSeconds();

let file: TestContext['task']['file'] | undefined;
afterEach(async ({ task }) => {
  file = task.file;
  if (task.result?.state === 'fail') {
    if (isSlow)
      process.stderr.write(`"${task.name}" failed with TEST_SLOW=${process.env['TEST_SLOW']}\n`);
    await keepPages(task.name);
  }
  vi.useRealTimers();
  await runHooks('test');
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await runHooks('file');
  // The console keeps what it knows in modules, as a page does that is loaded once.
  if ('window' in globalThis) vi.resetModules();
  if (file === undefined) return; // all were skipped
  file.meta.cpu = cpuSeconds() - before;
  file.meta.uses = takeUsage();
});
