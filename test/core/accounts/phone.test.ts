/**
 * Codes by text message: login, registration, binding, the second step, and how often codes are
 * sent.
 */
import { describe, expect, test } from 'vitest';
import { maskPhone, toE164 } from '../../../src/core/kernel/phone-number.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { codeOf, createTestApp, testPassword } from '../../support/app.ts';
import { type SmsProvider, smsKeys, startSmsProvider } from '../../support/sms-provider.ts';

const number = '13800000000';
const stored = '+8613800000000';
const minute = 60_001;
const hour = 60 * minute;

async function setUp(options: Record<string, string | number | boolean> = {}) {
  const site = await createTestApp();
  const provider: SmsProvider = await startSmsProvider('webhook');
  const set = async (values: Record<string, string | number | boolean>) => {
    await site.operator.option.setMany({
      values: Object.entries(values).map(([key, value]) => ({ key, value })),
    });
  };
  await set({
    'sms.webhook_url': provider.url,
    'sms.webhook_secret': smsKeys.secret,
    'sms.provider': 'webhook',
    ...options,
  });
  const { phone } = site.app.accounts;
  const visitor = (ip = '192.0.2.7') => ({ isUser: false, ip });
  /** The code that the phone gets. */
  const codeFor = async (text = number) => {
    site.clock.move(minute);
    await phone.sendCode(text, visitor());
    return provider.lastCode();
  };
  const signIn = (text: string, code: string, affCode = '') =>
    site.app.accounts.signIn('phone', { phone: text, code, affCode });
  const wrong = (code: string) => (code === '000000' ? '000001' : '000000');
  return { ...site, provider, set, phone, visitor, codeFor, signIn, wrong };
}

describe('numbers', () => {
  test.each([
    ['13800000000', stored],
    ['138 0000-0000', stored],
    ['86 13800000000', stored],
    ['+86 138 0000 0000', stored],
    ['0086 13800000000', stored],
    ['１３８００００００００', stored],
    ['+852 9123 4567', '+85291234567'],
    ['0044 7700 900123', '+447700900123'],
    ['12800000000', undefined],
    ['1380000000', undefined],
    ['+86 12345678901', undefined],
    ['+86 021 12345678', undefined],
    ['7700900123', undefined],
    ['+123456', undefined],
    ['+1234567890123456', undefined],
    ['+0123456789', undefined],
    ['1380000000a', undefined],
    ['', undefined],
  ])('%s is %s', (text, expected) => {
    expect(toE164(text)).toBe(expected);
  });

  test('replies show them without their middle', () => {
    expect(maskPhone(stored)).toBe('+86138****0000');
    expect(maskPhone('')).toBe('');
  });

  test('only those with an allowed country code get codes', async () => {
    const { phone, visitor, set, provider } = await setUp();
    const send = (text: string) => codeOf(phone.sendCode(text, visitor()));
    expect(await send('+85291234567')).toBe('phone_invalid');
    expect(await send('no number')).toBe('phone_invalid');
    await set({ 'sms.allowed_prefixes': '+852' });
    expect(await send('+85291234567')).toBe('it did not fail');
    expect(await send(number)).toBe('phone_invalid');
    expect(provider.messages.map(({ phone: to }) => to)).toEqual(['+85291234567']);
  });
});

