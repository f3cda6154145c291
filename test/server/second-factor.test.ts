// Covers src/core/accounts/factors.
/**
 * Second factors over HTTP: setup, second step, recovery, replays, races, confirmation
 * (docs/rules/accounts.md#second-factor).
 */
import { describe, expect, test } from 'vitest';
import { fromBase32, totpCode } from '../../src/core/accounts/factors/totp.ts';
import { openEnvelope } from '../../src/core/contract/envelope.ts';
import { api } from '../../src/core/contract/index.ts';
import { AppError } from '../../src/core/kernel/errors.ts';
import { Secret } from '../../src/core/kernel/secret.ts';
import { failureReply } from '../../src/server/call.ts';
import { testPassword } from '../support/app.ts';
import { createSoftwarePasskey, type SoftwarePasskey } from '../support/software-passkey.ts';
import { startTestServer, type TestServer } from './http.ts';

const site = 'https://gw.example';
const own = '/api/turnpike/self/second-factor';
const step = '/api/turnpike/sign-in/second-factor';

interface Challenge {
  readonly challenge: string;
  readonly methods: readonly string[];
}

async function start() {
  const server = await startTestServer({ TRUSTED_PROXIES: 'private' });
  const id = await server.addUser('ann');
  return { ...server, id, ...helpersOf(server) };
}

function helpersOf({ send, clock }: TestServer) {
  const codeAt = (secret: string, offset = 0) =>
    totpCode(fromBase32(secret), Math.floor(clock.now() / 30_000) + offset);
  const login = (username = 'ann', headers: Record<string, string> = {}) =>
    send('POST', '/api/user/login', { body: { username, password: testPassword }, headers });
  const challengeOf = async (username = 'ann') => (await login(username)).json.data as Challenge;
  /** Sets up the app and returns its secret with the recovery codes. */
  const setUpTotp = async (headers: Record<string, string>) => {
    const begun = await send('POST', `${own}/totp`, { headers });
    const { secret } = begun.json.data as { secret: string };
    const confirmed = await send('POST', `${own}/totp/confirm`, {
      headers,
      body: { code: codeAt(secret) },
    });
    expect(confirmed.json).toMatchObject({ success: true });
    return { secret, codes: (confirmed.json.data as { recovery_codes: string[] }).recovery_codes };
  };
  const setUpPasskey = async (headers: Record<string, string>, name = 'laptop') => {
    const passkey = createSoftwarePasskey();
    const options = (await send('POST', `${own}/passkey/options`, { headers })).json.data as Record<
      string,
      unknown
    >;
    const body = { passkey: passkey.register(options, site), name };
    const added = await send('POST', `${own}/passkey`, { headers, body });
    return { passkey, added, body };
  };
  const finish = async (
    challenge: string,
    proof: Record<string, unknown>,
    headers: Record<string, string> = {},
  ) => send('POST', step, { body: { challenge, ...proof }, headers });
  const answer = async (
    path: string,
    passkey: SoftwarePasskey,
    body: unknown,
    headers = {},
    flags = {},
  ) =>
    passkey.answer(
      (await send('POST', path, { body, headers })).json.data as Record<string, unknown>,
      site,
      flags,
    );
  return { codeAt, login, challengeOf, setUpTotp, setUpPasskey, finish, answer };
}

