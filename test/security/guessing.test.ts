/**
 * Guesses at passwords and codes: at every door, from everywhere; and nobody keeps an owner out
 * (docs/rules/accounts.md#login-lock).
 */
import { describe, expect, test } from 'vitest';
import { fromBase32, totpCode } from '../../src/core/accounts/factors/totp.ts';
import { hashSecret } from '../../src/core/accounts/sessions.ts';
import { createMemoryCluster } from '../../src/core/cluster/memory-cluster.ts';
import { networkOf } from '../../src/core/kernel/network.ts';
import { type HttpReply, startTestServer, type TestServer } from '../server/http.ts';
import { createTestApp, openBeside, testPassword } from '../support/app.ts';

const start = (environment: Record<string, string> = {}) =>
  startTestServer({ TRUSTED_PROXIES: 'private', ...environment });

/** The code of a failure, or `in`. */
const outcomeOf = ({ json }: HttpReply): unknown =>
  json.success === true || json.code === 200 ? 'in' : (json.reason ?? json.code);
const from = (address: string, cookie?: string) => ({
  'x-forwarded-for': address,
  ...(cookie !== undefined && { cookie }),
});
const logIn = async (
  { send }: TestServer,
  username: string,
  password: string,
  headers: Record<string, string>,
) => outcomeOf(await send('POST', '/api/user/login', { body: { username, password }, headers }));
/** The cookie by which a browser is known after a login. */
const knownBrowser = async ({ send }: TestServer, username: string): Promise<string> => {
  const reply = await send('POST', '/api/user/login', {
    body: { username, password: testPassword },
    headers: from('192.0.2.200'),
  });
  const line = reply.headers.getSetCookie().find((one) => one.startsWith('device=')) ?? '';
  expect(line).toMatch(/; Max-Age=31536000; Path=\/; .*HttpOnly; SameSite=Lax$/);
  return line.split(';')[0] ?? '';
};
const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)));