describe('how often codes are sent', () => {
  test('one a minute, five an hour, ten a day to a number', async () => {
    const { phone, visitor, clock, provider } = await setUp();
    const send = (ip?: string) => codeOf(phone.sendCode(number, visitor(ip)));
    expect(await send()).toBe('it did not fail');
    expect(await send('192.0.2.8')).toBe('sms_too_soon');
    for (let sent = 1; sent < 5; sent += 1) {
      clock.move(minute);
      expect(await send(`192.0.2.${sent}`)).toBe('it did not fail');
    }
    clock.move(minute);
    expect(await send()).toBe('sms_limit');
    clock.move(hour);
    for (let sent = 5; sent < 10; sent += 1) {
      clock.move(minute);
      expect(await send()).toBe('it did not fail');
    }
    clock.move(2 * hour);
    await expect(phone.sendCode(number, visitor())).rejects.toMatchObject({
      code: 'sms_limit',
      params: { seconds: expect.any(Number) },
    });
    clock.move(22 * hour);
    expect(await send()).toBe('it did not fail');
    expect(provider.messages).toHaveLength(11);
  });

  test('twenty an hour from an address; who is refused uses up nothing of the number', async () => {
    const { phone, visitor, clock, provider } = await setUp();
    const numberOf = (index: number) => `139${String(index).padStart(8, '0')}`;
    for (let index = 0; index < 20; index += 1) await phone.sendCode(numberOf(index), visitor());
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect(await codeOf(phone.sendCode(number, visitor()))).toBe('sms_limit');
    }
    expect(await codeOf(phone.sendCode(number, visitor('192.0.2.8')))).toBe('it did not fail');
    clock.move(hour);
    expect(await codeOf(phone.sendCode(number, visitor()))).toBe('it did not fail');
    expect(provider.messages).toHaveLength(22);
  });

  test('the daily cap of the site; 0 sends none', async () => {
    const { phone, visitor, set, clock } = await setUp({ 'sms.daily_cap': 2 });
    const send = (text: string) => codeOf(phone.sendCode(text, visitor()));
    expect(await send('13900000001')).toBe('it did not fail');
    expect(await send('13900000002')).toBe('it did not fail');
    expect(await send('13900000003')).toBe('sms_limit');
    clock.move(24 * hour);
    expect(await send('13900000003')).toBe('it did not fail');
    await set({ 'sms.daily_cap': 0 });
    expect(await send('13900000004')).toBe('sms_limit');
  });

  test('of parallel requests for one number one gets a code', async () => {
    const { phone, visitor, provider } = await setUp();
    const results = await Promise.all(
      Array.from({ length: 10 }, () => codeOf(phone.sendCode(number, visitor()))),
    );
    expect(results.filter((code) => code === 'it did not fail')).toHaveLength(1);
    expect(provider.messages).toHaveLength(1);
  });

  test('after a failure of the provider the number may try again at once', async () => {
    const { phone, visitor, provider } = await setUp();
    provider.misbehave({ refuse: 'down' });
    expect(await codeOf(phone.sendCode(number, visitor()))).toBe('sms_failed');
    provider.misbehave(undefined);
    expect(await codeOf(phone.sendCode(number, visitor()))).toBe('it did not fail');
  });
});

describe('login by phone', () => {
  test('an unknown number registers like everybody, with invite and gifts', async () => {
    const { signIn, codeFor, operator, app, set } = await setUp({
      QuotaForNewUser: 100,
      QuotaForInvitee: 20,
      QuotaForInviter: 5,
    });
    const affCode = await operator.self.inviteCode();
    const user = await signIn('138 0000 0000', await codeFor(), affCode);
    expect(user).toMatchObject({
      username: 'phone_2',
      displayName: 'phone_2',
      nickname: 'user0000',
      phone: stored,
      role: 1,
      inviterId: 1,
    });
    expect(user.phoneVerifiedAt).toBeGreaterThan(0);
    expect((await app.accounts.own.get(user.id)).quota).toBe(120);
    expect(await operator.self.get()).toMatchObject({ aff_count: 1, aff_quota: 5 });
    expect(await operator.user.get({ id: user.id })).toMatchObject({ phone: '+86138****0000' });
    expect(
      await codeOf(
        app.accounts.signIn('password', { username: 'phone_2', password: testPassword }),
      ),
    ).toBe('wrong_credentials');
    await set({ RegisterEnabled: false });
    expect((await signIn(stored, await codeFor())).id).toBe(user.id);
  });

  test('a taken name is followed by letters', async () => {
    const { signIn, codeFor, addUser } = await setUp();
    await addUser('phone_3');
    expect((await signIn(number, await codeFor())).username).toMatch(/^phone_3[A-Za-z0-9]{4}$/);
  });

  test('a code is good once, for its number, for five minutes and five tries', async () => {
    const { signIn, codeFor, clock, wrong } = await setUp();
    const refused = async (text: string, code: string) =>
      expect(await codeOf(signIn(text, code))).toBe('verification_code_invalid');
    const code = await codeFor();
    await refused('13900000001', code);
    await refused(number, '');
    await signIn(number, code);
    await refused(number, code);
    const late = await codeFor();
    clock.move(5 * 60_000);
    await refused(number, late);
    const guessed = await codeFor();
    await Promise.all(Array.from({ length: 5 }, () => refused(number, wrong(guessed))));
    await refused(number, guessed);
    const replaced = await codeFor();
    clock.move(hour);
    const last = await codeFor();
    if (replaced !== last) await refused(number, replaced);
    await signIn(number, last);
  });

  test('of parallel logins with one code one succeeds, and one account is made', async () => {
    const { signIn, codeFor, operator } = await setUp();
    const code = await codeFor();
    const results = await Promise.all(
      Array.from({ length: 5 }, () => codeOf(signIn(number, code))),
    );
    expect(results.filter((result) => result === 'it did not fail')).toHaveLength(1);
    expect((await operator.user.list()).total).toBe(2);
  });

  test.each([
    ['RegisterEnabled', false],
    ['SelfUseModeEnabled', true],
  ])(
    'while %s is %s, only who holds the phone learns that it has no account',
    async (key, value) => {
      const { signIn, codeFor, set, wrong, operator } = await setUp();
      await set({ [key]: value });
      const code = await codeFor();
      expect(await codeOf(signIn(number, wrong(code)))).toBe('verification_code_invalid');
      expect(await codeOf(signIn(number, code))).toBe('registration_disabled');
      expect(await codeOf(signIn(number, code))).toBe('verification_code_invalid');
      expect((await operator.user.list()).total).toBe(1);
    },
  );

  test('banned and deactivated users stay outside, and cannot register again', async () => {
    const { signIn, codeFor, operator, clock } = await setUp();
    const { id } = await signIn(number, await codeFor());
    await operator.user.manage({ id, action: 'disable' });
    expect(await codeOf(signIn(number, await codeFor()))).toBe('wrong_credentials');
    await operator.user.manage({ id, action: 'enable' });
    await operator.user.manage({ id, action: 'delete' });
    clock.move(hour);
    expect(await codeOf(signIn(number, await codeFor()))).toBe('wrong_credentials');
    expect((await operator.user.list()).total).toBe(2);
  });

  test('is off with its option, for visitors and logins alike', async () => {
    const { signIn, codeFor, set, phone, visitor } = await setUp();
    const code = await codeFor();
    await set({ PhoneLoginEnabled: false });
    expect(await codeOf(phone.sendCode('13900000001', visitor()))).toBe('phone_login_disabled');
    expect(await codeOf(signIn(number, code))).toBe('phone_login_disabled');
    expect(await codeOf(phone.sendCode('13900000001', { ...visitor(), isUser: true }))).toBe(
      'phone_login_disabled',
    );
    await set({ PhoneSecondFactorEnabled: true });
    expect(await codeOf(phone.sendCode('13900000001', { ...visitor(), isUser: true }))).toBe(
      'it did not fail',
    );
  });
});

