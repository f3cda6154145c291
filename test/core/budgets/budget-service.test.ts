/** Who may make and change budgets, and what windows they open (docs/rules/budgets.md). */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { BudgetWindow } from '../../../src/core/billing/index.ts';
import type { Client } from '../../../src/core/contract/client.ts';
import { nowSeconds } from '../../../src/core/kernel/clock.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';

let site: TestApp;
let ann: { readonly id: number; readonly client: Client; readonly tokenId: number };
let bob: typeof ann;

beforeEach(async () => {
  site = await createTestApp();
  const add = async (name: string) => {
    const id = await site.addUser(name, { quota: 1_000_000 });
    const client = await site.as(id);
    const { id: tokenId } = await client.token.create({ name: 't', unlimited_quota: true });
    return { id, client, tokenId };
  };
  ann = await add('ann');
  bob = await add('bob');
});

const failing = (code: string) => expect.objectContaining({ code });
const mine = (user: typeof ann, fields: Record<string, unknown> = {}) => ({
  owner: 'user',
  owner_id: String(user.id),
  amount: 1000,
  period: 'day',
  ...fields,
});
const ofToken = (user: typeof ann, fields: Record<string, unknown> = {}) =>
  mine(user, { owner: 'token', owner_id: String(user.tokenId), ...fields });

