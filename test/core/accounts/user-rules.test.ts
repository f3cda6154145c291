/** The rule matrix of docs/rules/accounts.md#who-may-do-what through the calls themselves. */
import { describe, expect, test } from 'vitest';
import type { Client } from '../../../src/core/contract/client.ts';
import { findRefusal, type UserAct } from '../../../src/core/entities/user-policy.ts';
import { codeOf, createTestApp, type TestApp } from '../../support/app.ts';

const manage =
  (action: 'promote' | 'demote' | 'disable' | 'enable' | 'delete') =>
  (client: Client, id: number) =>
    client.user.manage({ id, action });
const calls: readonly (readonly [
  UserAct,
  string,
  (client: Client, id: number) => Promise<unknown>,
])[] = [
  ['read', '', (client, id) => client.user.get({ id })],
  ['update', 'user.update', (client, id) => client.user.update({ id, display_name: 'x' })],
  ['update', 'user.quota', (client, id) => client.user.update({ id, quota: 7 })],
  ['update', 'user.grant', (client, id) => client.user.grant({ user_id: id, quota: 7 })],
  ['manage-promote', 'user.promote', manage('promote')],
  ['manage-demote', 'user.demote', manage('demote')],
  ['manage-disable', 'user.disable', manage('disable')],
  ['manage-enable', 'user.enable', manage('enable')],
  ['manage-delete', 'user.delete', manage('delete')],
  ['remove', 'user.remove', (client, id) => client.user.remove({ id })],
];
const levels = [1, 10, 100] as const;

/** The code of the refusal, or that there was none. */
const allowed = 'it did not fail';

/** No call creates a super admin: an import may bring several. */
const addWithRole = async (
  { addUser, app }: TestApp,
  username: string,
  role: (typeof levels)[number],
) => {
  const id = await addUser(username);
  await app.storage.users.setRole(id, 1, role);
  return id;
};

const auditOf = async ({ operator }: TestApp, id: number) =>
  (await operator.audit.list({})).items
    .filter((row) => row.target === String(id) && row.action !== 'user.create')
    .map((row) => row.action);

describe('every act by every role on every role', () => {
  test.each(calls)('%s (%s)', async (act, audited, call) => {
    const site = await createTestApp();
    for (const actorRole of levels) {
      const actorId = await addWithRole(site, `actor${actorRole}`, actorRole);
      const client = await site.as(actorId);
      for (const role of levels) {
        const id = await addWithRole(site, `t${actorRole}x${role}`, role);
        const target = { id, role, status: 1, deletedAt: null };
        const refusal =
          findRefusal(act, { actor: { id: actorId, role: actorRole }, target }) ?? allowed;
        // Ordinary users do not get as far as the matrix.
        const expected = actorRole === 1 ? 'forbidden' : refusal;
        expect([actorRole, role, await codeOf(call(client, id))]).toEqual([
          actorRole,
          role,
          expected,
        ]);
        const entries = await auditOf(site, id);
        expect([actorRole, role, entries]).toEqual([
          actorRole,
          role,
          expected === allowed && audited !== '' ? [audited] : [],
        ]);
      }
    }
  });

  test.each(calls)('%s (%s): there is no such user', async (_act, _audited, call) => {
    const { operator } = await createTestApp();
    expect(await codeOf(call(operator, 999))).toBe('not_found');
  });
});

test('no field of a body raises anybody', async () => {
  const { operator, as, addUser } = await createTestApp();
  const id = await addUser('ann');
  const more = {
    role: 10,
    status: 2,
    aff_quota: 5,
    used_quota: 5,
    inviter_id: 9,
    email: 'x@example.org',
    email_verified: true,
  };
  await operator.user.update({ id, display_name: 'Ann', ...more });
  await (await as(id)).self.update({ nickname: 'A', ...more });
  expect(await operator.user.get({ id })).toMatchObject({
    display_name: 'Ann',
    nickname: 'A',
    role: 1,
    status: 1,
    aff_quota: 0,
    used_quota: 0,
    inviter_id: 0,
    email: '',
  });
});

test('a deactivated user gets no quota, by one call as little as by a change of many', async () => {
  const { addUser, operator, app } = await createTestApp();
  const id = await addUser('gone');
  const before = await app.ledger.balance(id);
  await operator.user.manage({ id, action: 'delete' });
  expect(await codeOf(operator.user.grant({ user_id: id, quota: 7 }))).toBe('already_deactivated');
  const { refused } = await operator.bulk.users({ ids: [id], change: { grant: 7 } });
  expect(refused).toHaveLength(1);
  expect(await app.ledger.balance(id)).toEqual(before);
});
