/** Codes for addresses: which addresses get one, what is mailed, and what is checked. */
import { beforeEach, describe, expect, test } from 'vitest';
import {
  createEmailVerification,
  type EmailVerificationDeps,
  readAddress,
} from '../../../src/core/accounts/email-verification.ts';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { codeOf } from '../../support/app.ts';

let options: Record<string, unknown>;
let known: string[];
let calls: unknown[][];
let isConfigured: boolean;
let failure: Error | undefined;
beforeEach(() => {
  options = {
    SystemName: 'T & co',
    EmailDomainRestrictionEnabled: false,
    EmailAliasRestrictionEnabled: false,
    EmailDomainWhitelist: ['example.org'],
  };
  known = [];
  calls = [];
  isConfigured = true;
  failure = undefined;
});
const note =
  (name: string) =>
  async (...call: unknown[]) =>
    void calls.push([name, ...call]);
const open = () =>
  createEmailVerification({
    storage: {
      users: {
        findByVerifiedEmail: async (address: string) => (known.includes(address) ? {} : null),
      },
    } as unknown as EmailVerificationDeps['storage'],
    options: { get: (key: string) => options[key] } as unknown as EmailVerificationDeps['options'],
    mailer: {
      checkConfigured: () => {
        if (!isConfigured) throw new AppError('mail_not_configured');
      },
      send: async (...mail) => {
        calls.push(['send', ...mail]);
        if (failure !== undefined) throw failure;
      },
    },
    codes: {
      countMail: note('count'),
      uncountMail: note('uncount'),
      store: note('store'),
      check: async (...call) => {
        calls.push(['check', ...call]);
        return { payload: 'p', consume: async () => {} };
      },
    },
    ids: { hex: () => '00000001e240' } as unknown as EmailVerificationDeps['ids'],
  });
const send = (email: string) => open().sendCode(email, 'en');

test('an address is compared without blanks and in lower case', () => {
  expect(readAddress(' Ann@Example.org ')).toBe('ann@example.org');
  expect(() => readAddress('ann')).toThrow(
    expect.objectContaining({ code: 'mail_address_invalid' }),
  );
});

describe('a code', () => {
  test('is counted, stored and mailed', async () => {
    await send(' Ann@Example.org ');
    expect(calls).toEqual([
      ['count', 'email', 'ann@example.org'],
      ['store', 'email', 'ann@example.org', '123456'],
      [
        'send',
        'ann@example.org',
        'Your verification code for T & co',
        expect.stringContaining('123456'),
      ],
    ]);
    expect(calls[2]?.[3]).toContain('10 minutes');
    expect(calls[2]?.[3]).toContain('T &amp; co');
  });
  test('is stored and not mailed where the address has an account', async () => {
    known = ['ann@example.org'];
    await send('ann@example.org');
    expect(calls.map(([name]) => name)).toEqual(['count', 'store', 'send']);
    expect(calls[2]?.[2]).toBe('You already have an account at T & co');
    expect(calls[2]?.[3]).not.toContain('123456');
  });
  test('that could not be mailed does not count', async () => {
    failure = new Error('no server');
    await expect(send('ann@example.org')).rejects.toBe(failure);
    expect(calls.at(-1)).toEqual(['uncount', 'email', 'ann@example.org']);
  });
  test('is not made without a mail server', async () => {
    isConfigured = false;
    expect(await codeOf(send('ann@example.org'))).toBe('mail_not_configured');
    expect(calls).toEqual([]);
  });
});

describe('addresses that are not allowed', () => {
  const check = (email: string) => open().check(email, '123456', { ip: '' });
  const refused = async (email: string, code: string) => {
    for (const call of [send, check])
      await expect(call(email)).rejects.toMatchObject({ code, params: { field: 'email' } });
  };
  test('by their domain', async () => {
    await send('ann@other.example');
    options['EmailDomainRestrictionEnabled'] = true;
    await refused('ann@other.example', 'email_domain_forbidden');
    await refused('ann@sub.example.org', 'email_domain_forbidden');
    await send('ann+b@EXAMPLE.org');
  });
  test('by an alias', async () => {
    options['EmailAliasRestrictionEnabled'] = true;
    await refused('ann+b@example.org', 'email_alias_forbidden');
    await refused('an.n@example.org', 'email_alias_forbidden');
    await send('ann@sub.example.org');
  });
});

test('a code is checked for its address and origin', async () => {
  const from = { ip: '192.0.2.1', userId: 7 };
  const checked = await open().check(' Ann@Example.org ', ' 123456 ', from);
  expect(checked).toEqual({
    address: 'ann@example.org',
    payload: 'p',
    consume: expect.any(Function),
  });
  expect(calls).toEqual([['check', 'email', 'ann@example.org', ' 123456 ', from]]);
});

test.each([
  ['', '', 'email'],
  ['  ', '1', 'email'],
  ['ann@example.org', '', 'verification_code'],
  ['ann@example.org', '  ', 'verification_code'],
])('address "%s" and code "%s": %s is missing', async (email, code, field) => {
  await expect(open().check(email, code, { ip: '' })).rejects.toMatchObject({
    code: 'email_and_code_required',
    params: { field },
  });
  expect(calls).toEqual([]);
});