describe('a user', () => {
  it('sets budgets for itself and its tokens, and for nobody else', async () => {
    await ann.client.budgets.create(mine(ann));
    await ann.client.budgets.create(ofToken(ann));
    for (const budget of [
      mine(bob),
      ofToken(bob),
      { ...mine(ann), owner: 'group', owner_id: 'default' },
    ])
      await expect(ann.client.budgets.create(budget)).rejects.toEqual(failing('budget_forbidden'));
    expect(await ann.client.budgets.list()).toHaveLength(2);
    expect(await bob.client.budgets.list()).toEqual([]);
  });

  it('sees those about itself, its tokens and its group, by few reads however many there are', async () => {
    const gone = await ann.client.token.create({ name: 'gone', unlimited_quota: true });
    for (const budget of [
      mine(ann),
      ofToken(ann),
      mine(bob),
      ofToken(bob),
      ...['default', 'vip'].map((group) => mine(ann, { owner: 'group', owner_id: group })),
      mine(ann, { owner: 'model', owner_id: 'm' }),
      mine(ann, { owner: 'token', owner_id: String(gone.id) }),
    ])
      await site.operator.budgets.create(budget);
    await ann.client.token.remove({ id: gone.id });
    const { tokens, users } = site.app.storage;
    const looks = [vi.spyOn(tokens, 'find'), vi.spyOn(users, 'find')];
    const { items } = await ann.client.budgets.status({ page_size: 100 });
    expect(items.map(({ owner, owner_name }) => [owner, owner_name])).toEqual([
      ['user', 'ann'],
      ['token', 't'],
      ['group', ''],
    ]);
    for (const look of looks) expect(look).not.toHaveBeenCalled();
    expect(await ann.client.budgets.list()).toHaveLength(3);
  });

  it('sees of a group’s budget its own windows and the sum, not what others spend', async () => {
    const group = { owner: 'group', owner_id: 'default', amount: 1000, period: 'day' };
    for (const each of ['', 'user', 'token', 'conversation'])
      await site.operator.budgets.create({ ...group, each });
    const { gate } = site.app.budgets;
    for (const { id, tokenId } of [ann, bob])
      await gate.windowsOf({ tokenId, userId: id, userGroup: 'default' }, 'm', {
        conversation: () => `talk of ${id}`,
      });
    const seen = async (client: Client) =>
      (await client.budgets.status({ page_size: 100 })).items.map(({ each, windows }) => [
        each,
        windows.map(({ subject }) => subject),
      ]);
    expect(await seen(ann.client)).toEqual([
      ['', ['']],
      ['user', [String(ann.id)]],
      ['token', [String(ann.tokenId)]],
      ['conversation', [`talk of ${ann.id}`]],
    ]);
    const talks = async (client: Client, filter = {}) => {
      const page = await client.budgets.conversations(filter);
      return page.items.map(({ subject, username }) => [subject, username]);
    };
    expect(await talks(ann.client)).toEqual([[`talk of ${ann.id}`, 'ann']]);
    expect(await talks(ann.client, { user_id: bob.id })).toEqual([[`talk of ${ann.id}`, 'ann']]);
    expect(await talks(site.operator)).toHaveLength(2);
    expect(await talks(site.operator, { user_id: bob.id })).toEqual([[`talk of ${bob.id}`, 'bob']]);
    expect((await seen(site.operator)).map(([, subjects]) => subjects?.length)).toEqual([
      1, 2, 2, 2,
    ]);
  });

  it('reads the status in pages of what it may see, and nothing beyond the page', async () => {
    await bob.client.budgets.create(mine(bob));
    for (const name of ['one', 'two', 'three'])
      await ann.client.budgets.create(mine(ann, { name }));
    const { storage, clock } = site.app;
    const open = async () => (await storage.budgets.openWindows(nowSeconds(clock))).length;
    const page = async (p: number) => {
      const { items, ...rest } = await ann.client.budgets.status({ p, page_size: 2 });
      return [items.map(({ name, windows }) => [name, windows.length]), rest];
    };
    const rest = { total: 3, page_size: 2 };
    expect(await page(2)).toEqual([[['three', 1]], { ...rest, page: 2 }]);
    expect(await open()).toBe(1);
    expect(await page(1)).toEqual([
      [
        ['one', 1],
        ['two', 1],
      ],
      { ...rest, page: 1 },
    ]);
    expect(await page(3)).toEqual([[], { ...rest, page: 3 }]);
  });

  it('sees what an administrator set, and neither changes nor lifts it', async () => {
    const { id } = await site.operator.budgets.create(mine(ann));
    const group = await site.operator.budgets.create(
      mine(ann, { owner: 'group', owner_id: 'default' }),
    );
    expect((await ann.client.budgets.list()).map((budget) => budget.id)).toEqual([id, group.id]);
    const forbidden = failing('budget_forbidden');
    for (const one of [id, group.id]) {
      await expect(ann.client.budgets.update({ id: one, amount: 9 })).rejects.toEqual(forbidden);
      await expect(ann.client.budgets.remove({ id: one })).rejects.toEqual(forbidden);
      await expect(ann.client.budgets.grant({ id: one, window: 1, amount: 5 })).rejects.toEqual(
        forbidden,
      );
    }
    await expect(bob.client.budgets.get({ id })).rejects.toEqual(failing('not_found'));
  });

  it('cannot make its own budget somebody else’s', async () => {
    const { id } = await ann.client.budgets.create(mine(ann));
    await expect(ann.client.budgets.update({ id, owner_id: String(bob.id) })).rejects.toEqual(
      failing('budget_forbidden'),
    );
  });
});

it('an administrator sets none for users who are above', async () => {
  const adm = await site.as(await site.addUser('adm', { role: 10 }));
  const { id } = await adm.budgets.create(mine(ann));
  expect((await adm.budgets.get({ id })).user_id).toBeGreaterThan(1);
  await expect(adm.budgets.create({ ...mine(ann), owner_id: '1' })).rejects.toEqual(
    failing('user_update_forbidden'),
  );
});

it.each([
  [{ time_zone: 'Mars/Olympus' }, 'time_zone'],
  [{ each: 'user' }, 'each'],
  [{ each: 'everybody' }, 'each'],
  [{ owner_id: 'ann' }, 'owner_id'],
  [{ owner_id: '999' }, 'owner_id'],
  [{ window: 'rolling', carry_over: 5 }, 'carry_over'],
  [{ carry_over: 101 }, 'carry_over'],
  [{ closed_hours: '25:00-26:00' }, 'closed_hours'],
  [{ closed_days: '0' }, 'closed_days'],
  [{ period: 'year' }, 'period'],
  [{ thresholds: 'often' }, 'thresholds'],
])('refuses %j', async (fields, field) => {
  await expect(site.operator.budgets.create(mine(ann, fields))).rejects.toMatchObject({
    code: 'budget_field_invalid',
    message: expect.stringContaining(field),
  });
});

