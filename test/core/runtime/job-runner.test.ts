import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../../src/core/cluster/cluster.ts';
import { createMemoryCluster } from '../../../src/core/cluster/memory-cluster.ts';
import { systemIds } from '../../../src/core/config/system-ids.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import type { BackgroundJob } from '../../../src/core/runtime/background-job.ts';
import { createJobRunner } from '../../../src/core/runtime/job-runner.ts';
import { createMovingClock, type MovingClock } from '../../support/moving-clock.ts';

const start = Date.UTC(2026, 10, 20, 12);

function runnerOf(
  job: Partial<BackgroundJob>,
  clock: MovingClock,
  cluster: Cluster = createMemoryCluster(clock),
  isLeaving?: () => boolean,
) {
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
  const runner = createJobRunner({
    jobs: [full],
    ...(isLeaving && { isLeaving }),
    cluster,
    clock,
    ids: systemIds,
    logger: silentLogger,
  });
  return { runs, runner };
}

describe('the runner of background jobs', () => {
  it('runs a job after each interval and reports when it ran and will run', async () => {
    const clock = createMovingClock(start);
    const { runs, runner } = runnerOf({}, clock);
    const stopped = {
      name: 'job',
      interval: 600,
      running: false,
      last: undefined,
      nextRunAt: 0,
      expectedAt: 0,
      isLate: false,
    };
    expect(await runner.report()).toEqual([stopped]);
    runner.start();
    await clock.moveMinutes(25);
    expect(runs).toEqual([10, 20]);
    expect(await runner.report()).toEqual([
      {
        name: 'job',
        interval: 600,
        running: false,
        last: {
          startedAt: start + 1_200_000,
          durationMs: 0,
          error: '',
          succeededAt: start + 1_200_000,
        },
        nextRunAt: start + 1_800_000,
        expectedAt: start + 1_800_000,
        isLate: false,
      },
    ]);
    await runner.stop();
    await clock.moveMinutes(25);
    expect(runs).toHaveLength(2);
  });

  it('leaves jobs of the site to others while its gateway leaves, and finishes what runs', async () => {
    const clock = createMovingClock(start);
    const cluster = createMemoryCluster(clock);
    let isLeaving = false;
    let end = () => {};
    const longRun = new Promise<void>((resolve) => (end = resolve));
    const work = { run: () => longRun, timeout: 3600 };
    const first = runnerOf(work, clock, cluster, () => isLeaving);
    first.runner.start();
    await clock.moveMinutes(15);
    isLeaving = true;
    expect([first.runs, first.runner.underWay()]).toEqual([[10], 1]);
    const second = runnerOf({}, clock, cluster);
    second.runner.start();
    await clock.moveMinutes(10);
    expect(second.runs).toEqual([]); // it still runs elsewhere
    end();
    await clock.moveMinutes(30);
    expect([first.runs, first.runner.underWay()]).toEqual([[10], 0]);
    expect(second.runs.length).toBeGreaterThan(1);
    expect(await first.runner.report()).toMatchObject([{ isLate: false }]);
    isLeaving = false;
    await second.runner.stop();
    await clock.moveMinutes(30);
    expect(first.runs.length).toBeGreaterThan(1);
    await first.runner.stop();
  });

  it('does what each process does for itself while it leaves', async () => {
    const clock = createMovingClock(start);
    const { runs, runner } = runnerOf({ scope: 'process' }, clock, undefined, () => true);
    runner.start();
    await clock.moveMinutes(25);
    expect(runs).toEqual([10, 20]);
    await runner.stop();
  });

  it('goes on when the clock is set back', async () => {
    const clock = createMovingClock(start);
    let ahead = 26 * 3_600_000;
    const { runs, runner } = runnerOf({}, { ...clock, now: () => clock.now() + ahead });
    runner.start();
    await clock.moveMinutes(10);
    ahead = 0;
    await clock.moveMinutes(20);
    expect(runs).toHaveLength(3);
    await runner.stop();
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
        run: (signal) =>
          new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      },
      clock,
    );
    runner.start();
    await clock.moveMinutes(24);
    expect(runs).toEqual([10]);
    expect((await runner.report())[0]).toMatchObject({ running: true });
    await clock.moveMinutes(2);
    expect((await runner.report())[0]?.last).toMatchObject({
      error: 'no end after 900 s',
      durationMs: 900_000,
    });
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

  it('gives up a run that does not end although it was told to, and runs again', async () => {
    const clock = createMovingClock(start);
    const { runs, runner } = runnerOf({ run: () => new Promise(() => undefined) }, clock);
    runner.start();
    await clock.moveMinutes(19);
    expect((await runner.report())[0]?.last).toMatchObject({
      error: 'no end after 60 s',
      succeededAt: 0,
    });
    await clock.moveMinutes(20);
    expect(runs.length).toBeGreaterThanOrEqual(3);
    const stopped = runner.stop();
    await clock.moveMinutes(1);
    await stopped;
  });
});

