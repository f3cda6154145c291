// Covers src/core/budgets/budget-gate.ts, window-opening.ts, budget-states.ts, src/core/entities/budget-window-name.ts
/** Requests without a token: each user's playground is a token of its own (docs/rules/budgets.md#each). */
import { beforeEach, expect, it } from 'vitest';
import { budgetRows, budgetWindowColumns } from '../../../src/cli/show/budget-columns.ts';
import { windowName } from '../../../src/core/entities/budget-window-name.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { forEachDatabaseInTurn } from '../../support/storage.ts';

forEachDatabaseInTurn('playgrounds under a budget for each token', (engine) => {
  let site: TestApp;
  let ann: number;
  let bob: number;
  let requests = 0;

  beforeEach(async () => {
    site = await createTestApp({ SQL_DSN: await engine.migratedUrl() });
    ann = await site.addUser('ann', { quota: 10_000_000 });
    bob = await site.addUser('bob', { quota: 10_000_000 });
  });

  const spender = (userId: number) => ({ tokenId: 0, userId, userGroup: 'default' });

  async function spend(userId: number, quota: number, model = 'm') {
    const { ledger, budgets } = site.app;
    const windows = (await budgets.gate.windowsOf(spender(userId), model)) ?? [];
    const amount = toQuota(quota);
    requests += 1;
    const requestId = `r${requests}`;
    const hold = await ledger.hold({ requestId, userId, tokenId: 0, amount, windows });
    await ledger.settle(hold, { amount, channelId: 0, log: null, rollup: null });
    await ledger.drain();
  }

  const owners = () =>
    [
      ['group', 'default'],
      ['model', 'm'],
      ['user', String(ann)],
    ] as const;

  it('spend apart from each other, whoever the budget is for', async () => {
    for (const period of ['day', 'week', 'total'])
      for (const [owner, owner_id] of owners())
        await site.operator.budgets.create({
          ...{ owner, owner_id, each: 'token', amount: 1000, period },
          window: period === 'week' ? 'rolling' : 'calendar',
        });
    await spend(ann, 900);
    await expect(spend(ann, 200)).rejects.toMatchObject({ code: 'budget_exceeded' });
    await spend(bob, 800);
    const shown = await site.operator.budgets.status({ page_size: 100 });
    const named = shown.items.map((budget) => [
      `${budget.owner} ${budget.period}`,
      ...budget.windows.map((one) => `${windowName(budget, one, 'en')}: ${one.spent}`),
    ]);
    const both = ['playground of ann: 900', 'playground of bob: 800'];
    expect(named).toEqual(
      ['day', 'week', 'total'].flatMap((period) => [
        [`group ${period}`, ...both],
        [`model ${period}`, ...both],
        [`user ${period}`, both[0]],
      ]),
    );
    expect(await site.app.storage.budgets.verify()).toEqual([]);
    // Others' figures are theirs.
    const seen = await (await site.as(ann)).budgets.status({ page_size: 100 });
    expect(seen.items.flatMap(({ windows }) => windows.map(({ name }) => name))).toEqual(
      seen.items.map(() => 'ann'),
    );
    const [row] = budgetRows(shown.items.slice(0, 1));
    const whose = budgetWindowColumns(() => '').find(({ title }) => title.en === 'for');
    const view = { language: 'en' } as Parameters<NonNullable<typeof whose>['value']>[1];
    expect(row && whose?.value(row, view)).toBe('group default token playground of ann');
  });

  it('begin with what they have cost, without what tokens and others did', async () => {
    const { id: tokenId } = await (await site.as(ann)).token.create({
      name: 't',
      unlimited_quota: true,
    });
    const { ledger } = site.app;
    const settle = async (userId: number, token: number, quota: number) => {
      const amount = toQuota(quota);
      requests += 1;
      const hold = await ledger.hold({ requestId: `r${requests}`, userId, tokenId: token, amount });
      await ledger.settle(hold, { amount, channelId: 0, log: null, rollup: null });
    };
    await settle(ann, 0, 40);
    await settle(bob, 0, 300);
    await settle(ann, tokenId, 5000);
    await ledger.drain();
    for (const [owner, owner_id] of owners())
      if (owner !== 'model')
        await site.operator.budgets.create({
          ...{ owner, owner_id, each: 'token', amount: 10_000, period: 'day' },
        });
    await spend(ann, 2);
    await spend(bob, 1);
    const { items } = await site.operator.budgets.status({ page_size: 100 });
    expect(items.map(({ windows }) => windows.map(({ name, spent }) => [name, spent]))).toEqual([
      [
        ['bob', 301],
        ['ann', 42],
      ],
      [['ann', 42]],
    ]);
    expect(await site.app.storage.budgets.verify()).toEqual([]);
  });

  it('have rates apart from each other', async () => {
    for (const [owner, owner_id] of owners())
      await site.operator.budgets.create({
        ...{ owner, owner_id, each: 'token', period: 'none', requests_per_minute: 1 },
      });
    const enter = (userId: number) =>
      site.app.budgets.gate.enterRates({
        ...{ requestId: `of ${userId}`, spender: spender(userId), model: 'm', tokens: 1 },
        show: () => undefined,
      });
    await enter(ann);
    await expect(enter(ann)).rejects.toMatchObject({ code: 'rate_requests' });
    await expect(enter(bob)).resolves.toBeDefined();
    await expect(enter(bob)).rejects.toMatchObject({ code: 'rate_requests' });
  });
});