describe('binding a phone', () => {
  test('by its code; a new number replaces the old one, and both are audited', async () => {
    const { codeFor, addUser, as, app, operator, signIn } = await setUp();
    const id = await addUser('ann');
    const ann = await as(id);
    expect(await codeOf(ann.phone.bind({ phone: number, code: '000000' }))).toBe(
      'verification_code_invalid',
    );
    const code = await codeFor();
    await ann.phone.bind({ phone: number, code });
    expect(await codeOf(ann.phone.bind({ phone: number, code }))).toBe('verification_code_invalid');
    expect((await signIn(number, await codeFor())).id).toBe(id);
    await ann.phone.bind({ phone: '13900000001', code: await codeFor('13900000001') });
    expect((await app.accounts.own.get(id)).phone).toBe('+8613900000001');
    await ann.phone.unbind();
    expect((await app.accounts.own.get(id)).phone).toBeNull();
    expect(await codeOf(ann.phone.unbind())).toBe('phone_not_bound');
    const { items } = await operator.audit.list();
    expect(items.filter(({ actor_id }) => actor_id === id).map(({ action }) => action)).toEqual([
      'user.phone_unbind',
      'user.phone_bind',
      'user.phone_bind',
    ]);
  });

  test('a number of another account is refused, also of a deactivated one, and the code stays good', async () => {
    const { codeFor, addUser, as, app, operator } = await setUp();
    const bob = await addUser('bob');
    await app.storage.users.update(bob, { phone: stored });
    await operator.user.manage({ id: bob, action: 'delete' });
    const ann = await as(await addUser('ann'));
    const code = await codeFor();
    expect(await codeOf(ann.phone.bind({ phone: number, code }))).toBe('phone_taken');
    await app.storage.users.update(bob, { phone: null });
    expect(await codeOf(ann.phone.bind({ phone: number, code }))).toBe('it did not fail');
  });

  test('the last way to log in cannot be removed', async () => {
    const { codeFor, signIn, as, app, set, addUser } = await setUp();
    const { id } = await signIn(number, await codeFor());
    const user = await as(id);
    expect(await codeOf(user.phone.unbind())).toBe('last_sign_in_method');
    await app.storage.userIdentities.insert({
      userId: id,
      provider: 'github',
      subject: '7',
      createdAt: 1,
    });
    expect(await codeOf(user.phone.unbind())).toBe('last_sign_in_method');
    await set({ GitHubClientId: 'id', GitHubClientSecret: 'secret' });
    await set({ GitHubOAuthEnabled: true });
    expect(await codeOf(user.phone.unbind())).toBe('it did not fail');
    const bob = await addUser('bob');
    await app.storage.users.update(bob, { phone: stored });
    await set({ PasswordLoginEnabled: false });
    expect(await codeOf((await as(bob)).phone.unbind())).toBe('last_sign_in_method');
    await set({ PasswordLoginEnabled: true });
    await app.storage.users.update(bob, { passwordHash: new Secret('') });
    expect(await codeOf((await as(bob)).phone.unbind())).toBe('last_sign_in_method');
  });
});