describe('a job is late', () => {
  const minutes = (at: number) => (at - start) / 60_000;

  it('when it has not succeeded for its interval, its time limit and two minutes', async () => {
    const clock = createMovingClock(start);
    let isBroken = false;
    const run = async () => {
      if (isBroken) throw new Error('the disk is full');
    };
    const { runner } = runnerOf({ run }, clock);
    const report = async () => {
      const [job] = await runner.report();
      const { expectedAt = 0, isLate, last } = job ?? {};
      return [minutes(expectedAt), isLate, minutes(last?.succeededAt ?? start), last?.error];
    };
    runner.start();
    await clock.moveMinutes(11);
    expect(await report()).toEqual([20, false, 10, '']);
    isBroken = true;
    await clock.moveMinutes(11.5);
    expect(await report()).toEqual([20, false, 10, 'the disk is full']);
    await clock.moveMinutes(1);
    expect(await report()).toEqual([20, true, 10, 'the disk is full']);
    isBroken = false;
    await clock.moveMinutes(10);
    expect(await report()).toEqual([40, false, 30, '']);
    await runner.stop();
  });

  it('not while it is off, nor where another process does it', async () => {
    const clock = createMovingClock(start);
    const cluster = createMemoryCluster(clock);
    let interval = 0;
    const { runner } = runnerOf({ interval: () => interval }, clock, cluster);
    runner.start();
    await clock.moveMinutes(60);
    interval = 600;
    expect((await runner.report())[0]).toMatchObject({ isLate: false });
    await cluster.leases.acquire('job.job', 'another process', 3_600_000);
    await clock.moveMinutes(50);
    expect((await runner.report())[0]).toMatchObject({ last: undefined, isLate: false });
    await runner.stop();
  });

  it('soon, where a process whose clock was years ahead did it last', async () => {
    const clock = createMovingClock(start);
    const ahead = createMovingClock(start + 3 * 365 * 86_400_000);
    let now = ahead;
    const cluster = createMemoryCluster({ now: () => now.now() });
    const { runner: before } = runnerOf({}, ahead, cluster);
    before.start();
    await ahead.moveMinutes(11);
    await before.stop();
    now = clock;
    const { runs, runner } = runnerOf({}, clock, cluster);
    runner.start();
    await clock.moveMinutes(25);
    expect(runs).toEqual([10, 20]);
    await runner.stop();
  });
});

/** Every call that a schedule waits for, or that may throw. */
const dependencies = {
  'taking or renewing its lease': ({ leases }: Fakes) => ['acquire', leases] as const,
  'giving its lease back': ({ leases }: Fakes) => ['release', leases] as const,
  'reading its record': ({ values }: Fakes) => ['get', values] as const,
  'writing its record': ({ values }: Fakes) => ['set', values] as const,
  'its clock': ({ clock }: Fakes) => ['sleep', clock] as const,
  'its interval': ({ job }: Fakes) => ['interval', job] as const,
  'its work': ({ job }: Fakes) => ['run', job] as const,
};

interface Fakes {
  readonly leases: Record<string, unknown>;
  readonly values: Record<string, unknown>;
  readonly clock: Record<string, unknown>;
  readonly job: Record<string, unknown>;
}

describe.each(Object.entries(dependencies))('a failure of %s', (what, pick) => {
  // A short job gives its lease back; the work of a long one is still under way at the checks.
  it.each([
    [600, 0],
    [600, 120],
    [1, 0],
  ])(
    'does not end its schedule, whichever call it is: every %i s, for %i s',
    async (interval, duration) => {
      for (let failing = 1; failing <= 8; failing++) {
        const clock = createMovingClock(start);
        const memory = createMemoryCluster(clock);
        const values = { ...memory.values('background jobs', () => 9) };
        const cluster = {
          ...memory,
          leases: { ...memory.leases },
          values: () => values,
        } as unknown as Cluster;
        const runs: number[] = [];
        const job: BackgroundJob = {
          name: 'job',
          interval: () => interval,
          scope: 'gateway',
          timeout: 300,
          run: async (signal) => {
            runs.push(clock.now());
            if (duration > 0)
              await memory.leases
                .acquire('work', String(clock.now()), 1)
                .then(() => slow.sleep(duration * 1000, signal));
          },
        };
        const slow = { sleep: clock.sleep };
        const watched = { ...clock };
        const [method, object] = pick({
          leases: cluster.leases,
          values,
          clock: watched,
          job,
        } as unknown as Fakes);
        const original = object[method] as (...given: unknown[]) => unknown;
        let calls = 0;
        object[method] = (...given: unknown[]) => {
          calls += 1;
          if (calls === failing) throw new Error(`no ${what}`);
          return original.apply(object, given);
        };
        const runner = createJobRunner({
          jobs: [job],
          cluster,
          clock: watched,
          ids: systemIds,
          logger: silentLogger,
        });
        runner.start();
        await new Promise((resolve) => setImmediate(resolve));
        await clock.moveMinutes(interval === 1 ? 1 : 60);
        const before = runs.length;
        await clock.moveMinutes(interval === 1 ? 1 : 30);
        expect([failing, runs.length > before]).toEqual([failing, true]);
        await runner.stop();
      }
    },
  );
});
