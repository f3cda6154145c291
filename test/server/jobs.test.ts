import { expect, onTestFinished, test, vi } from 'vitest';
import { loadConfig } from '../../src/core/config/load.ts';
import { createClient } from '../../src/core/contract/client.ts';
import { silentLogger } from '../../src/core/kernel/logger.ts';
import { Secret } from '../../src/core/kernel/secret.ts';
import { createLocalTransport } from '../../src/server/local-client.ts';
import { codeOf, createTestApp, freshHome, openApp } from '../support/app.ts';
import { createMovingClock, passMinutes } from '../support/moving-clock.ts';

test('administrators see the background jobs', async () => {
  const { app, as, addUser, operator, clock } = await createTestApp({
    CHANNEL_UPDATE_FREQUENCY: '30',
  });
  app.jobs.start();
  const jobs = await operator.jobs.list();
  const never = {
    running: false,
    last_started_at: 0,
    last_duration: 0,
    last_error: '',
    last_succeeded_at: 0,
    late: false,
  };
  const now = clock.now() / 1000;
  expect(jobs).toEqual([
    { ...never, name: 'follow-changes', interval: 5, next_run_at: now + 5 },
    { ...never, name: 'forget-changes', interval: 3600, next_run_at: now + 3600 },
    { ...never, name: 'forget-leases', interval: 3600, next_run_at: now + 3600 },
    { ...never, name: 'announce-node', interval: 0, next_run_at: 0 },
    { ...never, name: 'forget-nodes', interval: 0, next_run_at: 0 },
    { ...never, name: 'audit-entries', interval: 5, next_run_at: now + 5 },
    { ...never, name: 'deferred-postings', interval: 60, next_run_at: now + 60 },
    { ...never, name: 'statements', interval: 60, next_run_at: now + 60 },
    { ...never, name: 'ledger-head', interval: 10, next_run_at: now + 10 },
    { ...never, name: 'ledger-seal-webhook', interval: 0, next_run_at: 0 },
    { ...never, name: 'ledger-seal-file', interval: 0, next_run_at: 0 },
    { ...never, name: 'request-outcomes', interval: 5, next_run_at: now + 5 },
    { ...never, name: 'log-sums', interval: 60, next_run_at: now + 60 },
    { ...never, name: 'gather-rollups', interval: 600, next_run_at: now + 600 },
    { ...never, name: 'retention', interval: 3600, next_run_at: now + 3600 },
    { ...never, name: 'quota-warnings', interval: 5, next_run_at: now + 5 },
    { ...never, name: 'purge-sessions-and-codes', interval: 600, next_run_at: now + 600 },
    { ...never, name: 'budget-warnings', interval: 30, next_run_at: now + 30 },
    { ...never, name: 'forget-budget-windows', interval: 3600, next_run_at: now + 3600 },
    { ...never, name: 'payment-sweep', interval: 300, next_run_at: now + 300 },
    { ...never, name: 'refund-sweep', interval: 3600, next_run_at: now + 3600 },
    { ...never, name: 'clean-uploads', interval: 3600, next_run_at: now + 3600 },
    { ...never, name: 'store-results', interval: 0, next_run_at: 0 },
    { ...never, name: 'channel-tests', interval: 0, next_run_at: 0 },
    { ...never, name: 'channel-balances', interval: 1800, next_run_at: now + 1800 },
    { ...never, name: 'model-ends', interval: 3600, next_run_at: now + 3600 },
    { ...never, name: 'model-sync', interval: 0, next_run_at: 0 },
    { ...never, name: 'losses', interval: 900, next_run_at: now + 900 },
    { ...never, name: 'price-sync', interval: 3600, next_run_at: now + 3600 },
    { ...never, name: 'task-poll', interval: 15, next_run_at: now + 15 },
    { ...never, name: 'channel-health', interval: 5, next_run_at: now + 5 },
    { ...never, name: 'stored-responses', interval: 600, next_run_at: now + 600 },
    { ...never, name: 'background-responses', interval: 10, next_run_at: now + 10 },
    { ...never, name: 'disk-space', interval: 3600, next_run_at: now + 3600 },
    { ...never, name: 'backup', interval: 0, next_run_at: 0 },
    { ...never, name: 'backup-check', interval: 0, next_run_at: 0 },
  ]);
  const user = await as(await addUser('ann'));
  expect(await codeOf(user.jobs.list())).toBe('forbidden');
});

test('a job that fails again and again is late: the list, the dashboard and doctor say so', async () => {
  const clock = createMovingClock(Date.UTC(2026, 10, 20, 12));
  const { config } = loadConfig({ environment: {}, cwd: '/nonexistent', home: freshHome() });
  const app = await openApp({
    config,
    clock,
    logger: silentLogger,
    version: 'test',
    threads: false,
    databaseUrl: 'sqlite::memory:',
    folder: { cryptoSecret: new Secret('a master key') },
  });
  onTestFinished(() => app.close());
  const operator = createClient(createLocalTransport(app, undefined, 'en'));
  const purge = vi.spyOn(app.storage.sessions, 'purge').mockRejectedValue(new Error('no disk'));
  app.jobs.start();
  const name = 'purge-sessions-and-codes';
  const isLate = async () => {
    await passMinutes(20, clock, app.jobs);
    return (await operator.jobs.list()).find((job) => job.name === name)?.late;
  };
  await expect.poll(isLate).toBe(true);
  expect((await operator.overview.get({})).late_jobs).toContain(name);
  const { items } = await operator.doctor.examine({});
  expect(items.filter(({ id }) => id === 'jobs').map(({ message }) => message)).toContainEqual(
    expect.stringMatching(`${name} should have succeeded again at .*: no disk`),
  );
  purge.mockRestore();
  await expect.poll(isLate).toBe(false);
  expect((await operator.overview.get({})).late_jobs).not.toContain(name);
});
