/**
 * `npm run test:tasks [-- TASKS]`: many tasks with everything that goes wrong, on every engine;
 * TASKS default 10,000.
 */
import { startVitest } from 'vitest/node';

process.env['SIMULATED_TASKS'] = process.argv[2] ?? '10000';
await startVitest('test', ['test/core/tasks/task-simulation.long.test.ts'], {
  run: true,
  watch: false,
});
