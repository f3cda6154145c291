import { describe, expect, test } from 'vitest';
import { testPassword } from '../support/app.ts';
import { startTestServer } from './http.ts';

describe('signing in', () => {
  test('sets a cookie that scripts and other sites cannot use; logging out ends it', async () => {
    const { send } = await startTestServer();
    const reply = await send('POST', '/api/user/login', {
      body: { username: 'root', password: testPassword },
    });
    expect(reply.json).toEqual({
      success: true,
      message: '',
      data: {
        id: 1,
        username: 'root',
        display_name: 'Root User',
        nickname: '',
        portrait: '',
        role: 100,
        status: 1,
        group: 'default',
      },
    });
    const cookies = reply.headers.getSetCookie();
    const [cookie = '', device = ''] = cookies;
    expect(cookies).toHaveLength(2);
    expect(device).toMatch(/; HttpOnly; SameSite=(Lax|Strict)$/);
    expect(cookie).toMatch(
      /^session=[\w-]{43}; Max-Age=2592000; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );
    const headers = { cookie: cookie.split(';')[0] ?? '', 'new-api-user': '1' };
    expect((await send('GET', '/api/user/self', { headers })).json.success).toBe(true);
    const out = await send('GET', '/api/user/logout', { headers });
    expect(out.headers.get('set-cookie')).toMatch(/^session=; Path=\/; Expires=Thu, 01 Jan 1970/);
    // A session that is not known any more.
    const late = await send('GET', '/api/user/self', {
      headers: { cookie: 'session=gone', 'new-api-user': '1' },
    });
    expect([late.json.code, late.headers.get('set-cookie')]).toEqual([
      'not_signed_in',
      expect.stringMatching(/^session=; Path=\/; Expires=Thu, 01 Jan 1970/),
    ]);
    // A visitor's call needs no login, so it says nothing about one.
    expect(
      (await send('GET', '/api/status', { headers: { cookie: 'session=gone' } })).headers.get(
        'set-cookie',
      ),
    ).toBeNull();
    expect((await send('GET', '/api/user/self', { headers })).status).toBe(401);
    expect((await send('POST', '/api/user/logout')).json.success).toBe(true);
  });

  test('the cookie is Secure where the operator or a trusted proxy says https', async () => {
    const login = {
      body: { username: 'root', password: testPassword },
      headers: { 'x-forwarded-proto': 'https' },
    };
    const plain = await startTestServer();
    expect(
      (await plain.send('POST', '/api/user/login', login)).headers.get('set-cookie'),
    ).not.toContain('Secure');
    const behind = await startTestServer({ TRUSTED_PROXIES: 'private' });
    expect(
      (await behind.send('POST', '/api/user/login', login)).headers.get('set-cookie'),
    ).toContain('; Secure');
    const forced = await startTestServer({ COOKIE_SECURE: 'true' });
    expect(
      (await forced.send('POST', '/api/user/login', { body: login.body })).headers.get(
        'set-cookie',
      ),
    ).toContain('; Secure');
  });

  test('a wrong password answers 200, because 401 means "log out"', async () => {
    const { send } = await startTestServer();
    const reply = await send('POST', '/api/user/login', {
      body: { username: 'root', password: 'wrong password' },
    });
    expect([reply.status, reply.json]).toEqual([
      200,
      {
        success: false,
        message: 'Wrong username or password, or the account is banned',
        code: 'wrong_credentials',
      },
    ]);
    expect(reply.headers.get('set-cookie')).toBeNull();
  });
});

describe('the user-id header', () => {
  const rows: [string, Record<string, string>, number, string][] = [
    ['missing', {}, 401, 'user_id_missing'],
    ['empty', { 'new-api-user': ' ' }, 401, 'user_id_missing'],
    ['malformed', { 'new-api-user': '1x' }, 401, 'user_id_malformed'],
    ['negative', { 'new-api-user': '-1' }, 401, 'user_id_malformed'],
    ['of somebody else', { 'new-api-user': '2' }, 401, 'user_id_mismatch'],
    ['right', { 'New-Api-User': '1' }, 200, ''],
    ['right, by its other name', { 'user-id': '1' }, 200, ''],
  ];
  test.each(rows)('%s', async (_, header, status, code) => {
    const { send, signIn } = await startTestServer();
    const { cookie = '' } = await signIn('root');
    const reply = await send('GET', '/api/user/self', { headers: { cookie, ...header } });
    expect([reply.status, reply.json.code ?? '']).toEqual([status, code]);
  });

  test('is checked after the credentials and before status and role', async () => {
    const { send, signIn, addUser, operator } = await startTestServer();
    expect((await send('GET', '/api/user/', { headers: { 'new-api-user': '1' } })).json.code).toBe(
      'not_signed_in',
    );
    const id = await addUser('ann');
    const headers = await signIn('ann');
    expect(
      (await send('GET', '/api/user/', { headers: { ...headers, 'new-api-user': '1' } })).json.code,
    ).toBe('user_id_mismatch');
    const refused = await send('GET', '/api/user/', { headers });
    expect([refused.status, refused.json.code]).toEqual([200, 'forbidden']);
    await operator.user.manage({ id, action: 'disable' });
    expect((await send('GET', '/api/user/self', { headers })).json.code).toBe('not_signed_in');
  });

  test('is not required where the client cannot know it yet', async () => {
    const { send, signIn } = await startTestServer();
    const { cookie = '' } = await signIn('root');
    const reply = await send('GET', '/users/get/info', { headers: { cookie } });
    expect(reply.json).toMatchObject({
      code: 200,
      message: '',
      data: { id: 1, username: 'root', quota: 100_000_000 },
    });
    const visitor = await send('GET', '/users/get/info');
    const refusal = {
      code: 401,
      message: 'Not logged in and no access token given',
      reason: 'not_signed_in',
    };
    expect([visitor.status, visitor.json]).toEqual([401, refusal]);
  });
});

