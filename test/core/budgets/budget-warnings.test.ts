/** Notices about budgets (docs/rules/budgets.md#warnings). */
import { expect, it, vi } from 'vitest';
import { createBudgetWarnings } from '../../../src/core/budgets/budget-warnings.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import type { Notice } from '../../../src/core/notices/notice.ts';
import { createTestApp } from '../../support/app.ts';

it('each threshold is told once in a window, to whose money it is', async () => {
  const { app, clock, operator, addUser, as } = await createTestApp();
  const userId = await addUser('ann', { quota: 1_000_000 });
  const { id: tokenId } = await (await as(userId)).token.create({ name: 't' });
  await operator.budgets.create({
    owner: 'user',
    owner_id: String(userId),
    each: 'token',
    amount: 1000,
    name: 'pocket money',
    thresholds: '50,100',
    at_end: 'warn',
    period: 'day',
  });
  const sent: { readonly to: string; readonly notice: Notice }[] = [];
  const deps = {
    storage: app.storage,
    options: app.site.options,
    siteLanguage: () => 'en' as const,
    clock,
    logger: silentLogger,
    routes: {
      find: (user: { email: string; setting: string }) => async (notice: Notice) =>
        void sent.push({ to: (user as { username?: string }).username ?? '', notice }),
    },
  };
  const run = () => createBudgetWarnings(deps)(new AbortController().signal);
  const spend = async (amount: number) => {
    const spender = { tokenId, userId, userGroup: 'default' };
    const windows = (await app.budgets.gate.windowsOf(spender, 'm')) ?? [];
    const request = { requestId: 'r', userId, tokenId: 0, amount: toQuota(amount), windows };
    const hold = await app.ledger.hold(request);
    const charge = { amount: toQuota(amount), channelId: 0, log: null, rollup: null };
    await app.ledger.settle(hold, charge);
    await app.ledger.drain();
    await run();
  };
  await run();
  await spend(499);
  expect(sent).toEqual([]);
  // The database is away for a moment: the next look makes up for it.
  vi.spyOn(app.storage.users, 'find').mockRejectedValueOnce(new Error('away'));
  await expect(spend(1)).rejects.toThrow('away');
  await run();
  expect(sent).toMatchObject([
    { to: 'ann', notice: { values: [`pocket money ${tokenId}`, '50', '500', '1000'] } },
  ]);
  await spend(300);
  expect(sent).toHaveLength(1);
  await spend(700);
  expect(sent.map(({ notice }) => notice.values[1])).toEqual(['50', '100']);
  await run();
  expect(sent).toHaveLength(2);
  clock.move(24 * 3_600_000);
  await spend(1000);
  expect(sent.map(({ notice }) => notice.values[1])).toEqual(['50', '100', '100']);
});

it('who may add to a budget gets a link to it, others get none', async () => {
  const { app, clock, operator, addUser, as } = await createTestApp();
  await operator.option.set({ key: 'ServerAddress', value: 'https://ai.example' });
  const userId = await addUser('ann', { quota: 1_000_000 });
  const ann = await as(userId);
  const fields = { owner: 'user', owner_id: String(userId), amount: 100, at_end: 'warn' };
  const own = await ann.budgets.create({ ...fields, name: 'own', period: 'day' });
  await operator.budgets.create({ ...fields, name: 'set for her', period: 'week' });
  const sent: Notice[] = [];
  const run = createBudgetWarnings({
    storage: app.storage,
    options: app.site.options,
    siteLanguage: () => 'en',
    clock,
    logger: silentLogger,
    routes: { find: () => async (notice: Notice) => void sent.push(notice) },
  });
  const spender = { tokenId: 0, userId, userGroup: 'default' };
  const windows = (await app.budgets.gate.windowsOf(spender, 'm')) ?? [];
  const hold = await app.ledger.hold({
    requestId: 'r',
    userId,
    tokenId: 0,
    amount: toQuota(100),
    windows,
  });
  await app.ledger.settle(hold, { amount: toQuota(100), channelId: 0, log: null, rollup: null });
  await app.ledger.drain();
  await run(new AbortController().signal);
  const [status] = (await ann.budgets.status({ page_size: 100 })).items.filter(
    ({ id }) => id === own.id,
  );
  const link = `https://ai.example/budget?grant=${status?.windows[0]?.id}`;
  expect(sent.map(({ values: [name], link: to }) => [name, to])).toEqual([
    ['own', link],
    ['set for her', undefined],
  ]);
  expect(sent.map(({ content }) => content.includes('after logging in'))).toEqual([true, false]);
});