describe('the authenticator app', () => {
  test('is a second step of the login once its first code was right', async () => {
    const { send, signIn, codeAt, login, setUpTotp, finish, clock } = await start();
    const headers = await signIn('ann');
    const begun = await send('POST', `${own}/totp`, { headers });
    expect(begun.json.data).toMatchObject({ uri: expect.stringContaining('otpauth://totp/') });
    expect(
      (await send('POST', `${own}/totp/confirm`, { headers, body: { code: '000000' } })).json.code,
    ).toBe('second_factor_invalid');
    expect((await login()).json.success).toBe(true);

    const { secret, codes } = await setUpTotp(headers);
    expect(codes).toHaveLength(10);
    expect(new Set(codes).size).toBe(10);
    const first = await login();
    expect([first.status, first.json]).toMatchObject([
      200,
      { success: false, code: 'second_factor_required' },
    ]);
    expect(first.headers.get('set-cookie')).toBeNull();
    const { challenge, methods } = first.json.data as Challenge;
    expect(methods).toEqual(['totp', 'recovery']);
    expect((await finish(challenge, { code: '000000' })).json.code).toBe('second_factor_invalid');

    clock.move(30_000);
    const done = await finish(challenge, { code: codeAt(secret) });
    expect(done.json).toMatchObject({ success: true, data: { username: 'ann' } });
    expect(done.headers.get('set-cookie')).toMatch(/^session=[\w-]{43}; .*HttpOnly/);
    // One sign-in for one challenge.
    clock.move(30_000);
    expect((await finish(challenge, { code: codeAt(secret) })).json.code).toBe('sign_in_expired');
    expect((await send('POST', `${own}/totp`, { headers })).json.code).toBe('conflict');
  });

  test('a code counts once: neither the one of the setup, nor of another challenge, nor of two at once', async () => {
    const { signIn, codeAt, challengeOf, setUpTotp, finish, clock } = await start();
    const { secret } = await setUpTotp(await signIn('ann'));
    const [a, b, c] = [await challengeOf(), await challengeOf(), await challengeOf()];
    expect((await finish(a.challenge, { code: codeAt(secret) })).json.code).toBe(
      'second_factor_used',
    );
    clock.move(60_000);
    const both = await Promise.all(
      [a, b, c].map(({ challenge }) => finish(challenge, { code: codeAt(secret) })),
    );
    expect(both.map(({ json }) => json.code ?? 'in').sort()).toEqual([
      'in',
      'second_factor_used',
      'second_factor_used',
    ]);
    // An older code than the last one is used up with it.
    expect(
      (await finish((await challengeOf()).challenge, { code: codeAt(secret, -1) })).json.code,
    ).toBe('second_factor_used');
  });

  test('a challenge belongs to the address, ends after five minutes and with the password', async () => {
    const { send, signIn, codeAt, challengeOf, login, setUpTotp, finish, clock, operator, id } =
      await start();
    const { secret } = await setUpTotp(await signIn('ann'));
    clock.move(60_000);
    const { challenge } = await challengeOf();
    const elsewhere = { 'x-forwarded-for': '203.0.113.7' };
    expect((await finish(challenge, { code: codeAt(secret) }, elsewhere)).json.code).toBe(
      'sign_in_expired',
    );
    clock.move(301_000);
    expect((await finish(challenge, { code: codeAt(secret) })).json.code).toBe('sign_in_expired');
    expect((await finish('x'.repeat(43), { code: codeAt(secret) })).json.code).toBe(
      'sign_in_expired',
    );

    const old = await challengeOf();
    await operator.user.update({ id, password: 'another long password' });
    expect((await finish(old.challenge, { code: codeAt(secret) })).json.code).toBe(
      'sign_in_expired',
    );
    await operator.user.update({ id, password: testPassword });
    const { challenge: late } = (await login()).json.data as Challenge;
    await operator.user.manage({ id, action: 'disable' });
    expect((await finish(late, { code: codeAt(secret) })).json.code).toBe('wrong_credentials');
    expect((await send('GET', '/api/user/self')).status).toBe(401);
  });

  test('ten wrong codes lock the second step, over all challenges and guesses at once', async () => {
    const { signIn, codeAt, challengeOf, setUpTotp, finish, clock } = await start();
    const { secret } = await setUpTotp(await signIn('ann'));
    clock.move(60_000);
    const challenges = [await challengeOf(), await challengeOf(), await challengeOf()];
    const guesses = Array.from({ length: 12 }, (_, n) =>
      finish(challenges[n % 3]?.challenge ?? '', { code: String(n).padStart(6, '0') }),
    );
    const codes = (await Promise.all(guesses)).map(({ json }) => json.code);
    expect(codes.filter((code) => code === 'account_locked')).toHaveLength(2);
    expect(
      (await finish((await challengeOf()).challenge, { code: codeAt(secret) })).json.code,
    ).toBe('account_locked');
  });

  test('system access tokens and API keys need no second step, and manage no factors', async () => {
    const { send, signIn, setUpTotp, id } = await start();
    const headers = await signIn('ann');
    const token = (await send('POST', '/api/user/token', { headers })).json.data as string;
    await setUpTotp(headers);
    const byToken = { authorization: token, 'new-api-user': String(id) };
    expect((await send('GET', '/api/user/self', { headers: byToken })).json.success).toBe(true);
    for (const [method, path] of [
      ['POST', `${own}/totp`],
      ['DELETE', `${own}/totp`],
      ['POST', `${own}/passkey/options`],
      ['DELETE', `${own}/passkey/1`],
      ['POST', `${own}/recovery-codes`],
      ['POST', '/api/turnpike/self/step-up'],
    ] as const)
      expect([path, (await send(method, path, { headers: byToken, body: {} })).json.code]).toEqual([
        path,
        'session_required',
      ]);
    expect(
      (
        await send('PUT', '/api/user/self', {
          headers: byToken,
          body: { password: 'taken over now' },
        })
      ).json.code,
    ).toBe('session_required');
    expect((await send('POST', '/api/user/token', { headers: byToken })).json.code).toBe(
      'session_required',
    );
  });
});

