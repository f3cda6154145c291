/** "It was not me": what its link takes back, and what is good for whom. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Undo } from '../../../../src/core/accounts/gate/changed-way.ts';
import { bindDisavow } from '../../../../src/core/accounts/gate/disavowal.ts';
import { createDisavowalLinks } from '../../../../src/core/accounts/gate/disavowal-links.ts';
import { createSessions } from '../../../../src/core/accounts/sessions.ts';
import { nowSeconds } from '../../../../src/core/kernel/clock.ts';
import { AppError } from '../../../../src/core/kernel/errors.ts';
import { silentLogger } from '../../../../src/core/kernel/logger.ts';
import { Secret } from '../../../../src/core/kernel/secret.ts';
import type { User } from '../../../../src/core/storage/storage.ts';
import type { WayIn } from '../../../../src/core/vocabulary/ways-in.ts';
import { codeOf, createLastingApp, type TestApp } from '../../../support/app.ts';
import { type NotedCommit, noteCommits } from '../../../support/noted-commit.ts';

let site: TestApp;
let serial = 0;
let userId: number;
let email: string;
let noted: NotedCommit;
let resets: unknown[][];
let refusal: unknown;
let logged: unknown[][];
beforeAll(async () => {
  site = await createLastingApp();
});
afterAll(() => site.app.close());
beforeEach(async () => {
  serial += 1;
  userId = await site.addUser(`user${serial}`);
  email = `user${serial}@example.org`;
  await site.app.storage.users.update(userId, { email, emailVerified: true });
  noted = noteCommits(site);
  resets = [];
  refusal = undefined;
  logged = [];
});

const openLinks = () =>
  createDisavowalLinks({ storage: site.app.storage, clock: site.clock, ids: site.app.ids });
const open = () =>
  bindDisavow({
    links: openLinks(),
    reset: {
      request: async (...request) => {
        resets.push(request);
        if (refusal !== undefined) throw refusal;
      },
    },
    commit: noted.commit,
    clock: site.clock,
    logger: { ...silentLogger, error: (...line: unknown[]) => void logged.push(line) },
  });
const users = () => site.app.storage.users;
const identities = () => site.app.storage.userIdentities;
const factors = () => site.app.storage.secondFactors;
const find = async (id = userId): Promise<User> => {
  const user = await users().find(id);
  if (user === null) throw new Error('no user');
  return user;
};
const linkOf = async (way: WayIn, change: { removed?: boolean; undo?: Undo } = {}) =>
  openLinks().make(await find(), way, change);
const from = { ip: '192.0.2.1', language: 'en' } as const;
const disavow = (token: string) => open()(token, from);
const other = () => site.addUser(`other${serial}`);

describe('a link that was used', () => {
  test('ends sessions, password and system access token, and mails a link for a new one', async () => {
    const { storage, ids } = site.app;
    const sessions = createSessions({ storage, clock: site.clock, ids });
    const session = await sessions.start(userId, 'password', { ip: '', userAgent: '' });
    await users().update(userId, { accessTokenHash: `hash ${serial}` });
    const token = await linkOf('password');
    expect(await disavow(token)).toBe(true);
    const user = await find();
    expect(user.passwordHash.reveal()).toBe('');
    expect(user.accessTokenHash).toBeNull();
    expect(user).toMatchObject({ email, emailVerified: true });
    expect(await sessions.find(session)).toBeNull();
    expect(resets).toEqual([[email, 'en']]);
    const actor = expect.objectContaining({ id: userId, ip: '192.0.2.1' });
    expect(noted.entries).toEqual([[actor, 'user.disavow', userId, { way: 'password' }]]);
    expect(noted.announced).toEqual([['user', userId]]);
    expect(await codeOf(disavow(token))).toBe('not_me_link_invalid');
    expect(resets).toHaveLength(1);
  });
  test('of an account that is gone is not good', async () => {
    const token = await linkOf('password');
    await users().softDelete(userId, 1);
    expect(await codeOf(disavow(token))).toBe('not_me_link_invalid');
    const gone = await openLinks().make({ ...(await find()), id: 987_654_321 }, 'password', {});
    expect(await codeOf(disavow(gone))).toBe('not_me_link_invalid');
  });
  test('a mail that was sent a moment ago is enough; another failure is logged', async () => {
    refusal = new AppError('mail_too_soon', { seconds: 1 });
    expect(await disavow(await linkOf('password'))).toBe(true);
    expect(logged).toEqual([]);
    for (refusal of [
      new AppError('mail_not_configured'),
      new Error('no'),
      { code: 'mail_too_soon' },
    ]) {
      site.clock.move(1);
      expect(await disavow(await linkOf('password'))).toBe(false);
      expect(logged.pop()).toEqual([
        { error: refusal, user: userId },
        'the password could not be reset after a disavowed change',
      ]);
    }
  });
});

describe('the address', () => {
  const replaced = async (change: Partial<User>) => {
    const token = await linkOf('email');
    await users().update(userId, change);
    return token;
  };
  test.each([
    ['another', 'thief', true],
    ['none', '', false],
  ])('is the former one again after %s', async (_, name, emailVerified) => {
    await disavow(await replaced({ email: name && `${name}${email}`, emailVerified }));
    expect(await find()).toMatchObject({ email, emailVerified: true });
  });
  test('is verified again', async () => {
    await disavow(await replaced({ emailVerified: false }));
    expect(await find()).toMatchObject({ email, emailVerified: true });
  });
  test('is none where another account has the former one', async () => {
    const token = await replaced({ email: `thief${email}`, emailVerified: true });
    await users().update(await other(), { email, emailVerified: true });
    await disavow(token);
    expect(await find()).toMatchObject({ email: '', emailVerified: false });
  });
});

describe('the phone', () => {
  const numbers = () => [`+4915100${1000 + serial}`, `+4915200${1000 + serial}`] as const;
  const replace = async (former: string) => {
    const token = await linkOf('phone', { undo: { phone: former } });
    await users().update(userId, { phone: numbers()[1], phoneVerifiedAt: 5 });
    return token;
  };
  test('is the former one again, verified now', async () => {
    const [former] = numbers();
    await disavow(await replace(former));
    expect(await find()).toMatchObject({
      phone: former,
      phoneVerifiedAt: nowSeconds(site.clock),
    });
  });
  test('is none where there was none', async () => {
    await disavow(await replace(''));
    expect(await find()).toMatchObject({ phone: null, phoneVerifiedAt: 0 });
  });
  test('is none where another account has the former one', async () => {
    const [former] = numbers();
    const token = await replace(former);
    await users().update(await other(), { phone: former, phoneVerifiedAt: 5 });
    await disavow(token);
    expect(await find()).toMatchObject({ phone: null, phoneVerifiedAt: 0 });
  });
  test('stays where the owner has linked the former one again', async () => {
    const [former] = numbers();
    const token = await replace(former);
    await users().update(userId, { phone: former, phoneVerifiedAt: 7 });
    await disavow(token);
    expect(await find()).toMatchObject({ phone: former, phoneVerifiedAt: 7 });
  });
  test('stays after another change, and after it was removed', async () => {
    await replace('');
    await disavow(await linkOf('password'));
    expect(await find()).toMatchObject({ phone: numbers()[1] });
    site.clock.move(1);
    await disavow(await linkOf('phone', { removed: true, undo: { phone: '' } }));
    expect(await find()).toMatchObject({ phone: numbers()[1] });
  });
});

describe('an identity', () => {
  const own = async () => (await identities().listByUsers([userId])).map((one) => one.subject);
  const bind = (subject: string, id = userId) =>
    identities().insert({ userId: id, provider: 'github', subject, createdAt: 5 });
  const named = () => ({ provider: 'github', subject: `thief ${serial}`, former: `ann ${serial}` });
  test('is the former one again', async () => {
    await bind(named().subject);
    await disavow(await linkOf('identity', { undo: named() }));
    const restored = { provider: 'github', subject: named().former };
    expect(await identities().listByUsers([userId])).toEqual([
      { userId, ...restored, createdAt: nowSeconds(site.clock) },
    ]);
  });
  test('is none where there was none, or where another account has it', async () => {
    await bind(named().subject);
    await disavow(await linkOf('identity', { undo: { ...named(), former: '' } }));
    expect(await own()).toEqual([]);
    site.clock.move(1);
    const id = await other();
    await bind(named().former, id);
    await bind(named().subject);
    await disavow(await linkOf('identity', { undo: named() }));
    expect(await own()).toEqual([]);
    expect(await identities().findUserId('github', named().former)).toBe(id);
  });
  test('stays where it was replaced since, and after it was removed', async () => {
    await bind(`own ${serial}`);
    await disavow(await linkOf('identity', { undo: named() }));
    expect(await own()).toEqual([`own ${serial}`]);
    site.clock.move(1);
    const undo = { ...named(), subject: `own ${serial}` };
    await disavow(await linkOf('identity', { removed: true, undo }));
    expect(await own()).toEqual([`own ${serial}`]);
  });
});

describe('second factors', () => {
  const addTotp = async () => {
    await factors().putTotp(userId, new Secret('secret'), 1);
    const totp = await factors().findTotp(userId);
    if (totp !== null) await factors().confirmTotp(totp, 1, 1);
  };
  const addPasskey = (credentialId: string, id = userId) =>
    factors().insertPasskey({
      userId: id,
      credentialId,
      publicKey: 'key',
      counter: 0,
      transports: '',
      rpId: 'gate.example',
      name: '',
      backedUp: false,
      createdAt: 1,
    });
  const addCodes = () => factors().putRecoveryCodes(userId, ['1', '2']);
  const left = async () => ({
    totp: (await factors().findTotp(userId)) !== null,
    passkeys: (await factors().passkeys(userId)).map(({ credentialId }) => credentialId),
    codes: await factors().countRecoveryCodes(userId),
  });
  const credential = (name: string) => `${name}-${serial}`;

  test('an app goes, and the codes with the last factor', async () => {
    await addTotp();
    await addPasskey(credential('own'));
    await addCodes();
    await disavow(await linkOf('totp'));
    expect(await left()).toEqual({ totp: false, passkeys: [credential('own')], codes: 2 });
    site.clock.move(1);
    const undo = { credentialId: credential('own') };
    await disavow(await linkOf('passkey', { undo }));
    expect(await left()).toEqual({ totp: false, passkeys: [], codes: 0 });
  });
  test('a passkey goes alone; that of another account stays', async () => {
    const id = await other();
    await addTotp();
    await addPasskey(credential('own'));
    await addPasskey(credential('thief'));
    await addPasskey(credential('foreign'), id);
    await addCodes();
    await disavow(await linkOf('passkey', { undo: { credentialId: credential('thief') } }));
    expect(await left()).toEqual({ totp: true, passkeys: [credential('own')], codes: 2 });
    for (const credentialId of [credential('foreign'), credential('none')]) {
      site.clock.move(1);
      await disavow(await linkOf('passkey', { undo: { credentialId } }));
    }
    expect(await left()).toMatchObject({ totp: true, codes: 2 });
    expect(await factors().passkeys(id)).toHaveLength(1);
  });
  test('new recovery codes go, the factors stay', async () => {
    await addTotp();
    await addCodes();
    await disavow(await linkOf('recovery_codes'));
    expect(await left()).toEqual({ totp: true, passkeys: [], codes: 0 });
  });
  const others: [WayIn, boolean][] = [
    ['totp', true],
    ['identity', false],
  ];
  test.each(others)('stay after a change of %s (removed: %s)', async (way, removed) => {
    await addTotp();
    await addCodes();
    await disavow(await linkOf(way, { removed }));
    expect(await left()).toEqual({ totp: true, passkeys: [], codes: 2 });
  });
  test('recovery codes stay without a factor after a change of the password', async () => {
    await addCodes();
    await disavow(await linkOf('password'));
    expect(await left()).toMatchObject({ codes: 2 });
  });
});
