/**
 * The calls of `/public` over HTTP, and the human check before every call that visitors could
 * flood.
 */
import { beforeEach, describe, expect, it, test } from 'vitest';
import { testPassword } from '../support/app.ts';
import { type SmsProvider, smsKeys, startSmsProvider } from '../support/sms-provider.ts';
import {
  startTurnstile,
  type TurnstileServer,
  turnstileSecret,
} from '../support/turnstile-server.ts';
import { type HttpReply, startTestServer, type TestServer } from './http.ts';

const number = '13800000000';

let site: TestServer;
let sms: SmsProvider;
let turnstile: TurnstileServer;

const set = (values: Record<string, string | number | boolean>) =>
  site.operator.option.setMany({
    values: Object.entries(values).map(([key, value]) => ({ key, value })),
  });
const cookieOf = (reply: HttpReply, name: string) =>
  reply.headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.split(';')[0] ?? '';
const dataOf = ({ json }: HttpReply) => json['data'] as Record<string, string>;
const post = (path: string, body: object, headers = {}) =>
  site.send('POST', path, { body, headers });

beforeEach(async () => {
  sms = await startSmsProvider('webhook');
  turnstile = await startTurnstile();
  site = await startTestServer({ TURNSTILE_ENDPOINT: turnstile.url });
  await set({
    'sms.webhook_url': sms.url,
    'sms.webhook_secret': smsKeys.secret,
    'sms.provider': 'webhook',
  });
});

describe('login by phone', () => {
  it('returns a token that works as header, sets the cookie, and tells clients how long to wait', async () => {
    const sent = await site.send('GET', `/public/message_code?phone=${number}`);
    expect(sent.json).toMatchObject({ code: 200, data: { countdown: 60 } });
    const again = await site.send('GET', `/public/message_code?phone=${number}`);
    expect(again.status).toBe(200);
    expect(again.json).toMatchObject({ code: 429, reason: 'sms_too_soon', seconds: 60 });
    const wrong = await post('/public/login', { phone: number, code: 'x' });
    expect(wrong.status).toBe(200);
    expect(wrong.json).toMatchObject({ code: 401, reason: 'verification_code_invalid' });
    const reply = await post('/public/login', { phone: number, code: sms.lastCode() });
    expect(reply.json).toEqual({
      code: 200,
      message: '',
      data: { token: expect.stringMatching(/.{40}/), check_code: '' },
    });
    const { token = '' } = dataOf(reply);
    expect(cookieOf(reply, 'session')).toBe(`session=${token}`);
    for (const headers of [{ cookie: `session=${token}` }, { 'server-token': token }] as Record<
      string,
      string
    >[]) {
      const info = await site.send('GET', '/users/get/info', { headers });
      expect(info.json).toMatchObject({
        code: 200,
        data: { username: 'phone_2', phone: '+86138****0000' },
      });
    }
  });

  it.each([
    ['GET', '/public/message_code?phone=1', undefined, 400, 'phone_invalid'],
    ['POST', '/public/login', { phone: '1', code: '1' }, 400, 'phone_invalid'],
    ['POST', '/public/login', { check_code: 'x', code: '1' }, 401, 'check_code_invalid'],
    ['GET', '/public/message_code?check_code=x', undefined, 401, 'check_code_invalid'],
    ['POST', '/public/email_login', { param: '', password: 'x' }, 400, 'invalid_parameter'],
    ['POST', '/public/email_login', { param: 'nobody', password: 'x' }, 401, 'wrong_credentials'],
    ['POST', '/public/email_login', { param: ['a'], password: 'x' }, 400, 'invalid_parameter'],
    ['POST', '/public/login', '{', 400, 'invalid_parameter'],
  ])('%s %s %j: %s %s', async (method, path, body, code, reason) => {
    const reply = await site.send(method, path, { body });
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({ code, reason });
  });

  it('sends no code for a page of another site', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect(
      (await site.send('GET', `/public/message_code?phone=${number}`, { headers })).status,
    ).toBe(403);
    expect(sms.messages).toEqual([]);
  });
});