test('replies of shape `code` carry the challenge, too', () => {
  const error = new AppError('second_factor_required', {
    challenge: 'c',
    methods: 'totp,recovery',
  });
  const { body, status } = failureReply({ shape: 'code' }, error, 'en');
  expect(body).toMatchObject({ code: 403, reason: 'second_factor_required' });
  const opened = () => openEnvelope(api.auth.info, { status, body });
  expect(opened).toThrow(
    expect.objectContaining({
      code: error.code,
      data: { challenge: 'c', methods: ['totp', 'recovery'] },
    }),
  );
});

describe('recovery codes', () => {
  test('let in once each, in any writing, also of two at once; new ones end the old', async () => {
    const { send, signIn, challengeOf, setUpTotp, finish } = await start();
    const headers = await signIn('ann');
    const { codes } = await setUpTotp(headers);
    const [first = '', second = '', third = ''] = codes;
    const { challenge } = await challengeOf();
    expect(
      (await finish(challenge, { code: ` ${first.toUpperCase().replaceAll('-', ' ')} ` })).json
        .success,
    ).toBe(true);
    expect((await finish((await challengeOf()).challenge, { code: first })).json.code).toBe(
      'second_factor_invalid',
    );
    const pair = [await challengeOf(), await challengeOf()];
    const replies = await Promise.all(pair.map((each) => finish(each.challenge, { code: second })));
    expect(replies.map(({ json }) => json.code ?? 'in').sort()).toEqual([
      'in',
      'second_factor_invalid',
    ]);
    expect((await send('GET', own, { headers })).json.data).toMatchObject({
      recovery_codes_left: 8,
    });

    const renewed = (await send('POST', `${own}/recovery-codes`, { headers })).json.data as {
      recovery_codes: string[];
    };
    expect(renewed.recovery_codes).toHaveLength(10);
    expect((await finish((await challengeOf()).challenge, { code: third })).json.code).toBe(
      'second_factor_invalid',
    );
    expect(
      (await finish((await challengeOf()).challenge, { code: renewed.recovery_codes[9] })).json
        .success,
    ).toBe(true);
  });

  test('another user’s are worth nothing; the last factor takes them along', async () => {
    const { send, signIn, addUser, challengeOf, setUpTotp, finish, app, id } = await start();
    await addUser('bob');
    const headers = await signIn('ann');
    const { codes } = await setUpTotp(headers);
    await setUpTotp(await signIn('bob'));
    expect((await finish((await challengeOf('bob')).challenge, { code: codes[0] })).json.code).toBe(
      'second_factor_invalid',
    );
    expect((await send('DELETE', `${own}/totp`, { headers })).json.success).toBe(true);
    expect(await app.storage.secondFactors.countRecoveryCodes(id)).toBe(0);
    await signIn('ann');
    const stored = JSON.stringify(await app.storage.auditLogs.page({}, { offset: 0, limit: 100 }));
    for (const action of ['user.second_factor_add', 'user.second_factor_remove'])
      expect(stored).toContain(action);
    for (const code of codes) expect(stored).not.toContain(code);
  });
});

