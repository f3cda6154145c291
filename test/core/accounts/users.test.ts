import { describe, expect, test } from 'vitest';
import { codeOf, createTestApp, testPassword } from '../../support/app.ts';

describe('an administrator’s users', () => {
  test('a new user: defaults, first quota as a posting, a log row', async () => {
    const { operator, app } = await createTestApp();
    await operator.option.set({ key: 'QuotaForNewUser', value: 700 });
    const { id } = await operator.user.create({ username: ' ann ', password: testPassword });
    expect(await operator.user.get({ id })).toMatchObject({
      username: 'ann',
      display_name: 'ann',
      role: 1,
      status: 1,
      group: 'default',
      quota: 700,
      aff_code: expect.stringMatching(/^[A-Za-z0-9]{4}$/),
    });
    expect((await operator.ledger.list({ user_id: id })).items).toMatchObject([
      { kind: 'grant', amount: 700, balance_after: 700 },
    ]);
    expect((await app.logs.page({ userId: id }, { offset: 0, limit: 5 })).items).toMatchObject([
      { type: 4, username: 'ann' },
    ]);
  });

  test.each([
    [{ username: '', password: testPassword }, 'username_invalid'],
    [{ username: 'ann', password: 'short' }, 'password_invalid'],
    [{ username: 'ROOT', password: testPassword }, 'username_taken'],
    [{ username: 'ann', password: testPassword, group: 'nowhere' }, 'group_unknown'],
    [{ username: 'ann', password: testPassword, role: 100 }, 'user_create_forbidden'],
    [{ username: 'ann', password: testPassword, role: 5 }, 'invalid_parameter'],
    [{ username: 'ann', password: testPassword, quota: -1 }, 'invalid_parameter'],
  ])('%o is refused: %s', async (fields, code) => {
    const { operator } = await createTestApp();
    expect(await codeOf(operator.user.create(fields))).toBe(code);
    expect((await operator.user.list()).total).toBe(1);
  });

  test('rights follow the actor: an admin on others, a user on nobody', async () => {
    const { as, addUser } = await createTestApp();
    const user = await addUser('ann');
    const second = await addUser('bob', { role: 10 });
    const admin = await as(await addUser('adm', { role: 10 }));
    expect(await codeOf(admin.user.get({ id: 1 }))).toBe('user_read_forbidden');
    expect(await codeOf(admin.user.update({ id: second, display_name: 'x' }))).toBe(
      'user_update_forbidden',
    );
    expect(await codeOf(admin.user.remove({ id: second }))).toBe('user_delete_forbidden');
    expect(await codeOf(admin.user.manage({ id: user, action: 'promote' }))).toBe(
      'only_root_promotes',
    );
    expect(
      await codeOf(admin.user.create({ username: 'x', password: testPassword, role: 10 })),
    ).toBe('user_create_forbidden');
    const notice = { key: 'Notice', value: 'x' };
    expect(await codeOf(admin.option.set(notice))).toBe('forbidden');
    expect(await codeOf((await as(user)).user.list())).toBe('forbidden');
    expect((await admin.user.get({ id: user })).username).toBe('ann');
    expect(await codeOf(admin.user.get({ id: 999 }))).toBe('not_found');
  });

  test('manage: promote, demote, disable, enable, delete', async () => {
    const { operator, addUser } = await createTestApp();
    const id = await addUser('ann');
    expect(await operator.user.manage({ id, action: 'promote' })).toEqual({
      id,
      role: 10,
      status: 1,
    });
    expect(await operator.user.manage({ id, action: 'demote' })).toEqual({
      id,
      role: 1,
      status: 1,
    });
    expect(await operator.user.manage({ id, action: 'disable' })).toEqual({
      id,
      role: 1,
      status: 2,
    });
    expect(await operator.user.manage({ id, action: 'enable' })).toEqual({
      id,
      role: 1,
      status: 1,
    });
    await operator.user.manage({ id, action: 'delete' });
    expect((await operator.user.get({ id })).DeletedAt).not.toBeNull();
    expect(await codeOf(operator.user.manage({ id, action: 'enable' }))).toBe(
      'deactivated_cannot_be_enabled',
    );
    expect(await codeOf(operator.user.manage({ id: 1, action: 'disable' }))).toBe(
      'not_on_yourself',
    );
  });

  test('the quota changes by the difference the form saw, or to the number given; the ledger agrees', async () => {
    const { operator, app, addUser } = await createTestApp();
    const id = await addUser('ann', { quota: 1000 });
    await operator.user.grant({ user_id: id, quota: 50, remark: 'thanks' });
    await operator.user.update({ id, quota: 1500, quota_base: 1000 });
    expect((await operator.user.get({ id })).quota).toBe(1550);
    await operator.user.update({ id, quota: 200 });
    expect((await operator.user.get({ id })).quota).toBe(200);
    const { items } = await operator.ledger.list({ user_id: id });
    expect(items.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['adjustment', -1350],
      ['adjustment', 500],
      ['grant', 50],
      ['grant', 1000],
    ]);
    expect(await operator.ledger.verify()).toMatchObject({ ok: true, drifts: [] });
    const managed = await app.logs.page({ userId: id, type: 3 }, { offset: 0, limit: 5 });
    expect(managed.items[0]?.other).toContain('"actor_id":1');
  });

  test('an edit whose quota is refused changes nothing else', async () => {
    const { operator, addUser } = await createTestApp();
    const id = await addUser('ann', { quota: 1000 });
    for (const quota of [
      { quota: Number.MAX_SAFE_INTEGER },
      { quota: 1e12, quota_base: -Number.MAX_SAFE_INTEGER },
    ]) {
      const edit = { id, display_name: 'Ann', ...quota };
      expect(await codeOf(operator.user.update(edit))).toBe('amount_limit');
    }
    expect(await operator.user.get({ id })).toMatchObject({ display_name: 'ann', quota: 1000 });
  });

  test('a remark of a top-up has 255 characters at most', async () => {
    const { operator, addUser } = await createTestApp();
    const user_id = await addUser('ann');
    const grant = (length: number) =>
      operator.user.grant({ user_id, quota: 1, remark: 'r'.repeat(length) });
    expect(await codeOf(grant(256))).toBe('invalid_parameter');
    await grant(255);
    expect((await operator.user.get({ id: user_id })).quota).toBe(1);
  });

  test('deleting a user permanently deletes tokens and sessions but not the ledger', async () => {
    const { operator, as, app, addUser } = await createTestApp();
    const id = await addUser('ann', { quota: 10 });
    await (await as(id)).token.create({ name: 't' });
    await operator.user.remove({ id });
    expect(await codeOf(operator.user.get({ id }))).toBe('not_found');
    expect((await operator.userTokens.list()).total).toBe(0);
    expect((await app.storage.ledger.page({ userId: id }, { offset: 0, limit: 5 })).total).toBe(1);
    expect((await operator.ledger.verify()).ok).toBe(true);
  });
});

