/** A part of what `npm run test:tasks` does with 10,000 tasks. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresIsInstalled, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { startSunoUpstream } from '../../support/suno-upstream.ts';
import { createTaskBench } from '../../support/task-bench.ts';
import { simulateTasks } from './task-simulation.ts';

const tasks = Number(process.env['SIMULATED_TASKS'] ?? 300);
const restarts = Math.max(2, Math.round(tasks / 1000));
const limit = 60_000 + tasks * 100;

async function simulate(databaseUrl: string): Promise<void> {
  const upstreams = await Promise.all([startSunoUpstream('a'), startSunoUpstream('b')]);
  const bench = await createTaskBench(databaseUrl);
  try {
    await simulateTasks(bench, upstreams, { tasks, restarts, seed: 17 });
  } finally {
    await bench.close();
    await Promise.all(upstreams.map((upstream) => upstream.close()));
  }
}

describe('many tasks with failures, restarts and duplicates end once and are refunded once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-tasks-'));
  let server: TestPostgres | undefined;
  beforeAll(async () => {
    if (postgresIsInstalled()) server = await startPostgres();
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('on SQLite', () => simulate(`sqlite:${join(folder, 'tasks.db')}`), limit);

  it.skipIf(!postgresIsInstalled())(
    'on PostgreSQL',
    async () => {
      expect(server).toBeDefined();
      await simulate((await server?.createDatabase()) ?? '');
    },
    limit,
  );
});