describe('passkeys', () => {
  test('need the address of the site, by domain name and https', async () => {
    const { send, signIn, operator } = await start();
    const headers = await signIn('ann');
    const begin = async () =>
      (await send('POST', `${own}/passkey/options`, { headers })).json.code ?? 'offered';
    expect(await begin()).toBe('passkey_unavailable');
    for (const [address, outcome] of [
      ['http://gw.example', 'passkey_unavailable'],
      ['https://192.0.2.1', 'passkey_unavailable'],
      ['https://[2001:db8::1]', 'passkey_unavailable'],
      ['http://localhost:3000', 'offered'],
      [site, 'offered'],
    ] as const) {
      await operator.option.set({ key: 'ServerAddress', value: address });
      expect([address, await begin()]).toEqual([address, outcome]);
    }
  });

  test('sign in without a password, and are a second step after one', async () => {
    const { send, signIn, challengeOf, setUpPasskey, finish, answer, operator } = await start();
    await operator.option.set({ key: 'ServerAddress', value: site });
    const headers = await signIn('ann');
    const { passkey, added, body } = await setUpPasskey(headers);
    expect((added.json.data as { recovery_codes: string[] }).recovery_codes).toHaveLength(10);
    expect((await send('POST', `${own}/passkey`, { headers, body })).json.code).toBe(
      'passkey_invalid',
    );
    expect((await setUpPasskey(headers, 'phone')).added.json.data).toEqual({ recovery_codes: [] });
    expect((await setUpPasskey(headers, 'x'.repeat(51))).added.json.code).toBe('name_too_long');

    const alone = await answer('/api/turnpike/sign-in/passkey/options', passkey, {});
    const inside = await send('POST', '/api/turnpike/sign-in/passkey', {
      body: { passkey: alone },
    });
    expect(inside.json).toMatchObject({ success: true, data: { username: 'ann' } });
    expect(inside.headers.get('set-cookie')).toContain('session=');
    expect(
      (await send('POST', '/api/turnpike/sign-in/passkey', { body: { passkey: alone } })).json.code,
    ).toBe('passkey_invalid');
    // Without a password the device must have verified its owner.
    const careless = await answer(
      '/api/turnpike/sign-in/passkey/options',
      passkey,
      {},
      {},
      { verified: false },
    );
    expect(
      (await send('POST', '/api/turnpike/sign-in/passkey', { body: { passkey: careless } })).json
        .code,
    ).toBe('passkey_invalid');

    const { challenge, methods } = await challengeOf();
    expect(methods).toEqual(['passkey', 'recovery']);
    const second = await answer(`${step}/options`, passkey, { challenge }, {}, { verified: false });
    expect((await finish(challenge, { passkey: second })).json.success).toBe(true);
    const { passkeys } = (await send('GET', own, { headers })).json.data as {
      passkeys: { name: string; last_used_at: number }[];
    };
    expect(passkeys.map(({ name, last_used_at: at }) => [name, at > 0])).toEqual([
      ['laptop', true],
      ['phone', false],
    ]);
  });

  test('an answer counts once, for its purpose, its user, its site, and not from a copy', async () => {
    const { send, signIn, addUser, challengeOf, setUpPasskey, finish, answer, operator } =
      await start();
    await operator.option.set({ key: 'ServerAddress', value: site });
    await addUser('bob');
    const { passkey } = await setUpPasskey(await signIn('ann'));
    const { passkey: bobs } = await setUpPasskey(await signIn('bob'));
    const byPasskey = async (proof: unknown) =>
      (await send('POST', '/api/turnpike/sign-in/passkey', { body: { passkey: proof } })).json
        .code ?? 'in';

    const race = await answer('/api/turnpike/sign-in/passkey/options', passkey, {});
    expect((await Promise.all([race, race, race].map(byPasskey))).sort()).toEqual([
      'in',
      'passkey_invalid',
      'passkey_invalid',
    ]);

    const { challenge } = await challengeOf();
    const bobsAnswer = await answer(`${step}/options`, bobs, { challenge });
    expect((await finish(challenge, { passkey: bobsAnswer })).json.code).toBe('passkey_invalid');
    const forSecondStep = await answer(`${step}/options`, passkey, { challenge });
    expect(await byPasskey(forSecondStep)).toBe('passkey_invalid');

    const options = (await send('POST', '/api/turnpike/sign-in/passkey/options')).json
      .data as Record<string, unknown>;
    expect(await byPasskey(passkey.answer(options, 'https://gw.example.evil'))).toBe(
      'passkey_invalid',
    );
    const copy = passkey.counter;
    await byPasskey(await answer('/api/turnpike/sign-in/passkey/options', passkey, {}));
    passkey.counter = copy - 1;
    expect(
      await byPasskey(await answer('/api/turnpike/sign-in/passkey/options', passkey, {})),
    ).toBe('passkey_invalid');
    for (const junk of [{}, { id: 'x' }, { id: 'x', response: { clientDataJSON: 'x' } }, 1, null])
      expect(['passkey_invalid', 'invalid_parameter']).toContain(await byPasskey(junk));
  });

  test('the login by passkey can be switched off, is refused to the banned, and ends with a new address', async () => {
    const { send, signIn, login, setUpPasskey, answer, operator, id } = await start();
    await operator.option.set({ key: 'ServerAddress', value: site });
    const headers = await signIn('ann');
    const { passkey } = await setUpPasskey(headers);
    const byPasskey = async () => {
      const proof = await answer('/api/turnpike/sign-in/passkey/options', passkey, {});
      return (
        (await send('POST', '/api/turnpike/sign-in/passkey', { body: { passkey: proof } })).json
          .code ?? 'in'
      );
    };
    await operator.user.manage({ id, action: 'disable' });
    expect(await byPasskey()).toBe('wrong_credentials');
    await operator.user.manage({ id, action: 'enable' });
    const early = await answer('/api/turnpike/sign-in/passkey/options', passkey, {});
    await operator.option.set({ key: 'PasskeyLoginEnabled', value: false });
    expect(
      (await send('POST', '/api/turnpike/sign-in/passkey', { body: { passkey: early } })).json.code,
    ).toBe('not_found');
    await operator.option.set({ key: 'ServerAddress', value: 'https://other.example' });
    // The passkey is still a factor, so the recovery codes are what is left.
    expect((await login()).json.data).toMatchObject({ methods: ['recovery'] });
  });
});