describe('wrong passwords', () => {
  test('ten from an address lock the account there, not elsewhere, and not for a browser that is known', async () => {
    const server = await start();
    const cookie = await knownBrowser(server, 'root');
    const guesses = await times(12, () =>
      logIn(server, 'root', 'a wrong guess', from('203.0.113.1')),
    );
    expect(guesses.filter((code) => code === 'account_locked')).toHaveLength(2);
    expect(await logIn(server, 'root', testPassword, from('203.0.113.1'))).toBe('account_locked');
    expect(await logIn(server, 'root', testPassword, from('203.0.113.2'))).toBe('in');
    expect(await logIn(server, 'root', testPassword, from('203.0.113.1', cookie))).toBe('in');
    server.clock.move(15 * 60_000);
    expect(await logIn(server, 'root', testPassword, from('203.0.113.1'))).toBe('in');
  });

  test('fifty from everywhere lock it for browsers that are not known; the owner’s gets in', async () => {
    const server = await start();
    const cookie = await knownBrowser(server, 'root');
    for (let host = 1; host <= 5; host += 1)
      await times(10, () => logIn(server, 'root', 'a wrong guess', from(`203.0.113.${host}`)));
    expect(await logIn(server, 'root', testPassword, from('198.51.100.1'))).toBe('account_locked');
    expect(await logIn(server, 'root', testPassword, from('198.51.100.1', cookie))).toBe('in');
    // What an address does once it is locked counts for nobody else.
    const other = await server.addUser('ann').then(() => knownBrowser(server, 'ann'));
    expect(await logIn(server, 'root', testPassword, from('198.51.100.2', other))).toBe(
      'account_locked',
    );
  });

  test('one address cannot bring that about alone', async () => {
    const server = await start();
    await times(80, () => logIn(server, 'root', 'a wrong guess', from('203.0.113.1')));
    expect(await logIn(server, 'root', testPassword, from('198.51.100.1'))).toBe('in');
  });

  test('a known browser has ten of its own; a success clears them', async () => {
    const server = await start();
    const cookie = await knownBrowser(server, 'root');
    const guess = (address = '203.0.113.1') =>
      logIn(server, 'root', 'a wrong guess', from(address, cookie));
    await times(9, () => guess());
    expect(await logIn(server, 'root', testPassword, from('203.0.113.1', cookie))).toBe('in');
    await times(10, (n) => guess(`203.0.113.${n}`));
    expect(await logIn(server, 'root', testPassword, from('203.0.113.77', cookie))).toBe(
      'account_locked',
    );
    // Others are not concerned.
    expect(await logIn(server, 'root', testPassword, from('203.0.113.1'))).toBe('in');
  });

  test('a cookie that is forged, of another account or a year old makes no browser known', async () => {
    const server = await start();
    await server.addUser('ann');
    const [roots, anns] = [await knownBrowser(server, 'root'), await knownBrowser(server, 'ann')];
    await times(10, () => logIn(server, 'root', 'a wrong guess', from('203.0.113.1')));
    const forged = [
      anns,
      anns.replace('device=2.', 'device=1.'),
      roots.slice(0, -1) + (roots.endsWith('0') ? '1' : '0'),
      'device=1',
    ];
    for (const cookie of forged)
      expect([
        cookie,
        await logIn(server, 'root', testPassword, from('203.0.113.1', cookie)),
      ]).toEqual([cookie, 'account_locked']);
    server.clock.move(366 * 24 * 3_600_000);
    await times(10, () => logIn(server, 'root', 'a wrong guess', from('203.0.113.1')));
    expect(await logIn(server, 'root', testPassword, from('203.0.113.1', roots))).toBe(
      'account_locked',
    );
  });

  test('a browser is known for the last five accounts that signed in there, whatever the method', async () => {
    const server = await start();
    let cookie = '';
    for (const name of ['ann', 'bob', 'cid', 'dan', 'eve', 'fay']) {
      await server.addUser(name);
      const headers = from('192.0.2.200', cookie);
      const reply = await server.send('POST', '/public/email_login', {
        body: { param: name, password: testPassword },
        headers,
      });
      cookie =
        reply.headers
          .getSetCookie()
          .find((one) => one.startsWith('device='))
          ?.split(';')[0] ?? '';
    }
    for (const name of ['ann', 'bob', 'fay'])
      await times(10, () => logIn(server, name, 'a wrong guess', from('203.0.113.1')));
    expect(await logIn(server, 'ann', testPassword, from('203.0.113.1', cookie))).toBe(
      'account_locked',
    );
    for (const name of ['bob', 'fay'])
      expect(await logIn(server, name, testPassword, from('203.0.113.1', cookie))).toBe('in');
  });

  test('a name that nobody has is locked like one that somebody has', async () => {
    const server = await start();
    const tries = (name: string) =>
      times(11, () => logIn(server, name, 'a wrong guess', from('203.0.113.1'))).then((all) =>
        all.sort(),
      );
    expect(await tries('nobody')).toEqual(await tries('root'));
  });

  test('a new password has counts of its own', async () => {
    const server = await start();
    await times(10, () => logIn(server, 'root', 'a wrong guess', from('203.0.113.1')));
    await server.operator.user.update({ id: 1, password: 'another long password' });
    expect(await logIn(server, 'root', 'another long password', from('203.0.113.1'))).toBe('in');
  });
});

