// Covers src/core/budgets/budget-status.ts, budget-states.ts, src/core/storage/repositories/open-windows.ts
/** What the console shows of budgets beside tokens, users and on the dashboard (docs/rules/budgets.md#list). */
import { beforeEach, expect, it } from 'vitest';
import type { Client } from '../../../src/core/contract/client.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { forEachDatabaseInTurn } from '../../support/storage.ts';

interface Person {
  readonly id: number;
  readonly client: Client;
  readonly tokenId: number;
}

let site: TestApp;
let ann: Person;
let bob: Person;

async function addPerson(name: string): Promise<Person> {
  const id = await site.addUser(name, { quota: 10_000_000 });
  const client = await site.as(id);
  const { id: tokenId } = await client.token.create({ name: 't', unlimited_quota: true });
  return { id, client, tokenId };
}

type NewBudget = Parameters<Client['budgets']['create']>[0];
const make = async (fields: NewBudget): Promise<number> =>
  (await site.operator.budgets.create({ amount: 1000, period: 'day', ...fields })).id;
const of = (owner: string, ownerId: number | string) => ({ owner, owner_id: String(ownerId) });

/** A request in the windows of its budgets. */
async function spend({ id, tokenId }: Person, quota: number, conversation?: string) {
  const spender = { tokenId, userId: id, userGroup: 'default' };
  const windows =
    (await site.app.budgets.gate.windowsOf(spender, 'm', { conversation: () => conversation })) ??
    [];
  const { ledger } = site.app;
  const amount = toQuota(quota);
  const hold = await ledger.hold({ requestId: 'r', userId: id, tokenId, amount, windows });
  await ledger.settle(hold, { amount, channelId: 0, log: null, rollup: null });
  await ledger.drain();
}

forEachDatabaseInTurn('budgets about something', (engine) => {
  beforeEach(async () => {
    site = await createTestApp({ SQL_DSN: await engine.migratedUrl() });
    ann = await addPerson('ann');
    bob = await addPerson('bob');
  });

  type Query = Parameters<Client['budgets']['about']>[0];
  /** By budget the owners of its windows. */
  const about = async (query: Query, client = site.operator) =>
    (await client.budgets.about(query)).map(({ id, windows }) => [
      id,
      windows.map(({ subject }) => subject),
    ]);

  it('are those of tokens and users, and those that give each of them an amount', async () => {
    const ofToken = await make(of('token', ann.tokenId));
    const ofUser = await make(of('user', ann.id));
    const eachToken = await make({ ...of('group', 'default'), each: 'token' });
    const eachUser = await make({ ...of('group', 'default'), each: 'user' });
    const other = await make({ ...of('user', bob.id), each: 'token' });
    await make(of('group', 'default'));
    await spend(ann, 10);
    await spend(bob, 20);
    const token = String(ann.tokenId);
    expect(await about({ kind: 'token', ids: token })).toEqual([
      [ofToken, ['']],
      [eachToken, [token]],
    ]);
    expect(await about({ kind: 'token', ids: `${token},${bob.tokenId}` })).toEqual([
      [ofToken, ['']],
      [eachToken, [String(bob.tokenId), token]],
      [other, [String(bob.tokenId)]],
    ]);
    expect(await about({ kind: 'user', ids: String(bob.id) })).toEqual([
      [eachUser, [String(bob.id)]],
      [other, [String(bob.tokenId)]],
    ]);
    expect(await about({ kind: 'user', ids: `${ann.id}` }, ann.client)).toEqual([
      [ofUser, ['']],
      [eachUser, [String(ann.id)]],
    ]);
    // What others spend nobody sees.
    expect(await about({ kind: 'user', ids: `${bob.id}` }, ann.client)).toEqual([]);
    expect(await about({ kind: 'token', ids: '' })).toEqual([]);
    await expect(about({ kind: 'token', ids: '1,x' })).rejects.toMatchObject({
      code: 'invalid_parameter',
    });
  });

  it('are those of a window, with it alone, where it is open and may be seen', async () => {
    const talks = await make({ ...of('user', ann.id), each: 'conversation', period: 'total' });
    const day = await make(of('user', bob.id));
    for (const name of ['one', 'two']) await spend(ann, 10, name);
    await spend(bob, 5);
    const { items } = await site.operator.budgets.conversations({});
    const two = items.find(({ subject }) => subject === 'two')?.id ?? 0;
    expect(await about({ kind: 'window', ids: String(two) })).toEqual([[talks, ['two']]]);
    expect(await about({ kind: 'window', ids: String(two) }, ann.client)).toEqual([
      [talks, ['two']],
    ]);
    expect(await about({ kind: 'window', ids: String(two) }, bob.client)).toEqual([]);
    const [window] =
      (await bob.client.budgets.about({ kind: 'user', ids: `${bob.id}` }))[0]?.windows ?? [];
    const both = `${two},${window?.id}`;
    expect(await about({ kind: 'window', ids: both })).toEqual([
      [talks, ['two']],
      [day, ['']],
    ]);
    site.clock.move(86_400_000);
    expect(await about({ kind: 'window', ids: both })).toEqual([[talks, ['two']]]);
    expect(await about({ kind: 'course', ids: '' })).toEqual([[talks, []]]);
    expect(await about({ kind: 'course', ids: '' }, bob.client)).toEqual([]);
  });

  it('are ending where they are spent, near their end or on the way to it, five at most', async () => {
    const ids: Record<string, number> = {};
    for (const [name, amount] of [
      ['half', 2000],
      ['evenly', 8000],
      ['near', 1200],
      ['passed', 500],
      ['warns', 100],
      ['exactly', 1000],
      ['faster', 1800],
    ] as const)
      ids[name] = await make({ ...of('user', ann.id), name, amount, at_end: 'warn' });
    await make({ ...of('user', ann.id), enabled: false, amount: 10 });
    await make({ ...of('user', ann.id), period: 'none', amount: 0, parallel_requests: 1 });
    await make(of('user', bob.id));
    await spend(ann, 1000);
    const ending = async (client: Client) =>
      (await client.budgets.ending()).map(({ name }) => name);
    // Half of the day is over.
    site.clock.move(60_000);
    const expected = ['warns', 'passed', 'exactly', 'near', 'faster'];
    expect(await ending(site.operator)).toEqual(expected);
    expect(await ending(ann.client)).toEqual(expected);
    expect(await ending(bob.client)).toEqual([]);
    await site.operator.budgets.remove({ id: ids['warns'] ?? 0 });
    // What is spent in half of the day lasts for all of it.
    expect(await ending(site.operator)).toEqual(expected.slice(1));
    site.clock.move(86_400_000);
    expect(await ending(site.operator)).toEqual([]);
  });
});