describe('confirmation of what is sensitive', () => {
  const wait = 301_000;

  test('is asked for five minutes after the login, by password without a second factor', async () => {
    const { send, signIn, clock } = await start();
    const headers = await signIn('ann');
    const make = async () => (await send('POST', '/api/user/token', { headers })).json;
    expect(await make()).toMatchObject({ success: true });
    clock.move(wait);
    expect(await make()).toMatchObject({
      code: 'step_up_required',
      data: { methods: ['password'] },
    });
    const confirm = async (password: string) =>
      (await send('POST', '/api/turnpike/self/step-up', { headers, body: { password } })).json
        .code ?? 'confirmed';
    expect(await confirm('wrong')).toBe('original_password_wrong');
    expect(await make()).toMatchObject({ code: 'step_up_required' });
    expect(await confirm(testPassword)).toBe('confirmed');
    expect(await make()).toMatchObject({ success: true });
    // Each session confirms for itself.
    const other = await signIn('ann');
    clock.move(wait);
    expect((await send('POST', '/api/user/token', { headers: other })).json.code).toBe(
      'step_up_required',
    );
  });

  test('takes the second factor of an account that has one, and no password', async () => {
    const { send, signIn, clock, codeAt, setUpTotp, setUpPasskey, answer, operator } =
      await start();
    await operator.option.set({ key: 'ServerAddress', value: site });
    const headers = await signIn('ann');
    const { secret } = await setUpTotp(headers);
    const { passkey } = await setUpPasskey(headers);
    const confirm = async (body: unknown) =>
      (await send('POST', '/api/turnpike/self/step-up', { headers, body })).json.code ??
      'confirmed';
    const sensitive = [
      ['POST', `${own}/totp`],
      ['POST', `${own}/totp/confirm`],
      ['DELETE', `${own}/totp`],
      ['POST', `${own}/passkey/options`],
      ['POST', `${own}/passkey`, { passkey: {} }],
      ['DELETE', `${own}/passkey/1`],
      ['POST', `${own}/recovery-codes`],
      ['GET', '/api/user/token'],
      ['DELETE', '/api/turnpike/self/identities/github'],
      ['DELETE', '/api/turnpike/self/phone'],
      ['PUT', '/api/user/self', { password: 'a new long password' }],
    ] as const;
    clock.move(wait);
    for (const [method, path, body] of sensitive)
      expect([path, (await send(method, path, { headers, body })).json.code]).toEqual([
        path,
        'step_up_required',
      ]);
    expect((await send('GET', '/api/turnpike/self/step-up', { headers })).json.data).toEqual({
      methods: ['totp', 'passkey', 'recovery'],
    });
    expect(await confirm({ password: testPassword })).toBe('second_factor_invalid');
    expect(await confirm({ code: codeAt(secret) })).toBe('confirmed');
    expect(await confirm({ code: codeAt(secret) })).toBe('second_factor_used');
    clock.move(wait);
    expect(
      await confirm({
        passkey: await answer('/api/turnpike/self/step-up/options', passkey, {}, headers),
      }),
    ).toBe('confirmed');
    expect((await send('DELETE', `${own}/totp`, { headers })).json.success).toBe(true);
  });

  test('takes a new login where there is nothing to confirm by, as for the first password', async () => {
    const { send, signIn, clock, app, id } = await start();
    const headers = await signIn('ann');
    const token = (await send('POST', '/api/user/token', { headers })).json.data as string;
    await app.storage.users.update(id, { passwordHash: new Secret('') });
    clock.move(wait);
    expect((await send('GET', '/api/turnpike/self/step-up', { headers })).json.data).toEqual({
      methods: [],
    });
    const byToken = { authorization: token, 'new-api-user': String(id) };
    const body = { password: 'my first password' };
    expect((await send('PUT', '/api/user/self', { headers: byToken, body })).json.code).toBe(
      'session_required',
    );
    const stale = await send('PUT', '/api/user/self', { headers, body });
    expect(stale.json).toMatchObject({ code: 'step_up_required', data: { methods: [] } });
    const session = await app.accounts.openSession.open(await app.accounts.own.get(id), 'github', {
      ip: '127.0.0.1',
      userAgent: '',
    });
    const fresh = { ...headers, cookie: `session=${session}` };
    expect((await send('PUT', '/api/user/self', { headers: fresh, body })).json.success).toBe(true);
  });
});

