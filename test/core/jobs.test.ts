/** What runs by itself, on a clock that only moves when it is told to. */
import { describe, expect, it } from 'vitest';
import { startJobs } from '../../src/core/jobs.ts';
import { AppError } from '../../src/core/kernel/errors.ts';
import { createTestApp } from '../support/app.ts';

interface Sleeper {
  readonly until: number;
  wake(): void;
}

/** Sleepers wake in the order of their time when the clock passes it. */
function createMovingClock(start: number) {
  let now = start;
  const sleepers = new Set<Sleeper>();
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    now: () => now,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const sleeper: Sleeper = {
          until: now + ms,
          wake: () => {
            sleepers.delete(sleeper);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      }),
    async moveMinutes(minutes: number) {
      const end = now + minutes * 60_000;
      for (;;) {
        const next = [...sleepers].sort((a, b) => a.until - b.until)[0];
        if (next === undefined || next.until > end) break;
        now = Math.max(now, next.until);
        next.wake();
        await settle();
      }
      now = end;
    },
  };
}

async function setUp(environment: Record<string, string> = {}, startAll: () => Promise<void> = async () => undefined) {
  const { app, operator } = await createTestApp(environment);
  const clock = createMovingClock(app.clock.now());
  const runs = { tests: 0, balances: 0 };
  const jobs = startJobs({
    ...app,
    clock,
    channelTests: {
      ...app.channelTests,
      startAll: async () => {
        runs.tests += 1;
        await startAll();
      },
    },
    channelAccounts: {
      ...app.channelAccounts,
      startAllBalances: () => {
        runs.balances += 1;
      },
    },
  });
  return { clock, operator, runs, jobs };
}

describe('channel tests', () => {
  it('do not run unless told to', async () => {
    const { clock, runs, jobs } = await setUp();
    await clock.moveMinutes(120);
    expect(runs.tests).toBe(0);
    jobs.stop();
  });

  it('run as often as the machine says', async () => {
    const { clock, runs, jobs } = await setUp({ CHANNEL_TEST_FREQUENCY: '5' });
    await clock.moveMinutes(4);
    expect(runs.tests).toBe(0);
    await clock.moveMinutes(16);
    expect(runs.tests).toBe(4);
    jobs.stop();
    await clock.moveMinutes(60);
    expect(runs.tests).toBe(4);
  });

  it('run as often as the site says, from when it says so', async () => {
    const { clock, operator, runs, jobs } = await setUp();
    await clock.moveMinutes(30);
    await operator.option.set({ key: 'monitor_setting.auto_test_channel_enabled', value: true });
    await clock.moveMinutes(1);
    expect(runs.tests).toBe(1);
    await clock.moveMinutes(20);
    expect(runs.tests).toBe(3);
    await operator.option.set({ key: 'monitor_setting.auto_test_channel_minutes', value: 1 });
    await clock.moveMinutes(5);
    expect(runs.tests).toBe(8);
    await operator.option.set({ key: 'monitor_setting.auto_test_channel_enabled', value: false });
    await clock.moveMinutes(30);
    expect(runs.tests).toBe(8);
    jobs.stop();
  });

  it('go on after a run that could not start', async () => {
    const errors = [new AppError('channel_test_running'), new Error('broken')];
    const { clock, runs, jobs } = await setUp({ CHANNEL_TEST_FREQUENCY: '1' }, async () => {
      const error = errors.shift();
      if (error !== undefined) throw error;
    });
    await clock.moveMinutes(3);
    expect(runs.tests).toBe(3);
    jobs.stop();
  });
});

it('balances are read as often as the machine says', async () => {
  const { clock, runs, jobs } = await setUp({ CHANNEL_UPDATE_FREQUENCY: '30' });
  await clock.moveMinutes(95);
  expect(runs.balances).toBe(3);
  jobs.stop();
});