describe('windows', () => {
  const windowsOf = async (model = 'm') => {
    const spender = { tokenId: ann.tokenId, userId: ann.id, userGroup: 'default' };
    return (await site.app.budgets.gate.windowsOf(spender, model)) ?? [];
  };
  const spend = async (windows: readonly BudgetWindow[], amount: number) => {
    const { ledger } = site.app;
    const request = { requestId: 'r', userId: ann.id, tokenId: ann.tokenId };
    const hold = await ledger.hold({ ...request, amount: toQuota(amount), windows });
    await ledger.settle(hold, { amount: toQuota(amount), channelId: 0, log: null, rollup: null });
    await ledger.drain();
  };

  it('are the same until they end, then the next begins with what was carried over', async () => {
    await site.operator.budgets.create(mine(ann, { carry_over: 50 }));
    const [first] = await windowsOf();
    expect(first).toMatchObject({ limit: 1000, endsAt: Date.UTC(2026, 10, 21) / 1000 });
    await spend(await windowsOf(), 400);
    site.clock.move(11 * 3_600_000);
    expect((await windowsOf())[0]?.id).toBe(first?.id);
    site.clock.move(3_600_000);
    const [second] = await windowsOf();
    expect(second).toMatchObject({ limit: 1300, endsAt: Date.UTC(2026, 10, 22) / 1000 });
    expect(
      (await site.operator.budgets.status({ page_size: 100 })).items[0]?.windows,
    ).toMatchObject([{ spent: 0, limit: 1300, left: 1300 }]);
  });

  it('are found again once a clock that was ahead is right', async () => {
    await site.operator.budgets.create(mine(ann));
    const [first] = await windowsOf();
    await spend(await windowsOf(), 400);
    site.clock.move(86_400_000);
    const [early] = await windowsOf();
    expect(early?.id).not.toBe(first?.id);
    await spend(await windowsOf(), 100);
    site.clock.move(-86_400_000);
    expect((await windowsOf())[0]).toMatchObject({ id: first?.id, limit: 1000 });
    expect(
      (await site.operator.budgets.status({ page_size: 100 })).items[0]?.windows,
    ).toMatchObject([{ spent: 400, left: 600 }]);
    site.clock.move(86_400_000);
    expect((await windowsOf())[0]?.id).toBe(early?.id);
    expect(
      (await site.operator.budgets.status({ page_size: 100 })).items[0]?.windows,
    ).toMatchObject([{ spent: 100, left: 900 }]);
    expect((await site.operator.ledger.verify()).ok).toBe(true);
  });

  it('begin anew where the period changes, with what was spent in it before', async () => {
    const { id } = await site.operator.budgets.create(mine(ann));
    await spend(await windowsOf(), 400);
    const [before] = await windowsOf();
    await site.operator.budgets.update({ id, amount: 500 });
    expect((await windowsOf())[0]).toMatchObject({ id: before?.id, limit: 500 });
    await site.operator.budgets.update({ id, period: 'month' });
    const [after] = await windowsOf();
    expect(after?.id).not.toBe(before?.id);
    const [status] = (await site.operator.budgets.status({ page_size: 100 })).items;
    expect(status?.windows).toMatchObject([{ spent: 400, left: 100 }]);
    expect((await site.operator.ledger.verify()).ok).toBe(true);
  });

  it('are named after the tokens and users that have them, where these exist', async () => {
    await site.operator.budgets.create(mine(ann, { each: 'token' }));
    const gone = await bob.client.token.create({ name: 'gone', unlimited_quota: true });
    const { id } = await site.operator.budgets.create(ofToken(bob, { owner_id: String(gone.id) }));
    await site.operator.budgets.create(mine(ann, { owner: 'group', owner_id: 'default' }));
    await windowsOf();
    await bob.client.token.remove({ id: gone.id });
    const found = (await site.operator.budgets.status({ page_size: 100 })).items;
    expect(found).toMatchObject([
      { owner_name: 'ann', windows: [{ subject: String(ann.tokenId), name: 't' }] },
      { id, owner_name: '' },
      { owner_name: '', windows: [{ subject: '', name: '' }] },
    ]);
  });

  it('are none of a budget that is off, deleted, or about other models', async () => {
    expect(
      site.app.budgets.gate.windowsOf(
        { tokenId: ann.tokenId, userId: ann.id, userGroup: 'default' },
        'm',
      ),
    ).toBeUndefined();
    const { id } = await site.operator.budgets.create(mine(ann, { models: 'm,n' }));
    expect(await windowsOf()).toHaveLength(1);
    expect(await windowsOf('other')).toEqual([]);
    await site.operator.budgets.update({ id, enabled: false });
    expect(await windowsOf()).toEqual([]);
    await site.operator.budgets.update({ id, enabled: true });
    expect(await windowsOf()).toHaveLength(1);
    await site.operator.budgets.remove({ id });
    expect(await windowsOf()).toEqual([]);
  });

  it('of a rolling budget begin with a use, and are kept for a while after their end', async () => {
    await site.operator.budgets.create(mine(ann, { window: 'rolling', period: '5h' }));
    expect((await site.operator.budgets.status({ page_size: 100 })).items[0]?.windows).toEqual([]);
    const [first] = await windowsOf();
    const began = site.clock.now() / 1000;
    expect(first?.endsAt).toBe(began + 5 * 3600);
    site.clock.move(5 * 3_600_000 + 1000);
    expect((await windowsOf())[0]?.endsAt).toBe(began + 10 * 3600 + 1);
    const { budgets } = site.app.storage;
    expect(await budgets.prune(began + 5 * 3600, 0)).toMatchObject({ removed: 0 });
    expect(await budgets.prune(began + 5 * 3600 + 1, 0)).toMatchObject({ removed: 1 });
    expect(await budgets.findWindow(first?.id ?? 0)).toBeNull();
  });

  it('of conversations are forgotten after 100 days without a charge; one that goes on begins anew', async () => {
    const fields = { each: 'conversation', period: 'total', amount: 1000 };
    await site.operator.budgets.create(mine(ann, fields));
    const spender = { tokenId: ann.tokenId, userId: ann.id, userGroup: 'default' };
    const talk = async (name: string) => {
      const subjects = { conversation: () => name };
      return (await site.app.budgets.gate.windowsOf(spender, 'm', subjects)) ?? [];
    };
    const [idle] = await talk('idle');
    await spend(await talk('idle'), 900);
    await spend(await talk('busy'), 100);
    const [busy] = await talk('busy');
    site.clock.move(99 * 86_400_000);
    await spend(await talk('busy'), 100);
    const job = site.app.backgroundJobs.find(({ name }) => name === 'forget-budget-windows');
    const forget = async (signal: AbortSignal) => job?.run(signal);
    const { findWindow } = site.app.storage.budgets;
    await forget(new AbortController().signal);
    expect(await findWindow(idle?.id ?? 0)).toMatchObject({ spent: 900 });
    site.clock.move(2 * 86_400_000);
    await forget(AbortSignal.abort());
    expect(await findWindow(idle?.id ?? 0)).not.toBeNull();
    await forget(new AbortController().signal);
    expect(await findWindow(idle?.id ?? 0)).toBeNull();
    expect((await talk('busy'))[0]?.id).toBe(busy?.id);
    expect(await findWindow(busy?.id ?? 0)).toMatchObject({ spent: 200 });
    await spend(await talk('idle'), 950);
    expect((await talk('idle'))[0]?.id).not.toBe(idle?.id);
    expect((await site.operator.ledger.verify()).ok).toBe(true);
  });
});