describe('administrators', () => {
  test('may be required to have a second factor: until then they reach only their own settings', async () => {
    const { send, signIn, addUser, setUpTotp, operator, id } = await start();
    await addUser('adm', { role: 10 });
    const token = (await send('POST', '/api/user/token', { headers: await signIn('adm') })).json
      .data as string;
    await operator.option.set({ key: 'SecondFactorRequiredForAdmins', value: true });
    const headers = await signIn('adm');
    expect((await send('GET', '/api/user/', { headers })).json.code).toBe(
      'second_factor_setup_required',
    );
    expect((await send('GET', '/api/user/self', { headers })).json.success).toBe(true);
    expect((await send('GET', own, { headers })).json.data).toMatchObject({ required: true });
    const byToken = { authorization: token, 'new-api-user': headers['new-api-user'] ?? '' };
    expect((await send('GET', '/api/user/', { headers: byToken })).json.success).toBe(true);
    await setUpTotp(headers);
    expect((await send('GET', '/api/user/', { headers })).json.success).toBe(true);
    expect((await send('GET', own, { headers: await signIn('ann') })).json.data).toMatchObject({
      required: false,
    });
    expect((await operator.user.get({ id })).username).toBe('ann');
  });

  test('of a higher role remove the factors of who has lost them; it is written down', async () => {
    const { send, signIn, addUser, setUpTotp, login, operator, clock, id } = await start();
    await addUser('adm', { role: 10 });
    const peer = await addUser('peer', { role: 10 });
    const anns = await signIn('ann');
    await setUpTotp(anns);
    await setUpTotp(await signIn('peer'));
    const headers = await signIn('adm');
    const reset = async (target: number, by: Record<string, string>) =>
      (await send('DELETE', `/api/turnpike/user/${target}/second-factor`, { headers: by })).json
        .code ?? 'removed';
    expect(await reset(id, anns)).toBe('forbidden');
    expect(await reset(peer, headers)).toBe('user_update_forbidden');
    expect(await reset(1, headers)).toBe('user_update_forbidden');
    expect(await reset(Number(headers['new-api-user']), headers)).toBe('not_on_yourself');
    expect(await reset(9999, headers)).toBe('not_found');
    clock.move(301_000);
    expect(await reset(id, headers)).toBe('step_up_required');
    expect(await reset(id, await signIn('adm'))).toBe('removed');
    expect((await send('GET', '/api/user/self', { headers: anns })).status).toBe(401);
    expect((await login()).json.success).toBe(true);
    const root = await signIn('root');
    await setUpTotp(root);
    expect(await reset(1, root)).toBe('not_on_yourself');
    // Whoever has the data folder may remove root's, too.
    await operator.secondFactor.reset({ id: 1 });
    await signIn('root');
    const { items } = await operator.audit.list({ action: 'user.second_factor_reset' });
    expect(items.map(({ target }) => target)).toEqual(['1', String(id)]);
  });
});

test('a deactivated or removed account keeps no factors', async () => {
  const { signIn, addUser, setUpTotp, operator, app, id } = await start();
  const bob = await addUser('bob');
  await setUpTotp(await signIn('ann'));
  await setUpTotp(await signIn('bob'));
  await operator.user.manage({ id, action: 'delete' });
  await operator.user.remove({ id: bob });
  expect([
    await app.storage.secondFactors.has(id),
    await app.storage.secondFactors.has(bob),
  ]).toEqual([false, false]);
});
