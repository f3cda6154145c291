import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../../src/core/cluster/cluster.ts';
import { createMemoryCluster } from '../../../src/core/cluster/memory-cluster.ts';
import { systemIds } from '../../../src/core/config/system-ids.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import type { BackgroundJob } from '../../../src/core/runtime/background-job.ts';
import { createJobRunner } from '../../../src/core/runtime/job-runner.ts';
import { createMovingClock, type MovingClock } from '../../support/moving-clock.ts';

const start = Date.UTC(2026, 10, 20, 12);

function runnerOf(job: Partial<BackgroundJob>, clock: MovingClock, cluster: Cluster = createMemoryCluster(clock)) {
  const runs: number[] = [];
  const full: BackgroundJob = {
    name: 'job',
    interval: () => 600,
    scope: 'gateway',
    timeout: 60,
    ...job,
    run: async (signal) => {
      runs.push((clock.now() - start) / 60_000);
      await job.run?.(signal);
    },
  };
  const runner = createJobRunner({ jobs: [full], cluster, clock, ids: systemIds, logger: silentLogger });
  return { runs, runner };
}

describe('the runner of background jobs', () => {
  it('runs a job after each interval and reports when it ran and will run', async () => {
    const clock = createMovingClock(start);
    const { runs, runner } = runnerOf({}, clock);
    expect(await runner.report()).toEqual([{ name: 'job', interval: 600, running: false, last: undefined, nextRunAt: 0 }]);
    runner.start();
    await clock.moveMinutes(25);
    expect(runs).toEqual([10, 20]);
    expect(await runner.report()).toEqual([
      {
        name: 'job',
        interval: 600,
        running: false,
        last: { startedAt: start + 1_200_000, durationMs: 0, error: '' },
        nextRunAt: start + 1_800_000,
      },
    ]);
    await runner.stop();
    await clock.moveMinutes(25);
    expect(runs).toHaveLength(2);
  });

  it('keeps the last error until a run succeeds', async () => {
    const clock = createMovingClock(start);
    const failures = [new Error('the disk is full')];
    const { runner } = runnerOf(
      {
        run: async () => {
          const failure = failures.shift();
          if (failure !== undefined) throw failure;
        },
      },
      clock,
    );
    runner.start();
    await clock.moveMinutes(11);
    expect((await runner.report())[0]?.last?.error).toBe('the disk is full');
    await clock.moveMinutes(10);
    expect((await runner.report())[0]?.last?.error).toBe('');
    await runner.stop();
  });

  it('ends a run that takes too long, and never runs a job twice at a time', async () => {
    const clock = createMovingClock(start);
    const { runs, runner } = runnerOf(
      {
        timeout: 900,
        run: (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      },
      clock,
    );
    runner.start();
    await clock.moveMinutes(24);
    expect(runs).toEqual([10]);
    expect((await runner.report())[0]).toMatchObject({ running: true });
    await clock.moveMinutes(2);
    expect((await runner.report())[0]?.last).toMatchObject({ error: 'no end after 900 s', durationMs: 900_000 });
    await runner.stop();
  });

  it('runs a job of the gateway on one of several processes, and on another when that one is gone', async () => {
    const clock = createMovingClock(start);
    const cluster = createMemoryCluster(clock);
    const first = runnerOf({}, clock, cluster);
    const second = runnerOf({}, clock, cluster);
    first.runner.start();
    second.runner.start();
    await clock.moveMinutes(45);
    expect(first.runs.length + second.runs.length).toBe(4);
    await (first.runs.length > 0 ? first : second).runner.stop();
    const before = first.runs.length + second.runs.length;
    await clock.moveMinutes(40);
    expect(first.runs.length + second.runs.length).toBeGreaterThanOrEqual(before + 3);
    await second.runner.stop();
    await first.runner.stop();
  });

  it('runs a job of the process on each of them', async () => {
    const clock = createMovingClock(start);
    const cluster = createMemoryCluster(clock);
    const first = runnerOf({ scope: 'process' }, clock, cluster);
    const second = runnerOf({ scope: 'process' }, clock, cluster);
    first.runner.start();
    second.runner.start();
    await clock.moveMinutes(15);
    expect([first.runs, second.runs]).toEqual([[10], [10]]);
    await first.runner.stop();
    await second.runner.stop();
  });
});
