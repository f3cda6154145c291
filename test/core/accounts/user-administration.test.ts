/** What administrators change of users, and what is known of it afterwards. */
import { describe, expect, it } from 'vitest';
import {
  createUserAdministration,
  type UserAdministrationDeps,
} from '../../../src/core/accounts/user-administration.ts';
import { maxAmount } from '../../../src/core/kernel/quota.ts';
import type { User } from '../../../src/core/storage/storage.ts';
import { actorOf, openStubs, userOf } from './account-stubs.ts';

const root = actorOf(1, 100);
const caller = { actor: root, proof: undefined, waysIn: [] };
const options = { get: (name: string) => (name === 'GroupRatio' ? { default: 1, vip: 2 } : {}) };
const password = 'a long password';

function open(...users: readonly User[]) {
  const { common, seen, rows } = openStubs(...users);
  const posted: unknown[] = [];
  const logged: unknown[] = [];
  interface Created {
    readonly displayName: string;
    readonly group: string;
    attach?(inside: never, id: number): Promise<void>;
  }
  const created: Created[] = [];
  /** Of each user. */
  const balance = { quota: 100, held: 0 };
  const administration = createUserAdministration({
    ...common,
    options,
    ledger: {
      balance: async () => balance,
      post: async (posting: unknown) => void posted.push(posting),
    },
    writeLog: {
      prepare: (...row: unknown[]) => {
        logged.push(row);
        return 'the row';
      },
    },
    createAccount: async (account: never) => {
      created.push(account);
      return 9;
    },
    audit: {
      record: async (...entry: unknown[]) => void seen.entries.push(entry),
      entryOf: (...entry: unknown[]) => entry,
    },
  } as unknown as UserAdministrationDeps);
  const { storage } = common;
  return { users: administration, seen, rows, posted, logged, created, balance, storage };
}

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => 'ok',
    ({ code, params }) => ({ code, params }),
  );

describe('a new user', () => {
  it('is in the audit log with name and role', async () => {
    const { users, created, seen, storage } = open();
    expect(await users.create(root, { username: 'ann', password, role: 10 })).toBe(9);
    await created[0]?.attach?.(storage as never, 9);
    expect(seen.entries).toEqual([[root, 'user.create', 9, { username: 'ann', role: 10 }]]);
  });
  it('is called by the own name, and is in the usual group, where nothing else is said', async () => {
    const { users, created } = open();
    await users.create(root, { username: 'ann', password });
    await users.create(root, { username: 'bob', password, displayName: 'Bob', group: 'vip' });
    expect(created).toMatchObject([
      { displayName: 'ann', group: 'default' },
      { displayName: 'Bob', group: 'vip' },
    ]);
  });
  it('of an unknown group or role is refused with what is wrong', async () => {
    const { users } = open();
    const create = (more: object) =>
      refusal(users.create(root, { username: 'ann', password, ...more }));
    expect(await create({ group: 'no' })).toEqual({
      code: 'group_unknown',
      params: { group: 'no' },
    });
    expect(await create({ role: 5 })).toEqual({
      code: 'invalid_parameter',
      params: { field: 'role' },
    });
  });
});

describe('an edit', () => {
  it('is in the audit log with what changed, and all processes hear of it', async () => {
    const { users, seen } = open(userOf(7));
    await users.update(caller, 7, { displayName: 'Ann', group: 'default' });
    const changes = { displayName: { from: 'name7', to: 'Ann' } };
    expect(seen.entries).toEqual([[root, 'user.update', 7, { username: 'name7', changes }]]);
    expect(seen.announced).toEqual([['user', 7]]);
  });
  it('of a password names it without its value, beside the rest', async () => {
    const { users, seen, rows } = open(userOf(7));
    await users.update(caller, 7, { displayName: 'Ann', password });
    expect(rows.get(7)?.displayName).toBe('Ann');
    expect(rows.get(7)?.passwordHash.reveal()).toMatch(/^\$argon2id/);
    const changes = { displayName: { from: 'name7', to: 'Ann' }, password: {} };
    expect(seen.entered).toEqual([['password']]);
    expect(seen.entries).toEqual([[root, 'user.update', 7, { username: 'name7', changes }]]);
  });
  it('to an unknown group is refused', async () => {
    const { users, seen } = open(userOf(7));
    expect(await refusal(users.update(caller, 7, { group: 'no' }))).toMatchObject({
      code: 'group_unknown',
    });
    expect(seen.calls).toEqual([]);
    await users.update(caller, 7, { group: 'vip' });
    expect(seen.calls).toHaveLength(1);
  });
  it('of the quota is a posting with both balances, in the logs of the user and the site', async () => {
    const { users, posted, logged, seen } = open(userOf(7));
    await users.update(caller, 7, { quota: 60, quotaBase: 90 });
    const [from, to] = [100, 70];
    const posting = { userId: 7, kind: 'adjustment', amount: -30, reference: null, log: 'the row' };
    expect(posted).toEqual([posting]);
    const who = { actor_id: 1, actor: 'name1' };
    const user = { userId: 7, username: 'name7' };
    expect(logged).toEqual([[user, 3, 'log.quota_changed', { from, to }, who]]);
    expect(seen.entries).toEqual([[root, 'user.quota', 7, { username: 'name7', from, to }]]);
    expect(seen.calls).toEqual([]);
  });
  it.each([{ quota: 100 }, { quota: 90, quotaBase: 90 }, {}])(
    'of nothing is none: %o',
    async (edit) => {
      const { users, posted, seen } = open(userOf(7));
      await users.update(caller, 7, edit);
      expect([posted, seen.calls, seen.entries]).toEqual([[], [], []]);
    },
  );
  it('beyond the amounts that can be counted is refused with the most', async () => {
    const { users, posted } = open(userOf(7));
    const edit = { quota: 1000, quotaBase: -Number.MAX_SAFE_INTEGER };
    expect(await refusal(users.update(caller, 7, edit))).toEqual({
      code: 'amount_limit',
      params: { max: expect.any(Number) },
    });
    expect(posted).toEqual([]);
  });
  it('by more than can be counted is refused, too, where the balance is far below zero', async () => {
    const { users, posted, balance } = open(userOf(7));
    balance.quota = -Number.MAX_SAFE_INTEGER;
    expect(await refusal(users.update(caller, 7, { quota: 1000 }))).toEqual({
      code: 'amount_limit',
      params: { max: maxAmount },
    });
    expect(posted).toEqual([]);
  });
});