describe('system access tokens', () => {
  test('bare or with Bearer, together with the header; a new one ends the old one', async () => {
    const { send, signIn } = await startTestServer();
    const headers = await signIn('root');
    const first = (await send('GET', '/api/user/token', { headers })).json.data as string;
    expect(first).toMatch(/^[A-Za-z0-9]{32}$/);
    for (const authorization of [first, `Bearer ${first}`]) {
      expect(
        (await send('GET', '/api/user/self', { headers: { authorization, 'new-api-user': '1' } }))
          .json.success,
      ).toBe(true);
      expect((await send('GET', '/api/user/self', { headers: { authorization } })).json.code).toBe(
        'user_id_missing',
      );
    }
    await send('POST', '/api/user/token', { headers });
    const stale = await send('GET', '/api/user/self', {
      headers: { authorization: first, 'new-api-user': '1' },
    });
    expect([stale.status, stale.json.code]).toEqual([200, 'access_token_invalid']);
  });

  test('a banned or deactivated user’s is worth nothing', async () => {
    const { send, as, addUser, operator } = await startTestServer();
    const id = await addUser('ann');
    const token = await (await as(id)).self.systemToken();
    const headers = { authorization: token, 'new-api-user': String(id) };
    await operator.user.manage({ id, action: 'disable' });
    const banned = await send('GET', '/api/user/self', { headers });
    expect([banned.status, banned.json.code]).toEqual([200, 'user_banned']);
    await operator.user.manage({ id, action: 'delete' });
    expect((await send('GET', '/api/user/self', { headers })).json.code).toBe(
      'access_token_invalid',
    );
  });

  test('the session wins where both come; server-token stands in for the cookie', async () => {
    const { send, signIn, as, addUser } = await startTestServer();
    const id = await addUser('ann');
    const token = await (await as(id)).self.systemToken();
    const { cookie = '' } = await signIn('root');
    const both = await send('GET', '/api/user/self', {
      headers: { cookie, authorization: token, 'new-api-user': '1' },
    });
    expect((both.json.data as { id: number }).id).toBe(1);
    const byHeader = { 'server-token': cookie.replace('session=', ''), 'new-api-user': '1' };
    expect((await send('GET', '/api/user/self', { headers: byHeader })).json.success).toBe(true);
  });
});

describe('the operator’s key', () => {
  test('acts as root without a user id; before setup it needs no code', async () => {
    const { send, operatorKey } = await startTestServer({}, false);
    const headers = { authorization: `Bearer ${operatorKey}` };
    expect((await send('GET', '/api/option/', { headers })).json.success).toBe(true);
    const root = { username: 'owner', password: testPassword, confirmPassword: testPassword };
    expect((await send('POST', '/api/setup', { body: root })).json.code).toBe('setup_token_wrong');
    expect((await send('POST', '/api/setup', { body: root, headers })).json.success).toBe(true);
    expect((await send('GET', '/api/user/self', { headers })).json.data).toMatchObject({
      id: 1,
      username: 'owner',
    });
  });

  test('only that key', async () => {
    const { send, operatorKey } = await startTestServer();
    for (const authorization of [
      operatorKey,
      `Bearer ${operatorKey}x`,
      `Bearer ${operatorKey.slice(1)}`,
      'Bearer ',
    ]) {
      expect((await send('GET', '/api/option/', { headers: { authorization } })).json.success).toBe(
        false,
      );
    }
  });
});

describe('rights are those of now, not of the sign-in', () => {
  test('a demoted administrator is one no longer', async () => {
    const { send, signIn, addUser, operator } = await startTestServer();
    const id = await addUser('adm', { role: 10 });
    const headers = await signIn('adm');
    expect((await send('GET', '/api/user/', { headers })).json.success).toBe(true);
    await operator.user.manage({ id, action: 'demote' });
    // The rights are gone at once; the login stays.
    expect((await send('GET', '/api/user/', { headers })).json.code).toBe('forbidden');
    expect((await send('GET', '/api/user/self', { headers })).json.success).toBe(true);
  });
});