describe('one’s own account', () => {
  test('empty values mean unchanged; the name stays unique', async () => {
    const { as, addUser } = await createTestApp();
    const me = await as(await addUser('ann'));
    await me.self.update({
      username: '',
      display_name: 'Ann',
      nickname: 'A',
      portrait: 'https://example.org/a.png',
      password: '',
    });
    expect(await me.self.get()).toMatchObject({
      username: 'ann',
      display_name: 'Ann',
      nickname: 'A',
      portrait: 'https://example.org/a.png',
    });
    expect(await codeOf(me.self.update({ username: 'Root' }))).toBe('username_taken');
    expect(await codeOf(me.self.update({ portrait: 'javascript:alert(1)' }))).toBe(
      'invalid_parameter',
    );
  });

  test('a stored name that breaks the rules stays valid until it is changed', async () => {
    const { as, addUser, operator, app } = await createTestApp();
    const id = await addUser('ann');
    const imported = {
      username: 'ann smith of somewhere',
      displayName: 'A display name that is too long',
    };
    await app.storage.users.update(id, imported);
    const me = await as(id);
    await me.self.update({
      username: imported.username,
      display_name: imported.displayName,
      nickname: 'A',
    });
    await operator.user.update({
      id,
      username: imported.username,
      display_name: imported.displayName,
    });
    expect(await me.self.get()).toMatchObject({
      username: imported.username,
      display_name: imported.displayName,
      nickname: 'A',
    });
    expect(await codeOf(operator.user.update({ id, username: 'ann smith' }))).toBe(
      'username_invalid',
    );
    expect(await codeOf(me.self.update({ display_name: `${imported.displayName}!` }))).toBe(
      'name_too_long',
    );
  });

  test('the current password is checked if given or required', async () => {
    const { as, addUser, operator, app } = await createTestApp();
    const me = await as(await addUser('ann'));
    expect(
      await codeOf(me.self.update({ password: 'another password', original_password: 'wrong' })),
    ).toBe('original_password_wrong');
    await operator.option.set({ key: 'RequireOriginalPassword', value: true });
    expect(await codeOf(me.self.update({ password: 'another password' }))).toBe(
      'original_password_wrong',
    );
    await me.self.update({ password: 'another password', original_password: testPassword });
    await app.accounts.signIn('password', { username: 'ann', password: 'another password' });
  });

  test('leaving: soft deletion, tokens disabled; the super admin stays', async () => {
    const { as, addUser, operator } = await createTestApp();
    const id = await addUser('ann');
    const me = await as(id);
    await me.token.create({ name: 't' });
    await me.self.remove();
    expect((await operator.user.get({ id })).DeletedAt).not.toBeNull();
    expect((await operator.userTokens.list({ user_id: id })).items).toMatchObject([{ status: 2 }]);
    expect(await codeOf((await as(1)).self.remove())).toBe('root_cannot_be_deleted');
  });

  test('settings keep what they do not know and the secret, which nobody sees', async () => {
    const { as, addUser, operator, app } = await createTestApp();
    const id = await addUser('ann');
    await app.storage.users.update(id, { setting: '{"language":"en"}' });
    const me = await as(id);
    const webhook = { notify_type: 'webhook', webhook_url: 'https://hooks.example.org/x' };
    await me.self.updateSetting({ ...webhook, webhook_secret: 'whsec' });
    await me.self.updateSetting({ ...webhook, accept_unset_model_ratio_model: true });
    const mine = (await me.self.get()).setting;
    expect(JSON.parse(mine)).toMatchObject({
      language: 'en',
      has_webhook_secret: true,
      accept_unset_model_ratio_model: true,
    });
    expect(mine).not.toContain('whsec');
    expect(JSON.parse((await app.storage.users.find(id))?.setting ?? '')).toMatchObject({
      webhook_secret: 'whsec',
    });
    expect((await operator.user.get({ id })).setting).not.toMatch(/whsec|webhook_secret/);
    expect((await operator.user.list()).items.find((user) => user.id === id)?.setting).toContain(
      'hooks.example.org',
    );
    await me.self.updateSetting({ ...webhook, webhook_secret: '-' });
    expect((await me.self.get()).setting).not.toContain('webhook_secret');
  });

  test('settings are merged field by field: of forty saves at the same time none is lost', async () => {
    const { as, addUser } = await createTestApp();
    const me = await as(await addUser('ann'));
    const fields = [
      (round: number) => ({ quota_warning_threshold: round + 1 }),
      (round: number) => ({ notification_email: `ann${round}@example.org` }),
      (round: number) => ({ webhook_url: `https://hooks.example.org/${round}` }),
      (round: number) => ({ accept_unset_model_ratio_model: round % 2 === 0 }),
    ];
    for (let round = 0; round < 10; round++) {
      const saves = fields.map((field) => field(round));
      await Promise.all(saves.map((save) => me.self.updateSetting(save)));
      expect(JSON.parse((await me.self.get()).setting)).toMatchObject(Object.assign({}, ...saves));
    }
  });

  test.each([
    [{ notify_type: 'pigeon' }, 'warning_type_invalid'],
    [{ notify_type: 'webhook' }, 'webhook_url_invalid'],
    [{ notify_type: 'webhook', webhook_url: 'http://hooks.example.org/' }, 'webhook_url_invalid'],
    [{ notify_type: 'webhook', webhook_url: 'https://127.0.0.1/' }, 'webhook_url_invalid'],
    [{ notify_type: 'webhook', webhook_url: 'https://[::ffff:10.0.0.1]/' }, 'webhook_url_invalid'],
    [{ quota_warning_threshold: 0 }, 'invalid_parameter'],
    [{ notification_email: 'nobody' }, 'invalid_parameter'],
  ])('setting %o is refused: %s', async (setting, code) => {
    const { as } = await createTestApp();
    expect(await codeOf((await as(1)).self.updateSetting(setting))).toBe(code);
  });
});