describe('guesses do not multiply with accounts', () => {
  const names = ['ann', 'bob', 'cid', 'dan', 'eve', 'fay'];
  test('an address has fifty over all of them, also between logins with an account of its own; IPv6 by /64', async () => {
    for (const address of [
      () => '203.0.113.1',
      (n: number) => `2001:db8:1:2:${n.toString(16)}::${n + 1}`,
    ]) {
      const server = await start();
      for (const name of names) await server.addUser(name);
      let n = 0;
      const guess = (name: string) => logIn(server, name, 'a wrong guess', from(address(n++)));
      for (const name of names.slice(0, 5)) {
        await times(9, () => guess(name));
        expect(await logIn(server, name, testPassword, from(address(n)))).toBe('in');
      }
      await times(5, () => guess('root'));
      expect(await logIn(server, 'fay', testPassword, from(address(n)))).toBe('account_locked');
      expect(await logIn(server, 'fay', testPassword, from('2001:db8:1:3::1'))).toBe('in');
    }
  });

  test('a login of one’s own does not take a sign-in out of the limit of its address', async () => {
    const server = await start({ CRITICAL_RATE_LIMIT_ENABLE: 'true', CRITICAL_RATE_LIMIT: '10' });
    for (const name of names) await server.addUser(name);
    const browsers = await Promise.all(
      names.map(async (name) => {
        const token = await server.app.accounts.sessions.start(
          (await userId(server, name)) ?? 0,
          'password',
          {
            ip: '',
            userAgent: '',
          },
        );
        return {
          cookie: `session=${token}`,
          'new-api-user': String(await userId(server, name)),
          ...from('203.0.113.1'),
        };
      }),
    );
    const tries = browsers.flatMap((headers) => [headers, headers]);
    const codes = await Promise.all(
      tries.map((headers) => logIn(server, 'root', 'a wrong guess', headers)),
    );
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(2);
  });

  test('many users of an address share a limit of critical calls: five times that of one', async () => {
    const server = await start({ CRITICAL_RATE_LIMIT_ENABLE: 'true', CRITICAL_RATE_LIMIT: '2' });
    for (const name of names) await server.addUser(name);
    const redeem = async (name: string, address: string) => {
      const id = await userId(server, name);
      const token = await server.app.accounts.sessions.start(id, 'password', {
        ip: '',
        userAgent: '',
      });
      const headers = { cookie: `session=${token}`, 'new-api-user': String(id), ...from(address) };
      return outcomeOf(
        await server.send('POST', '/api/user/topup', { body: { key: 'a guess' }, headers }),
      );
    };
    for (const name of names.slice(0, 5))
      for (const expected of ['code_unknown', 'code_unknown', 'rate_limited'])
        expect(await redeem(name, '203.0.113.1')).toBe(expected);
    expect(await redeem('fay', '203.0.113.1')).toBe('rate_limited');
    expect(await redeem('fay', '203.0.113.2')).toBe('code_unknown');
  });
});

async function userId({ operator }: TestServer, name: string): Promise<number> {
  return (await operator.user.search({ keyword: name })).items[0]?.id ?? 0;
}

