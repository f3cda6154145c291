import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Tests start the program from its sources a few hundred times: Node keeps what it compiled for all of them.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/node', import.meta.url));

/** The tests of the whole program come first: none of them runs alone at the end, while one core has nothing to do. */
class WholeProgramFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => /\/test\/(e2e|cli\/(process|screens|site))\b/.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    maxConcurrency: 2,
    sequence: { sequencer: WholeProgramFirst },
    expect: { poll: { timeout: 10_000 } }, // a second is little where two browsers share a machine
  },
});
