import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { keepTemporaryFilesInMemory } from './temporary-folder.ts';

keepTemporaryFilesInMemory();

const files = JSON.parse(process.env['TEST_FILES'] ?? '[]') as string[];

/** The tests in the order of {@link files}: the quick ones leave less to the slow ones. */
class AsListed extends BaseSequencer {
  override async sort(tests: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) =>
      files.findIndex((file) => moduleId.endsWith(file));
    return tests.toSorted((one, other) => place(one) - place(other));
  }
}

/**
 * For scripts/mutate.ts: one process that runs each test many times. Without a file for its results
 * each test runs once, on the change that the environment names.
 */
// biome-ignore lint/style/noDefaultExport: Vitest loads a configuration by its default export
export default defineConfig({
  test: {
    include: files,
    setupFiles: ['test/support/setup.ts'],
    ...(process.env['MUTANT_RESULTS'] && { runner: './scripts/test/mutant-runner.ts' }),
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
    maxConcurrency: 1,
    isolate: false,
    experimental: { viteModuleRunner: false },
    sequence: { sequencer: AsListed },
    // A change may leave promises that fail later.
    dangerouslyIgnoreUnhandledErrors: true,
    expect: { poll: { timeout: 2000 } },
  },
});