describe('every door counts', () => {
  /**
   * Guesses once from an address; `right` instead of a guess. Returns the code of the failure, or
   * `in`.
   */
  type Door = (address: string, right: boolean) => Promise<unknown>;
  const phone = '+8613800000001';

  async function putCode(
    { app, clock }: TestServer,
    purpose: string,
    subject: string,
    code = '123456',
    payload = '',
  ): Promise<void> {
    const { hash, put } = app.storage.verificationCodes;
    const key = `${purpose}:${subject}`;
    const expiresAt = Math.floor(clock.now() / 1000) + 600;
    await put({
      purpose,
      subjectHash: hash(key),
      codeHash: hash(`${key}:${code}`),
      expiresAt,
      payload,
    });
  }
  const ask = async (
    { send }: TestServer,
    method: string,
    path: string,
    address: string,
    body: object,
    headers = {},
  ) => outcomeOf(await send(method, path, { body, headers: { ...headers, ...from(address) } }));
  const systemToken = async (server: TestServer, id: number) => {
    await server.app.storage.users.update(id, { accessTokenHash: hashSecret('t'.repeat(32)) });
    return { authorization: 't'.repeat(32), 'new-api-user': String(id) };
  };
  async function withTotp(server: TestServer, id: number): Promise<() => string> {
    const session = { idHash: 'x', confirmedAt: Math.floor(server.clock.now() / 1000) };
    const user = await server.app.accounts.own.get(id);
    const actor = { id, username: user.username, role: 1, group: 'default', ip: '' };
    const caller = { actor, proof: session, waysIn: ['totp'] } as const;
    const { secret } = await server.app.accounts.factors.beginTotp(caller);
    const code = () => totpCode(fromBase32(secret), Math.floor(server.clock.now() / 30_000));
    await server.app.accounts.factors.confirmTotp(caller, code());
    server.clock.move(60_000);
    return code;
  }
  const challenge = async ({ send }: TestServer, address: string): Promise<string> => {
    const body = { username: 'ann', password: testPassword };
    const { json } = await send('POST', '/api/user/login', { body, headers: from(address) });
    return (json.data as { challenge?: string } | undefined)?.challenge ?? '';
  };

  const doors: Readonly<Record<string, (server: TestServer, ann: number) => Promise<Door>>> = {
    'POST /api/user/login': async (server) => (address, right) =>
      ask(server, 'POST', '/api/user/login', address, {
        username: 'ann',
        password: right ? testPassword : 'a wrong guess',
      }),
    'POST /public/email_login': async (server) => (address, right) =>
      ask(server, 'POST', '/public/email_login', address, {
        param: 'ann',
        password: right ? testPassword : 'a wrong guess',
      }),
    'POST /public/login': async (server, ann) => {
      await server.app.storage.users.update(ann, { phone, phoneVerifiedAt: 1 });
      return async (address, right) => {
        await putCode(server, 'phone', phone);
        return ask(server, 'POST', '/public/login', address, {
          phone,
          code: right ? '123456' : '000000',
        });
      };
    },
    'POST /public/login (second step)': async (server, ann) => {
      await server.app.storage.users.update(ann, { phone, phoneVerifiedAt: 1 });
      await server.operator.option.set({ key: 'PhoneSecondFactorEnabled', value: true });
      return async (address, right) => {
        const user = await server.app.accounts.own.get(ann);
        const { checkCode } = await server.app.accounts.phone.secondStep.begin(user, address);
        await putCode(server, 'second-step', `${ann}:${phone}`);
        return ask(server, 'POST', '/public/login', address, {
          check_code: checkCode,
          code: right ? '123456' : '000000',
        });
      };
    },
    'POST /api/user/reset': async (server, ann) => {
      await server.app.storage.users.update(ann, { email: 'ann@example.org', emailVerified: true });
      return async (address, right) => {
        await putCode(server, 'reset', 'ann@example.org', 'the token', String(ann));
        const token = right ? 'the token' : 'a wrong guess';
        return ask(server, 'POST', '/api/user/reset', address, { email: 'ann@example.org', token });
      };
    },
    'POST /api/user/register': async (server) => {
      await server.operator.option.set({ key: 'SMTPServer', value: '127.0.0.1' });
      await server.operator.option.set({ key: 'EmailVerificationEnabled', value: true });
      return async (address, right) => {
        await putCode(server, 'email', 'new@example.org');
        const code = right ? '123456' : '000000';
        const body = {
          username: 'newcomer',
          password: testPassword,
          email: 'new@example.org',
          verification_code: code,
        };
        return ask(server, 'POST', '/api/user/register', address, body);
      };
    },
    'PUT /api/user/self': async (server, ann) => {
      const headers = await systemToken(server, ann);
      return (address, right) =>
        ask(
          server,
          'PUT',
          '/api/user/self',
          address,
          {
            password: 'another long password',
            original_password: right ? testPassword : 'a wrong guess',
          },
          headers,
        );
    },
  };

  test.each(Object.entries(doors))(
    '%s: ten guesses from an address, and others go on',
    async (_, open) => {
      const server = await start();
      await server.operator.option.set({ key: 'PhoneLoginEnabled', value: true });
      const door = await open(server, await server.addUser('ann'));
      const outcomes = new Set<unknown>();
      for (let guess = 0; guess < 10; guess += 1) outcomes.add(await door('203.0.113.1', false));
      expect([...outcomes]).not.toContain('account_locked');
      expect([...outcomes]).not.toContain('in');
      expect(await door('203.0.113.1', true)).toBe('account_locked');
      expect(await door('203.0.113.2', true)).toBe('in');
    },
  );

  test('a code that a stranger spoils twice is left alone by that address for the rest of the quarter of an hour', async () => {
    const server = await start();
    await server.operator.option.set({ key: 'PhoneLoginEnabled', value: true });
    await server.app.storage.users.update(await server.addUser('ann'), {
      phone,
      phoneVerifiedAt: 1,
    });
    const enter = (address: string, code: string) =>
      ask(server, 'POST', '/public/login', address, { phone, code });
    for (let code = 0; code < 2; code += 1) {
      await putCode(server, 'phone', phone);
      for (let guess = 0; guess < 5; guess += 1) await enter('203.0.113.1', '000000');
      expect(await enter('203.0.113.2', '123456')).toBe('verification_code_invalid');
    }
    await putCode(server, 'phone', phone);
    for (let guess = 0; guess < 5; guess += 1)
      expect(await enter('203.0.113.1', '000000')).toBe('account_locked');
    expect(await enter('203.0.113.2', '123456')).toBe('in');
  });

  test('the second factor: ten from everywhere, but not for the owner’s browser', async () => {
    const server = await start();
    const ann = await server.addUser('ann');
    const cookie = await knownBrowser(server, 'ann');
    const code = await withTotp(server, ann);
    const finish = async (address: string, given: string, device?: string) => {
      const body = { challenge: await challenge(server, address), code: given };
      return outcomeOf(
        await server.send('POST', '/api/turnpike/sign-in/second-factor', {
          body,
          headers: from(address, device),
        }),
      );
    };
    for (let n = 0; n < 10; n += 1)
      expect(await finish(`203.0.113.${n}`, '000000')).toBe('second_factor_invalid');
    expect(await finish('198.51.100.1', code())).toBe('account_locked');
    expect(await finish('198.51.100.1', code(), cookie)).toBe('in');
  });

  test('the confirmation, by password and by second factor, and the setup of an app: ten in a session', async () => {
    const server = await start();
    const ann = await server.addUser('ann');
    const [first, second] = [await server.signIn('ann'), await server.signIn('ann')];
    const confirm = (headers: Record<string, string>, body: object) =>
      ask(server, 'POST', '/api/turnpike/self/step-up', '203.0.113.1', body, headers);
    for (let guess = 0; guess < 10; guess += 1)
      expect(await confirm(first, { password: 'a wrong guess' })).toBe('original_password_wrong');
    expect(await confirm(first, { password: testPassword })).toBe('account_locked');
    expect(await confirm(second, { password: testPassword })).toBe('in');
    expect(await logIn(server, 'ann', testPassword, from('203.0.113.1'))).toBe('in');

    const setup = await server.signIn('ann');
    await server.send('POST', '/api/turnpike/self/second-factor/totp', { headers: setup });
    const confirmApp = () =>
      ask(
        server,
        'POST',
        '/api/turnpike/self/second-factor/totp/confirm',
        '203.0.113.1',
        { code: '000000' },
        setup,
      );
    for (let guess = 0; guess < 10; guess += 1)
      expect(await confirmApp()).toBe('second_factor_invalid');
    expect(await confirmApp()).toBe('account_locked');

    const code = await withTotp(server, ann);
    const headers = { ...from('192.0.2.9') };
    const session = await server.app.accounts.sessions.start(ann, 'password', {
      ip: '',
      userAgent: '',
    });
    const signedIn = { ...headers, cookie: `session=${session}`, 'new-api-user': String(ann) };
    for (let guess = 0; guess < 10; guess += 1)
      expect(await confirm(signedIn, { code: '000000' })).toBe('second_factor_invalid');
    expect(await confirm(signedIn, { code: code() })).toBe('account_locked');
  });
});

