import { hash as bcrypt } from 'bcryptjs';
import { describe, expect, test } from 'vitest';
import { createPasswordMethod } from '../../../src/core/accounts/sign-in/password-method.ts';
import type { Client } from '../../../src/core/contract/client.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { codeOf, createTestApp, testPassword } from '../../support/app.ts';

describe('password sign-in', () => {
  test('by user name in any case, verified e-mail and phone; not by an address nobody verified', async () => {
    const { app, addUser } = await createTestApp();
    const id = await addUser('Ann');
    await app.storage.users.update(id, {
      email: 'ann@example.org',
      emailVerified: true,
      phone: '+8613800000000',
    });
    const other = await addUser('bob');
    await app.storage.users.update(other, { email: 'bob@example.org' });
    for (const name of [
      'Ann',
      'ann',
      ' ANN ',
      'Ann@Example.org',
      '13800000000',
      '+8613800000000',
    ]) {
      expect(
        (await app.accounts.signIn('password', { username: name, password: testPassword })).id,
      ).toBe(id);
    }
    expect(
      await codeOf(
        app.accounts.signIn('password', { username: 'bob@example.org', password: testPassword }),
      ),
    ).toBe('wrong_credentials');
  });

  test('the same reply for an unknown name, a wrong password, a banned and a deactivated user', async () => {
    const { app, addUser, operator } = await createTestApp();
    const banned = await addUser('banned');
    const gone = await addUser('gone');
    await addUser('ann');
    await operator.user.manage({ id: banned, action: 'disable' });
    await operator.user.manage({ id: gone, action: 'delete' });
    const codes = await Promise.all([
      codeOf(app.accounts.signIn('password', { username: 'nobody', password: testPassword })),
      codeOf(app.accounts.signIn('password', { username: 'ann', password: 'wrong password' })),
      codeOf(app.accounts.signIn('password', { username: 'banned', password: testPassword })),
      codeOf(app.accounts.signIn('password', { username: 'gone', password: testPassword })),
    ]);
    expect(new Set(codes)).toEqual(new Set(['wrong_credentials']));
  });

  test('an account without a password has no password', async () => {
    const { app, addUser } = await createTestApp();
    await app.storage.users.update(await addUser('ann'), { passwordHash: new Secret('') });
    expect(await codeOf(app.accounts.signIn('password', { username: 'ann', password: '' }))).toBe(
      'invalid_parameter',
    );
    expect(
      await codeOf(app.accounts.signIn('password', { username: 'ann', password: testPassword })),
    ).toBe('wrong_credentials');
  });

  test('an imported bcrypt hash is replaced at that sign-in', async () => {
    const { app, addUser } = await createTestApp();
    const id = await addUser('ann');
    await app.storage.users.update(id, { passwordHash: new Secret(await bcrypt('12345678', 4)) });
    await app.accounts.signIn('password', { username: 'ann', password: '12345678' });
    expect((await app.accounts.own.get(id)).passwordHash.reveal()).toMatch(/^\$argon2id\$/);
    await app.accounts.signIn('password', { username: 'ann', password: '12345678' });
  });

  test('a password that changes during that sign-in stays the new one', async () => {
    const { app, addUser } = await createTestApp();
    const { users } = app.storage;
    const id = await addUser('ann');
    await users.update(id, { passwordHash: new Secret(await bcrypt('12345678', 4)) });
    const disavowed = new Secret('');
    const method = createPasswordMethod({
      storage: { users },
      guard: {
        begin: async () => ({
          // The password was right; its hash is not replaced yet.
          succeed: async () => void (await users.update(id, { passwordHash: disavowed })),
        }),
        forget: async () => {},
      },
      ids: app.ids,
    });
    await method.complete({ username: 'ann', password: '12345678' });
    expect((await app.accounts.own.get(id)).passwordHash.isEmpty).toBe(true);
  });

  test('not at all while password sign-in is switched off', async () => {
    const { app, operator } = await createTestApp();
    await operator.option.set({ key: 'PasswordLoginEnabled', value: false });
    expect(
      await codeOf(app.accounts.signIn('password', { username: 'root', password: testPassword })),
    ).toBe('password_login_disabled');
  });
});

