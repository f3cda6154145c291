/** A new password by a mailed link: to whom the link goes, and for whom it is good. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyPassword } from '../../../src/core/accounts/password.ts';
import {
  createPasswordReset,
  type PasswordResetDeps,
} from '../../../src/core/accounts/password-reset.ts';
import { createVerificationCodes } from '../../../src/core/accounts/verification-codes.ts';
import { createMemoryCluster } from '../../../src/core/cluster/memory-cluster.ts';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { codeOf, createLastingApp, type TestApp } from '../../support/app.ts';

let site: TestApp;
let serial = 0;
let userId: number;
let email: string;
let mails: { to: string; subject: string; html: string }[];
let passed: unknown[];
let logged: unknown[][];
let mailed: () => Promise<void>;
let isConfigured: boolean;
let address: string;
beforeAll(async () => {
  site = await createLastingApp();
});
afterAll(() => site.app.close());
beforeEach(async () => {
  serial += 1;
  userId = await site.addUser(`user${serial}`);
  email = `user${serial}@example.org`;
  await site.app.storage.users.update(userId, { email, emailVerified: true });
  mails = [];
  passed = [];
  logged = [];
  mailed = async () => {};
  isConfigured = true;
  address = 'https://gate.example';
});

function open() {
  const { storage, ids } = site.app;
  const cluster = createMemoryCluster(site.clock);
  const values: Record<string, string> = { ServerAddress: address, SystemName: 'T & co' };
  return createPasswordReset({
    storage,
    ids,
    options: { get: (key: string) => values[key] } as unknown as PasswordResetDeps['options'],
    mailer: {
      checkConfigured: () => {
        if (!isConfigured) throw new AppError('mail_not_configured');
      },
      send: async (to, subject, html) => {
        await mailed();
        mails.push({ to, subject, html });
      },
    },
    codes: createVerificationCodes({
      storage,
      cluster,
      clock: site.clock,
      guard: { begin: async () => ({ succeed: async () => {} }) },
    }),
    gate: {
      enter: async (caller: unknown, way: unknown) => {
        passed.push({ caller, way });
        return {};
      },
      change: async (_: unknown, { apply, ...change }: { apply: (inside: unknown) => unknown }) => {
        passed.push(change);
        return storage.transaction(async (inside) => apply(inside));
      },
    } as unknown as PasswordResetDeps['gate'],
    logger: { ...silentLogger, error: (...line: unknown[]) => void logged.push(line) },
  });
}
const tokenIn = () => /token=([\w-]+)/.exec(mails.at(-1)?.html ?? '')?.[1] ?? 'none';
const linked = async () => {
  const reset = open();
  await reset.request(email, 'en');
  await reset.settled();
  return { reset, token: tokenIn() };
};

describe('a link', () => {
  test('is mailed to the verified address of an active account', async () => {
    const reset = open();
    await reset.request(` ${email.toUpperCase()} `, 'en');
    await reset.settled();
    expect(mails).toEqual([
      {
        to: email,
        subject: 'Reset your password for T & co',
        html: expect.stringContaining(
          `https://gate.example/reset?email=${encodeURIComponent(email)}&amp;token=`,
        ),
      },
    ]);
    expect(mails[0]?.html).toContain('10 minutes');
    expect(mails[0]?.html).toContain('T &amp; co');
    expect(tokenIn()).toMatch(/^[\w-]{43}$/);
  });
  test.each([
    ['none has', () => site.app.storage.users.update(userId, { email: `x${email}` })],
    ['one has not verified', () => site.app.storage.users.update(userId, { emailVerified: false })],
    ['a banned one has', () => site.app.storage.users.setStatus(userId, 1, 2)],
    ['a deactivated one had', () => site.app.storage.users.softDelete(userId, 5)],
  ])('is not mailed to an address that %s, nor is it good then', async (_, change) => {
    const { reset, token } = await linked();
    await change();
    expect(await codeOf(reset.confirm(email, token, ''))).toBe('reset_link_invalid');
    site.clock.move(30_000);
    await reset.request(email, 'en');
    await reset.settled();
    expect(mails).toHaveLength(1);
    expect(logged).toEqual([]);
  });
  test('needs a mail server, the address of the site, and half a minute', async () => {
    isConfigured = false;
    expect(await codeOf(open().request(email, 'en'))).toBe('mail_not_configured');
    isConfigured = true;
    expect(await codeOf(open().request('no address', 'en'))).toBe('mail_address_invalid');
    address = '';
    expect(await codeOf(open().request(email, 'en'))).toBe('server_address_missing');
    address = 'https://gate.example';
    const reset = open();
    await reset.request(email, 'en');
    expect(await codeOf(reset.request(email, 'en'))).toBe('mail_too_soon');
    await reset.settled();
    expect(mails).toHaveLength(1);
  });
  test('is mailed in the background; a failure is logged', async () => {
    const sending = Promise.withResolvers<void>();
    const sent = Promise.withResolvers<void>();
    mailed = () => {
      sending.resolve();
      return sent.promise;
    };
    const reset = open();
    await reset.request(email, 'en');
    await sending.promise;
    let isSettled = false;
    const settled = reset.settled().then(() => {
      isSettled = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isSettled).toBe(false);
    const error = new Error('no server');
    sent.reject(error);
    await settled;
    expect(mails).toEqual([]);
    expect(logged).toEqual([[{ error }, 'the mail of a password reset could not be sent']]);
  });
  test('is in the language of the request', async () => {
    const reset = open();
    await reset.request(email, 'zh');
    await reset.settled();
    expect(mails[0]?.subject).toBe('重置 T & co 的密码');
  });
});

describe('a new password', () => {
  test('is made once, after the gate, which ends sessions', async () => {
    const { reset, token } = await linked();
    const before = await site.app.storage.users.find(userId);
    await site.app.storage.users.update(userId, { accessTokenHash: `hash ${serial}` });
    const password = await reset.confirm(` ${email.toUpperCase()}`, token, '192.0.2.9');
    expect(password).toMatch(/^[A-Za-z0-9]{12}$/);
    expect(passed).toEqual([
      {
        caller: {
          actor: {
            id: userId,
            username: before?.username,
            role: 1,
            group: 'default',
            ip: '192.0.2.9',
          },
          proof: 'mailed',
          waysIn: ['password'],
        },
        way: 'password',
      },
      { userId, action: 'user.password_reset' },
    ]);
    const after = await site.app.storage.users.find(userId);
    expect(after?.accessTokenHash).toBeNull();
    expect(await verifyPassword(password, after?.passwordHash.reveal() ?? '')).toMatchObject({
      matches: true,
    });
    expect(await codeOf(reset.confirm(email, token, ''))).toBe('reset_link_invalid');
  });
  test('is not made by the link of another address, nor by one used meanwhile', async () => {
    const { reset, token } = await linked();
    expect(await codeOf(reset.confirm('other@example.org', token, ''))).toBe('reset_link_invalid');
    expect(await codeOf(reset.confirm(email, `${token}x`, ''))).toBe('reset_link_invalid');
    const both = await Promise.all([
      codeOf(reset.confirm(email, token, '')),
      codeOf(reset.confirm(email, token, '')),
    ]);
    expect(both.sort()).toEqual(['it did not fail', 'reset_link_invalid']);
  });
  test('is not made for another account that has the address now', async () => {
    const { reset, token } = await linked();
    await site.app.storage.users.update(userId, { email: '', emailVerified: false });
    const other = await site.addUser(`other${serial}`);
    await site.app.storage.users.update(other, { email, emailVerified: true });
    expect(await codeOf(reset.confirm(email, token, ''))).toBe('reset_link_invalid');
    expect(passed).toEqual([]);
  });
});