describe('registration and invites', () => {
  test('both get quota once, as postings; the inviter as invite quota', async () => {
    const { app, operator } = await createTestApp();
    for (const [key, value] of [
      ['QuotaForNewUser', 10],
      ['QuotaForInvitee', 20],
      ['QuotaForInviter', 600_000],
    ] as const) {
      await operator.option.set({ key, value });
    }
    const code = await app.accounts.invites.codeOf(1);
    const id = await app.accounts.register({
      username: 'ann',
      password: testPassword,
      affCode: code,
    });
    expect(await app.accounts.own.get(id)).toMatchObject({ quota: 30, inviterId: 1 });
    expect(await app.accounts.own.get(1)).toMatchObject({
      affCount: 1,
      affQuota: 600_000,
      affHistoryQuota: 600_000,
      quota: 100_000_000,
    });
    expect(await codeOf(app.accounts.register({ username: 'ANN', password: testPassword }))).toBe(
      'username_taken',
    );
  });

  test('an unknown invite code is ignored', async () => {
    const { app } = await createTestApp();
    const id = await app.accounts.register({
      username: 'ann',
      password: testPassword,
      affCode: 'nope',
    });
    expect((await app.accounts.own.get(id)).inviterId).toBe(0);
  });

  test.each(['RegisterEnabled', 'PasswordRegisterEnabled'])('closed by %s', async (key) => {
    const { app, operator } = await createTestApp();
    await operator.option.set({ key, value: false });
    expect(await codeOf(app.accounts.register({ username: 'ann', password: testPassword }))).toBe(
      'registration_disabled',
    );
  });

  test('concurrent transfers never take more than the invite quota', async () => {
    const { app, as, operator } = await createTestApp();
    await app.storage.users.adjustInvite(1, { affQuota: 1_200_000 });
    const me = await as(1);
    const results = await Promise.all(
      Array.from({ length: 5 }, () => codeOf(me.self.transferInviteQuota({ quota: 500_000 }))),
    );
    expect(results.filter((code) => code === 'invite_quota_insufficient')).toHaveLength(3);
    expect(await me.self.get()).toMatchObject({ aff_quota: 200_000, quota: 101_000_000 });
    expect(await codeOf(me.self.transferInviteQuota({ quota: 499_999 }))).toBe(
      'transfer_too_small',
    );
    expect((await operator.ledger.verify()).ok).toBe(true);
  });

  test('GENERATE_DEFAULT_TOKEN gives new accounts a token', async () => {
    const { app } = await createTestApp({ GENERATE_DEFAULT_TOKEN: 'true' });
    const id = await app.accounts.register({ username: 'ann', password: testPassword });
    expect((await app.tokens.page(id, { offset: 0, limit: 5 })).items).toMatchObject([
      { unlimitedQuota: true, expiredTime: -1 },
    ]);
  });
});

describe('the system access token', () => {
  test.each(['the user', 'an administrator'])('ends with a password that %s sets', async (who) => {
    const { app, as, operator, addUser } = await createTestApp();
    const id = await addUser('ann');
    const me = await as(id);
    const accessToken = await me.self.systemToken();
    const find = async () => (await app.accounts.own.get(id)).accessTokenHash;
    await me.self.update({ display_name: 'Ann' });
    expect(accessToken).toHaveLength(32);
    expect(await find()).not.toBeNull();
    const password = 'another long password';
    if (who === 'the user') await me.self.update({ password });
    else await operator.user.update({ id, password });
    expect(await find()).toBeNull();
    const detail = (await operator.audit.list({ action: 'user.update' })).items
      .map((row) => row.detail)
      .join();
    expect(detail).not.toContain('accessTokenHash');
  });
});