describe('lock-out', () => {
  const ip = '203.0.113.1';

  test('ten failures lock the account for 15 minutes, also for the right password', async () => {
    const { app, clock, addUser } = await createTestApp();
    await addUser('ann');
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect(
        await codeOf(
          app.accounts.signIn('password', { username: 'ann', password: 'wrong password', ip }),
        ),
      ).toBe('wrong_credentials');
    expect(
      await codeOf(
        app.accounts.signIn('password', { username: 'ann', password: testPassword, ip }),
      ),
    ).toBe('account_locked');
    clock.move(15 * 60_000 - 1);
    expect(
      await codeOf(
        app.accounts.signIn('password', { username: 'ANN', password: testPassword, ip }),
      ),
    ).toBe('account_locked');
    clock.move(1);
    expect(
      (await app.accounts.signIn('password', { username: 'ann', password: testPassword, ip }))
        .username,
    ).toBe('ann');
  });

  test('guesses at the same time count too, and unknown names are treated alike', async () => {
    const { app } = await createTestApp();
    const codes = await Promise.all(
      Array.from({ length: 14 }, () =>
        codeOf(
          app.accounts.signIn('password', { username: 'nobody', password: 'wrong password', ip }),
        ),
      ),
    );
    expect(codes.filter((code) => code === 'wrong_credentials')).toHaveLength(10);
    expect(codes.filter((code) => code === 'account_locked')).toHaveLength(4);
  });

  test('a success wipes the failures', async () => {
    const { app } = await createTestApp();
    for (let round = 0; round < 3; round += 1) {
      for (let attempt = 0; attempt < 9; attempt += 1)
        await codeOf(
          app.accounts.signIn('password', { username: 'root', password: 'wrong password' }),
        );
      await app.accounts.signIn('password', { username: 'root', password: testPassword });
    }
  });
});

describe('sessions', () => {
  const from = { ip: '192.0.2.1', userAgent: 'test' };

  test('the server keeps a hash only; a session ends by itself after 30 days without use', async () => {
    const { app, clock } = await createTestApp();
    const token = await app.accounts.sessions.start(1, 'password', from);
    expect(JSON.stringify(await app.storage.sessions.listByUser(1))).not.toContain(token);
    expect(await app.accounts.sessions.find(token)).toMatchObject({ userId: 1, renewed: false });
    expect(await app.accounts.sessions.find(`${token}x`)).toBeNull();
    clock.move(29 * 24 * 3600_000);
    expect(await app.accounts.sessions.find(token)).toMatchObject({ renewed: true });
    clock.move(29 * 24 * 3600_000);
    expect(await app.accounts.sessions.find(token)).toMatchObject({ renewed: true });
    clock.move(30 * 24 * 3600_000);
    expect(await app.accounts.sessions.find(token)).toBeNull();
  });

  const acts: [string, (operator: Client, id: number) => Promise<unknown>][] = [
    ['disable', (operator, id) => operator.user.manage({ id, action: 'disable' })],
    ['delete', (operator, id) => operator.user.manage({ id, action: 'delete' })],
    ['remove', (operator, id) => operator.user.remove({ id })],
    [
      'a new password',
      (operator, id) => operator.user.update({ id, password: 'another password' }),
    ],
  ];
  test.each(acts)('%s ends them', async (_, act) => {
    const { app, operator, addUser } = await createTestApp();
    const id = await addUser('ann');
    const token = await app.accounts.sessions.start(id, 'password', from);
    await act(operator, id);
    expect(await app.accounts.sessions.find(token)).toBeNull();
  });

  test('a demotion leaves them, and takes the rights away at once', async () => {
    const { app, operator, as, addUser } = await createTestApp();
    const id = await addUser('ann', { role: 10 });
    const token = await app.accounts.sessions.start(id, 'password', from);
    await operator.user.manage({ id, action: 'demote' });
    expect(await app.accounts.sessions.find(token)).toMatchObject({ userId: id });
    expect(await codeOf((await as(id)).user.list())).toBe('forbidden');
  });

  test('one’s own new password ends the other logins only', async () => {
    const { app, root } = await createTestApp();
    const mine = await app.accounts.sessions.start(1, 'password', from);
    const other = await app.accounts.sessions.start(1, 'password', from);
    const proof = (await app.accounts.sessions.find(mine)) ?? undefined;
    await app.accounts.own.update(
      { actor: root, proof, waysIn: ['password'] },
      { password: 'another password' },
    );
    expect(await app.accounts.sessions.find(mine)).not.toBeNull();
    expect(await app.accounts.sessions.find(other)).toBeNull();
    await app.accounts.signIn('password', { username: 'root', password: 'another password' });
  });
});
