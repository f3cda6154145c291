/** Scheduled tests and balances, on a clock that only moves when it is moved. */
import { describe, expect, it } from 'vitest';
import { createChannelJobs } from '../../../src/core/channels/channel-jobs.ts';
import { createMemoryCluster } from '../../../src/core/cluster/memory-cluster.ts';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { createJobRunner } from '../../../src/core/runtime/job-runner.ts';
import { createTestApp } from '../../support/app.ts';
import { createMovingClock } from '../../support/moving-clock.ts';

async function setUp(
  environment: Record<string, string> = {},
  startAll: () => Promise<void> = async () => undefined,
) {
  const { app, operator, root } = await createTestApp(environment);
  const clock = createMovingClock(app.clock.now());
  const runs = { tests: 0, balances: 0 };
  const finished = async () => undefined;
  const jobs = createJobRunner({
    jobs: createChannelJobs({
      config: app.config,
      options: app.site.options,
      tests: {
        startAll: async () => {
          runs.tests += 1;
          await startAll();
        },
        finished,
      },
      accounts: {
        startAllBalances: () => {
          runs.balances += 1;
        },
        finished,
      },
      findTester: async () => root,
    }),
    cluster: createMemoryCluster(clock),
    clock,
    ids: app.ids,
    logger: silentLogger,
  });
  jobs.start();
  return { clock, operator, runs, jobs };
}

describe('channel tests', () => {
  it('do not run unless configured', async () => {
    const { clock, runs, jobs } = await setUp();
    await clock.moveMinutes(120);
    expect(runs.tests).toBe(0);
    await jobs.stop();
  });

  it('run at the interval of the environment', async () => {
    const { clock, runs, jobs } = await setUp({ CHANNEL_TEST_FREQUENCY: '5' });
    await clock.moveMinutes(4);
    expect(runs.tests).toBe(0);
    await clock.moveMinutes(16);
    expect(runs.tests).toBe(4);
    await jobs.stop();
    await clock.moveMinutes(60);
    expect(runs.tests).toBe(4);
  });

  it('run at the interval of the site’s options, which may change', async () => {
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
    await jobs.stop();
  });

  it('go on after a run that could not start', async () => {
    const errors = [new AppError('channel_test_running'), new Error('broken')];
    const { clock, runs, jobs } = await setUp({ CHANNEL_TEST_FREQUENCY: '1' }, async () => {
      const error = errors.shift();
      if (error !== undefined) throw error;
    });
    await clock.moveMinutes(3);
    expect(runs.tests).toBe(3);
    await jobs.stop();
  });
});

it('balances are read at the interval of the environment', async () => {
  const { clock, runs, jobs } = await setUp({ CHANNEL_UPDATE_FREQUENCY: '30' });
  await clock.moveMinutes(95);
  expect(runs.balances).toBe(3);
  await jobs.stop();
});