it('what may not be done to others of the own level is refused before anything is done', async () => {
  const admin = actorOf(2, 10);
  const { users, seen, posted, created } = open(userOf(3, { role: 10 }));
  const forbidden = (error: string) => ({ code: error, params: {} });
  const update = users.update({ ...caller, actor: admin }, 3, { displayName: 'x' });
  const account = { username: 'ann', password, role: 10 };
  const refused = [
    [users.get(admin, 3), 'user_read_forbidden'],
    [update, 'user_update_forbidden'],
    [users.grant(admin, 3, 5, ''), 'user_update_forbidden'],
    [users.manage(admin, 3, 'disable'), 'user_update_forbidden'],
    [users.create(admin, account), 'user_create_forbidden'],
    [users.remove(admin, 3), 'user_delete_forbidden'],
  ] as const;
  for (const [act, error] of refused) expect(await refusal(act)).toEqual(forbidden(error));
  expect([seen.calls, seen.entries, posted, created]).toEqual([[], [], [], []]);
  expect(await users.get(root, 3)).toMatchObject({ id: 3 });
});

describe('an act', () => {
  it('on nobody is not found', async () => {
    const { users } = open();
    expect(await refusal(users.manage(root, 7, 'disable'))).toMatchObject({ code: 'not_found' });
  });
  it.each([
    ['promote', { role: 1 }, ['setRole', 7, 1, 10]],
    ['demote', { role: 10 }, ['setRole', 7, 10, 1]],
    ['enable', { status: 2 }, ['setStatus', 7, 2, 1]],
    ['disable', {}, ['setStatus', 7, 1, 2]],
    ['delete', {}, ['softDelete', 7, 9]],
  ] as const)('%s is recorded, and all processes hear of it', async (action, row, call) => {
    const { users, seen } = open(userOf(7, row));
    await users.manage(root, 7, action);
    expect(seen.calls[0]).toEqual(call);
    expect(seen.entries).toEqual([[root, `user.${action}`, 7, { username: 'name7' }]]);
    expect(seen.announced).toEqual([['user', 7]]);
    expect(seen.deletedFiles).toEqual(action === 'delete' ? [7] : []);
  });
  it('on a user that somebody else changed meanwhile is refused, and not recorded', async () => {
    const { users, seen, storage } = open(userOf(7));
    Object.assign(storage.users, { setStatus: async () => false });
    expect(await refusal(users.manage(root, 7, 'disable'))).toMatchObject({ code: 'conflict' });
    expect(seen.entries).toEqual([]);
  });
});

it('a gift says who gave it and why, to the user and in the audit log', async () => {
  const { users, posted, logged, seen } = open(userOf(7));
  await users.grant(root, 7, 50, 'thanks');
  const posting = { userId: 7, kind: 'grant', amount: 50, reference: null, log: 'the row' };
  expect(posted).toEqual([posting]);
  const given = { quota: 50, remark: 'thanks' };
  const user = { userId: 7, username: 'name7' };
  expect(logged).toEqual([[user, 1, 'log.granted', given, { actor_id: 1, actor: 'name1' }]]);
  expect(seen.entries).toEqual([[root, 'user.grant', 7, { username: 'name7', ...given }]]);
});

it('a user who is removed leaves no way in and no file', async () => {
  const { users, seen } = open(userOf(7));
  await users.remove(root, 7);
  expect(seen.calls.map(([name, id]) => [name, id])).toEqual(
    ['delete tokens', 'end sessions', 'delete factors', 'delete identities', 'delete'].map(
      (name) => [name, 7],
    ),
  );
  expect(seen.entries).toEqual([[root, 'user.remove', 7, { username: 'name7' }]]);
  expect([seen.announced, seen.deletedFiles]).toEqual([[['user', 7]], [7]]);
});

it('postings of those of the own level and above are hidden, but for the own ones', async () => {
  const { users } = open(
    userOf(1, { role: 100 }),
    userOf(2, { role: 10 }),
    userOf(3, { role: 10 }),
    userOf(4),
  );
  expect([...(await users.hiddenFrom(actorOf(2, 10)))].sort()).toEqual([1, 3]);
  expect(await users.hiddenFrom(root)).toEqual([]);
});