describe('login by account', () => {
  it('takes a phone number, an address or a name, and asks for the phone where that is due', async () => {
    const id = await site.addUser('ann');
    await site.app.storage.users.update(id, {
      phone: `+86${number}`,
      email: 'ann@example.org',
      emailVerified: true,
    });
    for (const param of ['ann', 'ANN@example.org', number, '+86 138 0000 0000']) {
      const { token = '' } = dataOf(
        await post('/public/email_login', { param, password: testPassword }),
      );
      expect(
        (await site.send('GET', '/users/get/info', { headers: { 'server-token': token } })).json,
      ).toMatchObject({
        data: { id },
      });
    }
    await set({ PhoneSecondFactorEnabled: true });
    const first = await post('/public/email_login', { param: 'ann', password: testPassword });
    const { check_code = '', ...rest } = dataOf(first);
    expect(rest).toEqual({ phone: '+86138****0000' });
    expect(first.headers.getSetCookie()).toEqual([]);
    // The older call cannot ask for it, so it is no way around.
    const older = await post('/api/user/login', { username: 'ann', password: testPassword });
    expect(older.json).toMatchObject({ success: false, code: 'phone_check_required' });
    expect(older.headers.getSetCookie()).toEqual([]);
    expect(
      (await site.send('GET', `/public/message_code?check_code=${check_code}`)).json,
    ).toMatchObject({ code: 200 });
    expect(sms.messages.at(-1)?.phone).toBe(`+86${number}`);
    const done = await post('/public/login', { check_code, code: sms.lastCode() });
    expect(dataOf(done)['token']).toMatch(/.{40}/);
    expect(cookieOf(done, 'session')).not.toBe('');
    const { items } = await site.operator.user.search({ keyword: '0000' });
    expect(items.map(({ phone }) => phone)).toEqual(['+86138****0000']);
  });

  it('is refused alike for an unknown account, a wrong password and a banned user', async () => {
    const banned = await site.addUser('banned');
    await site.addUser('ann');
    await site.operator.user.manage({ id: banned, action: 'disable' });
    const replies = await Promise.all(
      [
        ['nobody', testPassword],
        ['ann', 'wrong password'],
        ['banned', testPassword],
      ].map(([param, password]) => post('/public/email_login', { param, password })),
    );
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    await set({ PasswordLoginEnabled: false });
    expect(
      (await post('/public/email_login', { param: 'ann', password: testPassword })).json,
    ).toMatchObject({
      code: 403,
      reason: 'password_login_disabled',
    });
  });
});

