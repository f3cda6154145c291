/** Scheduled tests and balances, on a clock that only moves when it is moved. */
import { describe, expect, it } from 'vitest';
import { createChannelJobs } from '../../../src/core/channels/channel-jobs.ts';
import { endingModels } from '../../../src/core/channels/model-ends.ts';
import { createMemoryCluster } from '../../../src/core/cluster/memory-cluster.ts';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { createJobRunner } from '../../../src/core/runtime/job-runner.ts';
import { createTestApp } from '../../support/app.ts';
import { createMovingClock } from '../../support/moving-clock.ts';

async function setUp(
  environment: Record<string, string> = {},
  startAll: () => Promise<void> = async () => undefined,
  start?: string,
  reaches: () => boolean = () => true,
  look: () => Promise<void> = async () => undefined,
) {
  const { app, operator, root } = await createTestApp(environment);
  const clock = createMovingClock(start === undefined ? app.clock.now() : Date.parse(start));
  const runs = { tests: 0, balances: 0 };
  const ends: (readonly string[])[] = [];
  const cluster = createMemoryCluster(clock);
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
      lookForModels: async () => look(),
      endingModels: () => endingModels(app.channels.routing.all(), clock.now()),
      notices: {
        modelsEnd: (models, ended) => {
          ends.push(models.map(({ model }) => model));
          void ended(reaches());
        },
        modelsChanged: () => undefined,
      },
      leases: cluster.leases,
      clock,
      ids: app.ids,
    }),
    cluster,
    clock,
    ids: app.ids,
    logger: silentLogger,
  });
  jobs.start();
  return { clock, operator, runs, ends, jobs };
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

it('the owner learns once that a model ends, from 30 days before its end on', async () => {
  const { clock, operator, ends, jobs } = await setUp({}, undefined, '2026-10-30T22:30:00Z');
  const channel = { type: 14, key: 'k', group: 'default' };
  await operator.channel.create({
    ...channel,
    name: 'a',
    models: 'claude-sonnet-4-5,claude-opus-5-5,claude-3-opus-20240229,mine',
    model_mapping: JSON.stringify({ mine: 'claude-sonnet-4-5-20250929' }),
  });
  await operator.channel.create({ ...channel, type: 33, name: 'b', models: 'claude-sonnet-4-5' });
  await clock.moveMinutes(60);
  expect(ends).toEqual([]);
  await clock.moveMinutes(60);
  expect(ends).toEqual([['claude-sonnet-4-5', 'mine']]);
  await clock.moveMinutes(5 * 60);
  expect(ends).toHaveLength(1);
  // Nobody asked for a change of the channel.
  const [, first] = (await operator.channel.list({})).items;
  expect(first).toMatchObject({ status: 1, models: expect.stringContaining('claude-sonnet-4-5,') });
  await jobs.stop();
});

it('what did not reach the owner is sent again by the next look', async () => {
  let looks = 0;
  const reaches = () => {
    looks += 1;
    return looks === 3;
  };
  const { clock, operator, ends, jobs } = await setUp(
    {},
    undefined,
    '2026-11-10T22:30:00Z',
    reaches,
  );
  const channel = { type: 14, key: 'k', group: 'default' };
  await operator.channel.create({ ...channel, name: 'a', models: 'claude-sonnet-4-5' });
  await clock.moveMinutes(10 * 60);
  expect(ends).toEqual(Array(3).fill(['claude-sonnet-4-5']));
  await jobs.stop();
});

it('a look for models that failed is made again within an hour, the next one a day later', async () => {
  const looks: number[] = [];
  let fails = true;
  const { clock, operator, jobs } = await setUp({}, undefined, undefined, undefined, async () => {
    looks.push(clock.now());
    if (fails) throw new Error('no list');
  });
  await operator.option.set({ key: 'model_sync.enabled', value: true });
  await clock.moveMinutes(26 * 60);
  fails = false;
  await clock.moveMinutes(30 * 60);
  const hours = looks.map((at, index) => (at - (looks[index - 1] ?? at)) / 3_600_000);
  expect(hours.map(Math.round)).toEqual([0, 1, 1, 1, 24]);
  await jobs.stop();
});