describe('the second step of a login', () => {
  const ip = '192.0.2.7';
  async function withAnn() {
    const site = await setUp({ PhoneSecondFactorEnabled: true });
    const id = await site.addUser('ann');
    await site.app.storage.users.update(id, { phone: stored });
    const { secondStep } = site.phone;
    const begin = async () => secondStep.begin(await site.app.accounts.own.get(id), ip);
    const codeOfStep = async (checkCode: string) => {
      site.clock.move(minute);
      await secondStep.sendCode(checkCode, ip);
      return site.provider.lastCode();
    };
    const finish = (checkCode: string, code: string, more: Record<string, string> = {}) =>
      site.app.accounts.signIn('second-step', { checkCode, code, ip, ...more });
    return { ...site, id, secondStep, begin, codeOfStep, finish };
  }

  test('is due for accounts with a phone while the option is on', async () => {
    const { secondStep, app, id, set } = await withAnn();
    const ann = await app.accounts.own.get(id);
    expect(await secondStep.isDue(ann)).toBe(true);
    expect(await secondStep.isDue(await app.accounts.own.get(1))).toBe(false);
    await set({ PhoneSecondFactorEnabled: false });
    expect(await secondStep.isDue(ann)).toBe(false);
  });

  test('sends a code to the own phone and takes it once, from the same address', async () => {
    const { id, begin, codeOfStep, finish, secondStep, provider, wrong } = await withAnn();
    const { checkCode, phone } = await begin();
    expect(phone).toBe('+86138****0000');
    expect(await codeOf(secondStep.sendCode(checkCode, '192.0.2.8'))).toBe('check_code_invalid');
    const code = await codeOfStep(checkCode);
    expect(provider.messages.at(-1)?.phone).toBe(stored);
    expect(await codeOf(finish(checkCode, code, { ip: '192.0.2.8' }))).toBe('check_code_invalid');
    expect(await codeOf(finish('nonsense', code))).toBe('check_code_invalid');
    expect(await codeOf(finish(checkCode, code, { phone: '13900000001' }))).toBe(
      'verification_code_invalid',
    );
    expect(await codeOf(finish(checkCode, wrong(code)))).toBe('verification_code_invalid');
    expect((await finish(checkCode, code, { phone: number })).id).toBe(id);
    expect(await codeOf(finish(checkCode, code))).toBe('check_code_invalid');
  });

  test('a code for a login by phone does not complete it, nor the other way round', async () => {
    const { begin, codeOfStep, finish, codeFor, signIn } = await withAnn();
    const { checkCode } = await begin();
    const loginCode = await codeFor();
    expect(await codeOf(finish(checkCode, loginCode))).toBe('verification_code_invalid');
    const stepCode = await codeOfStep(checkCode);
    if (stepCode !== loginCode)
      expect(await codeOf(signIn(number, stepCode))).toBe('verification_code_invalid');
  });

  test('ends after five minutes, with a new phone or password, and when the user is banned', async () => {
    const { begin, codeOfStep, finish, clock, app, id, operator } = await withAnn();
    const late = await begin();
    clock.move(5 * 60_000);
    expect(await codeOf(finish(late.checkCode, '000000'))).toBe('check_code_invalid');
    const moved = await begin();
    const code = await codeOfStep(moved.checkCode);
    await app.storage.users.update(id, { phone: '+8613900000001' });
    expect(await codeOf(finish(moved.checkCode, code))).toBe('check_code_invalid');
    const changed = await begin();
    const one = await codeOfStep(changed.checkCode);
    await app.storage.users.update(id, { passwordHash: new Secret('another') });
    expect(await codeOf(finish(changed.checkCode, one))).toBe('check_code_invalid');
    const banned = await begin();
    const last = await codeOfStep(banned.checkCode);
    await operator.user.manage({ id, action: 'disable' });
    expect(await codeOf(finish(banned.checkCode, last))).toBe('wrong_credentials');
  });
});