it('a playground of a budget for each token is its user’s', async () => {
  const { app, clock, operator, addUser } = await createTestApp();
  const userId = await addUser('ann', { quota: 1_000_000 });
  for (const [owner, owner_id] of [
    ['user', String(userId)],
    ['group', 'default'],
  ] as const)
    await operator.budgets.create({
      ...{ owner, owner_id, each: 'token', amount: 100, name: `of ${owner}`, period: 'day' },
    });
  const sent: unknown[] = [];
  const run = createBudgetWarnings({
    storage: app.storage,
    options: app.site.options,
    siteLanguage: () => 'en',
    clock,
    logger: silentLogger,
    routes: {
      find: (user: { email: string; setting: string }) => async (notice: Notice) =>
        void sent.push([(user as { username?: string }).username, notice.values[0]]),
    },
  });
  const spender = { tokenId: 0, userId, userGroup: 'default' };
  const windows = (await app.budgets.gate.windowsOf(spender, 'm')) ?? [];
  const amount = toQuota(100);
  const hold = await app.ledger.hold({ requestId: 'r', userId, tokenId: 0, amount, windows });
  await app.ledger.settle(hold, { amount, channelId: 0, log: null, rollup: null });
  await app.ledger.drain();
  await run(new AbortController().signal);
  expect(sent).toEqual([
    ['ann', 'of user playground of ann'],
    ['ann', 'of group playground of ann'],
  ]);
});

it('one that cannot be sent is tried again, less and less often, and given up after six tries', async () => {
  const { app, clock, operator, addUser } = await createTestApp();
  const userId = await addUser('ann', { quota: 1_000_000 });
  await operator.budgets.create({
    ...{ owner: 'user', owner_id: String(userId), amount: 100, at_end: 'warn', period: 'total' },
  });
  const spender = { tokenId: 0, userId, userGroup: 'default' };
  const windows = (await app.budgets.gate.windowsOf(spender, 'm')) ?? [];
  const amount = toQuota(90);
  const hold = await app.ledger.hold({ requestId: 'r', userId, tokenId: 0, amount, windows });
  await app.ledger.settle(hold, { amount, channelId: 0, log: null, rollup: null });
  await app.ledger.drain();
  let sent = 0;
  let isAway = true;
  const open = () =>
    createBudgetWarnings({
      storage: app.storage,
      options: app.site.options,
      siteLanguage: () => 'en',
      clock,
      logger: silentLogger,
      routes: {
        find: () => async () => {
          sent += 1;
          if (isAway) throw new Error('the mail server is away');
        },
      },
    });
  const { noteWarned } = app.storage.budgets;
  const first = open();
  const after = async (run: typeof first, minutes: number) => {
    for (let minute = 0; minute < minutes; minute += 1) {
      clock.move(60_000);
      await run(new AbortController().signal);
    }
    return sent;
  };
  expect(await after(first, 1)).toBe(1);
  expect(await after(first, 1)).toBe(2);
  expect(await after(first, 20)).toBe(4);
  // Another process begins anew, and one that is sent is sent once.
  isAway = false;
  expect(await after(open(), 3)).toBe(5);
  expect(await after(first, 60)).toBe(5);

  const [window] = await app.storage.budgets.openWindows(clock.now() / 1000);
  await noteWarned(window?.id ?? 0, window?.warned ?? 0, 0);
  isAway = true;
  sent = 0;
  expect(await after(open(), 300)).toBe(6);
});
