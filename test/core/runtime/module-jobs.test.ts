/**
 * Every background job of every module runs again after any call that it makes of the database has
 * failed (docs/rules/process.md#background-jobs).
 */
import { expect, test } from 'vitest';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import type { HealthEvent } from '../../../src/core/relay/select/health-events.ts';
import type { Storage } from '../../../src/core/storage/storage.ts';
import { createTestApp, type OpenApp, type TestApp } from '../../support/app.ts';

/** Runs of a job with one call failing; none makes more calls with the little that the site has. */
const mostCalls = 60;

interface Faults {
  /** The number of the call that fails; 0: none. */
  failing: number;
  calls: number;
}

type Method = (...given: unknown[]) => Promise<unknown>;

/** The same methods, of which one call fails. */
function failingOnce<T extends object>(methods: T, faults: Faults): T {
  return new Proxy(methods, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function' || name === 'hash' || name === 'hashKey') return method;
      return (...given: unknown[]) => {
        faults.calls += 1;
        if (faults.calls === faults.failing)
          return Promise.reject(new Error(`call ${faults.calls}, of ${String(name)}, fails`));
        return (method as Method).apply(target, given);
      };
    },
  });
}

function breakCalls({ storage, ledger }: OpenApp): Faults {
  const faults: Faults = { failing: 0, calls: 0 };
  const { transaction } = storage;
  const wrapped = (inside: Storage) =>
    new Proxy(inside, {
      get: (target, name) => {
        const repository: unknown = Reflect.get(target, name);
        return typeof repository === 'object' && repository !== null
          ? failingOnce(repository, faults)
          : repository;
      },
    });
  const { vault, ...repositories } = storage; // it works in memory
  const objects: unknown[] = [...Object.values(repositories), ledger];
  for (const object of objects) {
    if (typeof object !== 'object' || object === null) continue;
    const proxied: Record<string, unknown> = failingOnce({ ...object }, faults);
    for (const name of Object.keys(object)) Object.assign(object, { [name]: proxied[name] });
  }
  storage.transaction = (work) => transaction((inside) => work(wrapped(inside)));
  return faults;
}

let serial = 0;
/** Something to do for each job, also when it is called again. */
async function giveWork({ app, clock, operator }: TestApp): Promise<void> {
  serial += 1;
  const { storage } = app;
  const now = Math.floor(clock.now() / 1000);
  const day = 86_400;
  await operator.option.set({ key: 'AuditLogDays', value: '1' });
  await operator.channel.create({
    name: 'c',
    type: 1,
    key: 'sk-a',
    models: 'gpt-4o',
    base_url: 'http://127.0.0.1:1',
  });
  // Ends within 30 days.
  const ending = { type: 14, models: 'claude-sonnet-4-5', base_url: 'http://127.0.0.1:1' };
  await operator.channel.create({ name: 'd', key: 'sk-b', ...ending });
  const health = { readyAt: clock.now() + 60_000, openedAt: clock.now(), pause: 60_000, cause: '' };
  app.cluster
    .topic<HealthEvent>('channel health')
    .publish({ kind: 'circuit_opened', healthKey: '1', ...health });
  await storage.quotaWarnings.note([1], now - 10, now - day);
  const posting = {
    kind: 'transfer',
    amount: 5,
    log: '',
    createdAt: 0,
    userId: 1,
    reference: `owed ${serial}`,
  } as const;
  await storage.deferredPostings.insert(posting);
  await app.ledger.post({ userId: 1, kind: 'grant', amount: toQuota(5), reference: null });
  app.logs.outcomes.record(1, 'succeeded');
  const session = {
    idHash: `h${serial}`,
    userId: 1,
    createdAt: 1,
    lastSeen: 1,
    expiresAt: 2,
    ip: '',
    userAgent: '',
    method: 'x',
  };
  await storage.sessions.insert({ ...session, confirmedAt: 0 });
  const entry = app.audit.entryOf(
    { id: 1, username: 'root', role: 100, group: 'default', ip: '' },
    'log.prune',
    1,
  );
  await storage.auditLogs.insert({ ...entry, createdAt: 1 });
  await storage.options.set({ key: 'Footer', value: 'past the store', hidden: false });
  clock.move(2 * day * 1000);
}

test('whichever call fails, the job runs again', async () => {
  // Seals need a place to be sent to: test/core/billing/sealing.test.ts.
  const jobs = (await createTestApp()).app.backgroundJobs.filter(
    ({ name }) => !name.startsWith('ledger-seal-'),
  );
  const names = jobs.map(({ name }) => name);
  const stuck: string[] = [];
  const reached: Record<string, number> = {};
  for (const name of names) {
    const site = await createTestApp({ CHANNEL_UPDATE_FREQUENCY: '1' });
    const faults = breakCalls(site.app);
    const job = site.app.backgroundJobs.find((one) => one.name === name);
    const run = async () => job?.run(new AbortController().signal);
    await giveWork(site);
    for (let failing = 1; failing <= mostCalls; failing++) {
      Object.assign(faults, { failing, calls: 0 });
      await run().catch(() => undefined);
      const made = faults.calls;
      faults.failing = 0;
      await run().catch((error: unknown) => {
        // The channels' upstream is away, not the database.
        if (error instanceof AppError && error.code === 'do_request_failed') return;
        stuck.push(`${name} after call ${failing}: ${String(error)}`);
      });
      if (made < failing) break;
      reached[name] = failing;
      if (failing === 1) await giveWork(site);
    }
  }
  expect(stuck).toEqual([]);
  // On SQLite there is no other gateway; one waits for something in memory only, one has no response
  // under way, one is about a file, one follows no prices: test/core/price-sync/price-sync.test.ts; backups need a place:
  // test/cli/commands/stored-backups.test.ts.
  const withoutDatabase = [
    'announce-node',
    'audit-entries',
    'background-responses',
    'backup',
    'backup-check',
    'disk-space',
    'price-sync',
  ];
  const unreached = names.filter((name) => reached[name] === undefined);
  expect(unreached.toSorted()).toEqual(withoutDatabase);
});
