/**
 * A row that a job cannot deal with, or a page full of them, holds up none of the others
 * (docs/rules/process.md#background-jobs).
 */
import { describe, expect, it, vi } from 'vitest';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';

const lost = new Error('this row');
/** More than any job reads at once. */
const many = 250;
const numbers = Array.from({ length: many }, (_, index) => index + 1);
const now = ({ clock }: TestApp) => Math.floor(clock.now() / 1000);

async function run({ app }: TestApp, name: string): Promise<void> {
  const job = app.backgroundJobs.find((one) => one.name === name);
  if (job === undefined) throw new Error(`there is no job ${name}`);
  await Promise.resolve(job.run(new AbortController().signal)).catch((error: unknown) => {
    expect(error).toBe(lost);
  });
}

/** Jobs that work on row after row: all but one cannot be dealt with, and come first. */
const ofRows: Readonly<Record<string, (site: TestApp, name: string) => Promise<void>>> = {
  'clean-uploads': async (site, name) => {
    const { uploads, taskResults } = site.app.storage;
    const file = { userId: 1, mime: 'image/png', bytes: 1, createdAt: 1, expiresAt: 2 };
    // A path that no store takes.
    for (const number of numbers) {
      const path = `bad/${number}.png`;
      await uploads.insert({ ...file, path, width: 1, height: 1, sha256: '' });
      const taskId = `task ${String(number).padStart(4, '0')}`;
      await taskResults.insertStored({ ...file, path, taskId, number: 0 });
    }
    const path = `2026/11/${'a'.repeat(32)}.png`;
    await uploads.insert({ ...file, path, width: 1, height: 1, sha256: '' });
    await taskResults.insertStored({
      ...file,
      path: `results/${path}`,
      taskId: 'task z',
      number: 0,
    });
    const job = site.app.backgroundJobs.find((one) => one.name === name);
    // The list of jobs, the dashboard and doctor show it.
    await expect(job?.run(new AbortController().signal)).rejects.toThrow(
      `${2 * many} files could not be deleted`,
    );
    expect(await uploads.findByPath(path)).toBeNull();
    expect(await taskResults.find('task z', 0)).toMatchObject({ state: 'expired' });
    expect(await uploads.listExpired(now(site), 1000)).toHaveLength(many);
  },
  'stored-responses': async (site, name) => {
    const { backgroundResponses } = site.app.storage;
    const row = {
      ...{ userId: 1, previousId: '', conversation: '', model: 'm', channelId: 0, healthKey: '' },
      ...{ held: false, status: 'queued', tokens: 0, itemIds: [], createdAt: now(site) },
      ...{ expiresAt: now(site) + 86_400, inputSize: 1, responseSize: 1 },
    };
    const content = 'no compressed text';
    for (const number of [...numbers, 0])
      await backgroundResponses.begin(
        { ...row, responseId: `resp_${number}`, input: content, response: content },
        { owner: 'gone', streamed: false, leaseUntil: number === 0 ? 900 : number },
        { most: 1000, now: now(site) },
      );
    const end = backgroundResponses.end.bind(backgroundResponses);
    vi.spyOn(backgroundResponses, 'end').mockImplementation((response, last) =>
      response.responseId === 'resp_0' ? end(response, last) : Promise.reject(lost),
    );
    const read = vi.spyOn(site.app.storage.storedResponses, 'readContents');
    read.mockImplementation(async () => new Map());
    await run(site, name);
    expect(await backgroundResponses.find({ userId: 1, responseId: 'resp_0' })).toMatchObject({
      status: 'failed',
    });
  },
  'quota-warnings': async (site, name) => {
    const { quotaWarnings, users } = site.app.storage;
    const good = await site.addUser('good', { quota: 0 });
    await quotaWarnings.note(
      numbers.map((number) => good + number),
      now(site) - 20,
      1,
    );
    await quotaWarnings.note([good], now(site) - 10, 1);
    vi.spyOn(users, 'find').mockImplementation(async (id) => {
      if (id !== good) throw lost;
      return null;
    });
    // A run takes 200.
    for (const _ of [1, 2]) await run(site, name);
    expect(await quotaWarnings.due(now(site), 1000)).toEqual([]);
    site.clock.move(61_000);
    // The others are tried again later.
    const due = await quotaWarnings.due(now(site), 1000);
    expect(due.map(({ userId }) => userId)).not.toContain(good);
    expect(due).toHaveLength(many);
  },
  'budget-warnings': async (site, name) => {
    const { budgets, users } = site.app.storage;
    const [bad, good] = [await site.addUser('bad'), await site.addUser('good')];
    for (const userId of [bad, good]) {
      const fields = { owner: 'user', owner_id: String(userId), amount: 100, period: 'day' };
      await site.operator.budgets.create(fields);
      const spender = { tokenId: 0, userId, userGroup: 'default' };
      const windows = (await site.app.budgets.gate.windowsOf(spender, 'm')) ?? [];
      await site.app.ledger.post({ userId, kind: 'grant', amount: toQuota(100), reference: null });
      const hold = { requestId: `r${userId}`, userId, tokenId: 0, amount: toQuota(100), windows };
      const charge = { amount: toQuota(100), channelId: 0, log: null, rollup: null };
      await site.app.ledger.settle(await site.app.ledger.hold(hold), charge);
    }
    await site.app.ledger.drain();
    const find = users.find.bind(users);
    vi.spyOn(users, 'find').mockImplementation((id) =>
      id === bad ? Promise.reject(lost) : find(id),
    );
    await run(site, name);
    const open = await budgets.openWindows(now(site));
    expect(open.map(({ warned }) => warned)).toEqual([0, 100]);
  },
  'deferred-postings': async (site, name) => {
    const { deferredPostings } = site.app.storage;
    const note = { userId: 1, kind: 'grant', amount: 5, log: '', createdAt: 0 } as const;
    for (const number of [...numbers, 0])
      await deferredPostings.insert({ ...note, reference: `note ${number}` });
    const { ledger } = site.app;
    const post = ledger.post.bind(ledger);
    vi.spyOn(ledger, 'post').mockImplementation((posting) =>
      posting.reference === 'note 0' ? post(posting) : Promise.reject(lost),
    );
    await run(site, name);
    expect(await deferredPostings.list(1000, 0)).toHaveLength(many);
  },
  retention: async (site, name) => {
    const { auditLogs, retention } = site.app.storage;
    await site.operator.option.set({ key: 'AuditLogDays', value: '1' });
    await site.operator.option.set({ key: 'UsageLogDays', value: '1' });
    await site.operator.option.set({ key: 'ErrorLogDays', value: '1' });
    const entry = site.app.audit.entryOf(site.root, 'log.prune', 1);
    await auditLogs.insert({ ...entry, createdAt: 1 });
    const oldest = retention.oldest.bind(retention);
    vi.spyOn(retention, 'oldest').mockImplementation((kind, from) =>
      kind === 'audit' ? oldest(kind, from) : Promise.reject(lost),
    );
    await run(site, name);
    expect(await oldest('audit', 0)).not.toBe(1);
  },
};

