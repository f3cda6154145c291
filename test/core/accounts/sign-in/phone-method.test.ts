/** Sign-ins by a code sent to a phone: whose number it is, and how an unknown one registers. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { NewAccount } from '../../../../src/core/accounts/create-account.ts';
import {
  createPhoneMethod,
  type PhoneMethodDeps,
} from '../../../../src/core/accounts/sign-in/phone-method.ts';
import { nowSeconds } from '../../../../src/core/kernel/clock.ts';
import { AppError } from '../../../../src/core/kernel/errors.ts';
import type { User } from '../../../../src/core/storage/storage.ts';
import { codeOf, createLastingApp, type TestApp } from '../../../support/app.ts';

let site: TestApp;
let serial = 0;
let userId: number;
let phone: string;
let options: Record<string, boolean>;
let checks: unknown[][];
/** How often the code was used up. */
let consumed: number;
let accounts: NewAccount[];
let tokens: unknown[][];
let created: number;
beforeAll(async () => {
  site = await createLastingApp();
});
afterAll(() => site.app.close());
beforeEach(async () => {
  serial += 1;
  userId = await site.addUser(`user${serial}`);
  phone = `+491510000${1000 + serial}`;
  options = { PhoneLoginEnabled: true, RegisterEnabled: true, SelfUseModeEnabled: false };
  checks = [];
  consumed = 0;
  accounts = [];
  tokens = [];
  created = userId;
});
const get = ((key: string) => options[key]) as PhoneMethodDeps['options']['get'];
const open = () =>
  createPhoneMethod({
    storage: site.app.storage,
    options: { get },
    codes: {
      check: async (...check: unknown[]) => {
        checks.push(check);
        if (check[2] === 'wrong') throw new AppError('verification_code_invalid');
        const consume = async () => {
          consumed += 1;
        };
        return { payload: '', consume };
      },
    } as unknown as PhoneMethodDeps['codes'],
    phoneCodes: {
      readNumber: (text: string) => `+49${text}`,
    } as unknown as PhoneMethodDeps['phoneCodes'],
    createAccount: async (account) => {
      accounts.push(account);
      await site.app.storage.transaction(async (inside) => account.alongside?.(inside));
      return created;
    },
    createFirstToken: async (...token) => void tokens.push(token),
    clock: site.clock,
    ids: site.app.ids,
  });
const complete = (input: Record<string, string> = {}) =>
  open().complete({ phone: phone.slice(3), code: '123456', ip: '192.0.2.1', ...input });
const bind = () => site.app.storage.users.update(userId, { phone, phoneVerifiedAt: 1 });

test('is on as its option says, and open to whoever has a number', () => {
  const method = open();
  expect(method.id).toBe('phone');
  expect(method.isEnabled({ get })).toBe(true);
  options = { PhoneLoginEnabled: false };
  expect(method.isEnabled({ get })).toBe(false);
  expect(method.isOpenTo({ phone } as User, {})).toBe(true);
  expect(method.isOpenTo({ phone: '' } as User, {})).toBe(false);
  expect(method.isOpenTo({ phone: null } as User, {})).toBe(false);
});

test('the owner of a number signs in, and the code is used up', async () => {
  await bind();
  expect(await complete({ device: 'device' })).toMatchObject({ user: { id: userId } });
  const from = { ip: '192.0.2.1', device: 'device', userId };
  expect(checks).toEqual([['phone', phone, '123456', from]]);
  expect([consumed, accounts]).toEqual([1, []]);
  options = { RegisterEnabled: false };
  expect(await complete()).toMatchObject({ user: { id: userId } });
});

test('a wrong code signs nobody in', async () => {
  await bind();
  expect(await codeOf(complete({ code: 'wrong' }))).toBe('verification_code_invalid');
  expect(consumed).toBe(0);
});

test('without a number or a code there is nothing to sign in by', async () => {
  options = { RegisterEnabled: false };
  expect(await codeOf(open().complete({}))).toBe('registration_disabled');
  const from = { ip: '', device: '', userId: undefined };
  expect(checks).toEqual([['phone', '+49', '', from]]);
});

test('an unknown number registers, with the code used up in the same transaction', async () => {
  expect(await complete({ affCode: 'aff' })).toMatchObject({ user: { id: userId } });
  expect(accounts).toEqual([
    {
      username: expect.stringMatching(/^phone_/),
      passwordHash: expect.objectContaining({ isEmpty: true }),
      displayName: expect.anything(),
      role: 1,
      group: 'default',
      nickname: `user${phone.slice(-4)}`,
      phone,
      phoneVerifiedAt: nowSeconds(site.clock),
      affCode: 'aff',
      alongside: expect.any(Function),
    },
  ]);
  expect(tokens).toEqual([[userId, accounts[0]?.username]]);
  expect(consumed).toBe(1);
  await complete();
  expect(accounts[1]?.affCode).toBe('');
});

test.each<Record<string, boolean>>([{ RegisterEnabled: false }, { SelfUseModeEnabled: true }])(
  'it does not with %j; the code is used up all the same',
  async (change) => {
    options = { ...options, ...change };
    expect(await codeOf(complete())).toBe('registration_disabled');
    expect([consumed, accounts]).toEqual([1, []]);
  },
);
