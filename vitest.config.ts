import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    expect: { poll: { timeout: 10_000 } }, // a second is little where two browsers share a machine
  },
});