/** All others, and why none of their rows can hold up another. */
const others: Readonly<Record<string, string>> = {
  'payment-sweep': 'test/core/payments/order-sweeper.test.ts',
  'refund-sweep': 'test/core/payments/order-sweeper.test.ts',
  'task-poll': 'test/core/tasks/task-poller.test.ts',
  'store-results': 'each download that fails waits for its next try: test/core/files',
  'channel-tests': 'a test that fails is a result: test/core/channels',
  'channel-balances': 'a balance that cannot be read is a result: test/core/channels',
  'follow-changes':
    'what cannot be followed is followed whole: test/core/runtime/change-follower.test.ts',
  'forget-changes': 'one statement',
  'forget-leases': 'one statement',
  'announce-node': 'one row',
  'forget-nodes': 'one statement',
  'audit-entries': 'one after another, in their order',
  statements: 'sums, which must be whole',
  'ledger-head': 'one note',
  'ledger-seal-webhook': 'one seal',
  'ledger-seal-file': 'one seal',
  'request-outcomes': 'sums in memory',
  'log-sums': 'sums, a day after the other',
  'gather-rollups': 'sums, a day after the other',
  'purge-sessions-and-codes': 'two statements',
  'forget-budget-windows': 'statements that delete',
  'model-ends': 'one notice',
  'model-sync': 'a list that cannot be read is a result: test/core/channels/model-sync.test.ts',
  losses: 'read from memory and sums',
  'price-sync': 'a source that cannot be read is a result: test/core/price-sync',
  'channel-health': 'one write',
  'background-responses': 'each end that cannot be stored is kept: test/core/relay/background',
  'disk-space': 'one file',
  backup: 'one file',
  'backup-check': 'one file',
};

describe('rows that a job cannot deal with', () => {
  it.each(Object.entries(ofRows))('hold up no other one of %s', async (name, meet) => {
    await meet(await createTestApp(), name);
  });

  it('are tried here for every job that works on row after row', async () => {
    const { app } = await createTestApp();
    expect([...Object.keys(ofRows), ...Object.keys(others)].toSorted()).toEqual(
      app.backgroundJobs.map(({ name }) => name).toSorted(),
    );
  });
});