describe('the list', () => {
  /** Of ann, who spent 800: what is used up, near its end and within, unused, and off. */
  async function fill() {
    const make = async (fields: Record<string, unknown>) =>
      (await site.operator.budgets.create(mine(ann, fields))).id;
    const group = { owner: 'group', owner_id: 'vip', name: 'Department', models: 'a,b' };
    const ids = {
      near: await make({ amount: 1000 }),
      passed: await make({ amount: 800, at_end: 'warn' }),
      within: await make({ amount: 10_000 }),
      group: await make(group),
      off: await make({ enabled: false }),
      rolling: (await bob.client.budgets.create(ofToken(bob, { window: 'rolling' }))).id,
      rate: await make({ amount: 0, period: 'none', parallel_requests: 2, name: 'slow lane' }),
    };
    const spender = { tokenId: ann.tokenId, userId: ann.id, userGroup: 'default' };
    const windows = (await site.app.budgets.gate.windowsOf(spender, 'm')) ?? [];
    const amount = toQuota(800);
    const { ledger } = site.app;
    const hold = await ledger.hold({ requestId: 'r', ...spender, amount, windows });
    await ledger.settle(hold, { amount, channelId: 0, log: null, rollup: null });
    await ledger.drain();
    await site.app.budgets.gate.enterRates({
      requestId: 'r',
      spender,
      model: 'm',
      tokens: 0,
      show: () => undefined,
    });
    return ids;
  }
  type Query = Parameters<Client['budgets']['status']>[0];
  const find = async (query: Query, client = site.operator) => {
    const { items, total } = await client.budgets.status({ page_size: 100, ...query });
    return [items.map(({ id }) => id), total] as const;
  };

  it('is filtered and sorted by the gateway, in pages', async () => {
    const { near, passed, within, group, off, rolling, rate } = await fill();
    const cases: readonly (readonly [Query, readonly number[]])[] = [
      [{}, [near, passed, within, group, off, rolling, rate]],
      [{ sort: 'used' }, [passed, near, rate, within, rolling, off, group]],
      [{ state: 'passed' }, [passed]],
      [{ state: 'near' }, [near]],
      [{ state: 'within' }, [within, rate]],
      [{ state: 'unused' }, [group, rolling]],
      [{ state: 'unused', sort: 'used' }, [rolling, group]],
      [{ state: 'off' }, [off]],
      [{ owner: 'group' }, [group]],
      [{ owner_id: String(bob.tokenId), owner: 'token' }, [rolling]],
      [{ model: 'b' }, [near, passed, within, group, off, rolling, rate]],
      [{ model: 'c', state: 'unused' }, [rolling]],
      [{ keyword: 'DEPART' }, [group]],
      [{ keyword: 'ann', state: 'off' }, [off]],
      [{ keyword: `#${within}` }, [within]],
      [{ keyword: 'nothing' }, []],
    ];
    for (const [query, ids] of cases)
      expect([query, await find(query)]).toEqual([query, [ids, ids.length]]);
    expect(await find({ sort: 'used', p: 2, page_size: 2 })).toEqual([[rate, within], 7]);
    expect(await find({ state: 'within', p: 2, page_size: 1 })).toEqual([[rate], 2]);
    await expect(find({ state: 'full' as 'off' })).rejects.toMatchObject({
      code: 'invalid_parameter',
    });
  });

  it('shows users theirs alone, whatever they filter by', async () => {
    const { near, passed, within, off, rate, rolling } = await fill();
    expect(await find({ sort: 'used' }, bob.client)).toEqual([[rolling], 1]);
    expect(await find({ keyword: 'ann' }, bob.client)).toEqual([[], 0]);
    const own = [passed, near, rate, within, off];
    expect(await find({ sort: 'used' }, ann.client)).toEqual([own, 5]);
  });
});
