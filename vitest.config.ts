import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { TestReporter } from './scripts/test/reporter.ts';
import { keepTemporaryFilesInMemory } from './scripts/test/temporary-folder.ts';
import { patience } from './test/support/slow.ts';

keepTemporaryFilesInMemory();

// Tests start the program a few hundred times: Node keeps what it compiled for all of them.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
  new URL('node_modules/.cache/node', import.meta.url),
);

/**
 * The tests of the whole program come first: none of them runs alone at the end, while one core has
 * nothing to do. Files that need the same surroundings follow each other, because a worker is
 * replaced where they change. `TEST_SHUFFLE` is any text: another order for each, because files of
 * one worker share the modules that they import.
 */
class WholeProgramFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project, moduleId }: TestSpecification): number => {
      if (project.name === 'mocked') return 3;
      if (moduleId.endsWith('.tsx')) return 2; // a DOM
      return /\/test\/(e2e|cli\/(process|screens|site))\b/.test(moduleId) ? 0 : 1;
    };
    const seed = process.env['TEST_SHUFFLE'];
    const drawn = ({ moduleId }: TestSpecification): string =>
      createHash('sha256').update(`${seed} ${moduleId}`).digest('hex');
    const sorted =
      seed === undefined
        ? await super.sort(files)
        : files.toSorted((one, other) => (drawn(one) < drawn(other) ? -1 : 1));
    return sorted.toSorted((one, other) => place(one) - place(other));
  }
}

const suite = process.env['TEST_SUITE'];
/** These alone (scripts/mutate.ts). */
const chosen = JSON.parse(process.env['TEST_FILES'] ?? 'null') as string[] | null;
const chosenOf = (ending: string, all: string[]): string[] =>
  chosen?.filter((file) => file.endsWith(`.${ending}`)) ?? all;
const long = 'test/**/*.long.test.ts';
/** In both suites, on other engines in each. */
const engines = 'test/**/*.engines.test.ts';
const mocked = 'test/**/*.mocked.test.{ts,tsx}';

export default defineConfig({
  test: {
    setupFiles: ['test/support/setup.ts'],
    reporters: ['default', new TestReporter()],
    // Limits for what hangs, not for what is slow: other programs may keep the machine busy.
    testTimeout: 120_000 * patience,
    hookTimeout: 120_000 * patience,
    // More than most machines of a build have cores: a third of a test and more is waiting, for a
    // page to be at rest, a server to start, a drain to end. Long tests start more browsers.
    maxWorkers: suite === 'long' ? 3 : 4,
    maxConcurrency: 2,
    sequence: { sequencer: WholeProgramFirst },
    expect: { poll: { timeout: 30_000 * patience } },
    projects: [
      // Node runs the files itself. A worker runs many, and evaluates what they import once.
      {
        extends: true,
        test: {
          name: 'suite',
          isolate: false,
          experimental: { viteModuleRunner: false, nodeLoader: false },
          include: suite === 'long' ? [long, engines] : chosenOf('ts', ['test/**/*.test.ts']),
          exclude: suite === 'quick' ? [mocked, long] : [mocked],
        },
      },
      // What reaches JSX and styles of the console needs Vite.
      {
        extends: true,
        test: {
          name: 'console',
          isolate: false,
          include: suite === 'long' ? [`${long}x`] : chosenOf('tsx', ['test/**/*.test.tsx']),
          exclude: suite === 'quick' ? [mocked, `${long}x`] : [mocked],
        },
      },
      // Files that replace modules have workers of their own.
      { extends: true, test: { name: 'mocked', include: suite === 'long' ? [] : [mocked] } },
    ],
  },
});