test('a locked login of the two-letter envelope is code 429 with the seconds, and HTTP 200', async () => {
  const server = await start();
  const guess = () =>
    server.send('POST', '/public/email_login', {
      body: { param: 'root', password: 'a wrong guess' },
      headers: from('203.0.113.1'),
    });
  await times(10, guess);
  const { status, json } = await guess();
  expect([status, json]).toMatchObject([
    200,
    { code: 429, reason: 'account_locked', seconds: 900 },
  ]);
  expect(json.message).toContain('15 minutes');
});

test('all processes of a site count together, and know the same browsers', async () => {
  const { app, clock, addUser } = await createTestApp({}, true, (now) => createMemoryCluster(now));
  await addUser('ann');
  const beside = await openBeside(app, app.cluster);
  const input = { username: 'ann', password: 'a wrong guess', ip: '203.0.113.1' };
  for (let guess = 0; guess < 10; guess += 1)
    await expect(
      (guess % 2 === 0 ? app : beside).accounts.signIn('password', input),
    ).rejects.toMatchObject({
      code: 'wrong_credentials',
    });
  const right = { ...input, password: testPassword };
  await expect(beside.accounts.signIn('password', right)).rejects.toMatchObject({
    code: 'account_locked',
  });
  const device = app.accounts.devices.note(undefined, 2);
  expect((await beside.accounts.signIn('password', { ...right, device })).username).toBe('ann');
  expect(clock.now()).toBeGreaterThan(0);
});

test.each([
  ['203.0.113.1', '203.0.113.1'],
  ['', ''],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