describe('the human check', () => {
  const guarded = [
    ['GET', '/api/verification?email=a@example.org', undefined],
    ['GET', '/api/reset_password?email=a@example.org', undefined],
    ['POST', '/api/user/register', { username: 'bob', password: testPassword }],
    ['POST', '/api/user/login', { username: 'nobody', password: testPassword }],
    ['GET', `/public/message_code?phone=${number}`, undefined],
    ['POST', '/public/message_code', { phone: number }],
    ['POST', '/public/login', { phone: number, code: '1' }],
    ['POST', '/public/email_login', { param: 'nobody', password: testPassword }],
  ] as const;
  const reasonOf = ({ json }: HttpReply) => json['reason'] ?? json['code'] ?? 'passed';
  const withToken = (path: string, token: string) =>
    `${path}${path.includes('?') ? '&' : '?'}turnstile=${token}`;
  const login = async (token: string, headers = {}) =>
    site.send('POST', withToken('/public/email_login', token), {
      body: { param: 'nobody', password: 'x' },
      headers,
    });

  beforeEach(() =>
    set({
      TurnstileSiteKey: 'site-key',
      TurnstileSecretKey: turnstileSecret,
      TurnstileCheckEnabled: true,
    }),
  );

  test.each(guarded)('%s %s needs a token', async (method, path, body) => {
    expect(reasonOf(await site.send(method, path, { body }))).toBe('human_check_missing');
    expect(reasonOf(await site.send(method, withToken(path, 'forged'), { body }))).toBe(
      'human_check_failed',
    );
    turnstile.issue('good');
    expect(
      String(reasonOf(await site.send(method, withToken(path, 'good'), { body }))),
    ).not.toMatch(/^human_check/);
    expect(turnstile.calls.at(-1)).toEqual({
      secret: turnstileSecret,
      response: 'good',
      remoteip: '127.0.0.1',
    });
    // Turnstile knows each token once.
    expect(reasonOf(await site.send(method, withToken(path, 'good'), { body }))).toBe(
      'human_check_failed',
    );
  });

  it('serves five calls of the browser, the first included, for ten minutes', async () => {
    turnstile.issue('a');
    const first = await login('a');
    const cookie = cookieOf(first, 'pre');
    expect(first.headers.getSetCookie()[0]).toMatch(
      /^pre=[\w-]{43}; Max-Age=900; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );
    const reasons = [];
    for (let call = 2; call <= 6; call += 1) reasons.push(reasonOf(await login('', { cookie })));
    expect(reasons).toEqual([
      ...Array.from({ length: 4 }, () => 'wrong_credentials'),
      'human_check_missing',
    ]);
    expect(turnstile.calls).toHaveLength(1);
    turnstile.issue('b');
    expect(reasonOf(await login('b', { cookie }))).toBe('wrong_credentials');
    site.clock.move(10 * 60_000);
    expect(reasonOf(await login('', { cookie }))).toBe('human_check_missing');
    expect(reasonOf(await login('', { cookie: 'pre=forged' }))).toBe('human_check_missing');
  });

  it('takes no more than five parallel calls', async () => {
    turnstile.issue('a');
    const cookie = cookieOf(await login('a'), 'pre');
    const reasons = await Promise.all(
      Array.from({ length: 10 }, async () => reasonOf(await login('', { cookie }))),
    );
    expect(reasons.filter((reason) => reason !== 'human_check_missing')).toHaveLength(4);
  });

  it('reads the token of the account login from the body, too', async () => {
    turnstile.issue('a');
    const reply = await post('/public/email_login', {
      param: 'nobody',
      password: 'x',
      turnstile: 'a',
    });
    expect(reasonOf(reply)).toBe('wrong_credentials');
  });

  it('is not passed while Turnstile is down, slow or has another secret', async () => {
    turnstile.issue('a');
    turnstile.misbehave('broken');
    expect(reasonOf(await login('a'))).toBe('human_check_unavailable');
    turnstile.misbehave('silent');
    expect(reasonOf(await login('a'))).toBe('human_check_unavailable');
    turnstile.misbehave(undefined);
    await set({ TurnstileSecretKey: 'another' });
    expect(reasonOf(await login('a'))).toBe('human_check_failed');
    expect(reasonOf(await login('x'.repeat(3000)))).toBe('human_check_failed');
  });

  it('asks neither the operator nor anybody while it is off, and only then the page may load its script', async () => {
    const policy = async () =>
      (await site.send('GET', '/api/status')).headers.get('content-security-policy') ?? '';
    const headers = { authorization: `Bearer ${site.operatorKey}` };
    expect(reasonOf(await login('', headers))).toBe('wrong_credentials');
    expect(await policy()).toContain('https://challenges.cloudflare.com');
    await set({ TurnstileCheckEnabled: false });
    expect(reasonOf(await login(''))).toBe('wrong_credentials');
    expect(await policy()).not.toContain('cloudflare');
    await set({ TurnstileSecretKey: '-' });
    expect(
      (
        await site.send('PUT', '/api/option/', {
          body: { key: 'TurnstileCheckEnabled', value: true },
          headers,
        })
      ).json,
    ).toMatchObject({
      code: 'option_needs',
    });
  });
});
