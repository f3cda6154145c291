// Covers src/server/middleware.
import { describe, expect, test } from 'vitest';
import { testPassword } from '../support/app.ts';
import { startTestServer } from './http.ts';

describe('guards', () => {
  test.each([
    ['a page of another site', { origin: 'https://evil.example' }, 403],
    ['a sandboxed page', { origin: 'null' }, 403],
    ['a browser says cross-site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a neighbour domain', { 'sec-fetch-site': 'same-site' }, 403],
    ['the console itself', { 'sec-fetch-site': 'same-origin' }, 200],
    ['typed into the address bar', { 'sec-fetch-site': 'none' }, 200],
    ['a program', {}, 200],
  ])('%s', async (_, headers, status) => {
    const { send, signIn } = await startTestServer();
    const credentials = await signIn('root');
    for (const [method, path, body] of [
      ['PUT', '/api/user/self', {}],
      ['GET', '/api/user/token', undefined],
      ['GET', '/api/user/logout', undefined],
    ] as const) {
      const reply = await send(method, path, { headers: { ...credentials, ...headers }, body });
      expect([path, reply.status]).toEqual([path, status]);
      if (status === 403) expect(reply.json.code).toBe('cross_site_request');
    }
    expect((await send('GET', '/api/status', { headers })).status).toBe(200);
  });

  test('its own origin is known by Host and by ServerAddress', async () => {
    const { send, url, operator } = await startTestServer();
    const logout = async (origin: string) =>
      (await send('POST', '/api/user/logout', { headers: { origin } })).status;
    expect([await logout(url), await logout('https://gw.example')]).toEqual([200, 403]);
    await operator.option.set({ key: 'ServerAddress', value: 'https://gw.example/' });
    expect([await logout('https://gw.example'), await logout('https://gw.example.evil')]).toEqual([
      200, 403,
    ]);
  });

  test('too many calls: 429 with the wait, per address; the operator is not counted', async () => {
    const { send, operatorKey } = await startTestServer({
      GLOBAL_API_RATE_LIMIT_ENABLE: 'true',
      GLOBAL_API_RATE_LIMIT: '3',
      TRUSTED_PROXIES: 'private',
    });
    for (let call = 0; call < 3; call += 1)
      expect((await send('GET', '/api/status')).status).toBe(200);
    const refused = await send('GET', '/api/status');
    expect([refused.status, refused.json.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.json.message).toMatch(/try again in \d+ seconds/);
    expect(
      (await send('GET', '/api/status', { headers: { 'x-forwarded-for': '1.2.3.4' } })).status,
    ).toBe(200);
    expect(
      (await send('GET', '/api/status', { headers: { authorization: `Bearer ${operatorKey}` } }))
        .status,
    ).toBe(200);
  });

  test('critical calls share one limit: by address, by user once signed in', async () => {
    const { send, signIn } = await startTestServer({
      CRITICAL_RATE_LIMIT_ENABLE: 'true',
      CRITICAL_RATE_LIMIT: '2',
    });
    const headers = await signIn('root');
    await send('POST', '/api/user/login', { body: {} });
    const refused = await send('POST', '/api/user/login', {
      body: { username: 'root', password: testPassword },
    });
    expect(refused.status).toBe(429);
    const redeem = async () =>
      (await send('POST', '/api/user/topup', { headers, body: { key: 'guess' } })).json.code;
    expect([await redeem(), await redeem(), await redeem()]).toEqual([
      'code_unknown',
      'code_unknown',
      'rate_limited',
    ]);
  });

  test('a demo site can be looked at and not changed; its owner can end it', async () => {
    const { send, signIn, addUser, operator } = await startTestServer();
    await addUser('ann');
    await operator.option.set({ key: 'DemoSiteEnabled', value: true });
    const headers = await signIn('ann');
    expect((await send('GET', '/api/user/self', { headers })).status).toBe(200);
    for (const [method, path] of [
      ['PUT', '/api/user/self'],
      ['DELETE', '/api/user/self'],
      ['POST', '/api/token/'],
      ['GET', '/api/user/token'],
    ] as const) {
      const reply = await send(method, path, {
        headers,
        body: method === 'GET' ? undefined : { name: 'x' },
      });
      expect([path, reply.status, reply.json.code]).toEqual([path, 405, 'demo_site']);
    }
    const root = await signIn('root');
    expect(
      (
        await send('PUT', '/api/option/', {
          headers: root,
          body: { key: 'DemoSiteEnabled', value: 'false' },
        })
      ).json.success,
    ).toBe(true);
    expect((await send('POST', '/api/token/', { headers, body: { name: 'x' } })).json.success).toBe(
      true,
    );
  });

  test('strict headers on pages and calls', async () => {
    const { send } = await startTestServer();
    const { headers } = await send('GET', '/api/status');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("object-src 'none'");
    expect(policy).not.toContain('unsafe-eval');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-powered-by')).toBeNull();
  });

  test('logs of a token may be read from any page, nothing else', async () => {
    const { send, as } = await startTestServer();
    const { key } = await (await as(1)).token.create({ name: 't' });
    const preflight = await send('OPTIONS', '/api/log/token');
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([
      204,
      '*',
    ]);
    const reply = await send('GET', '/api/log/token', {
      headers: { authorization: `Bearer sk-${key}`, origin: 'https://other.example' },
    });
    expect([reply.json.success, reply.headers.get('access-control-allow-origin')]).toEqual([
      true,
      '*',
    ]);
    expect(
      (await send('GET', '/api/status')).headers.get('access-control-allow-origin'),
    ).toBeNull();
  });
});

test('changes by administrators are recorded for the owner', async () => {
  const { send, signIn, addUser } = await startTestServer();
  const ann = await addUser('ann');
  await addUser('adm', { role: 10 });
  const headers = await signIn('adm');
  await send('POST', '/api/turnpike/token', { headers, body: { name: 't', user: 'ann' } });
  await send('PUT', '/api/turnpike/token', { headers, body: { id: 1, status: 2 } });
  await send('POST', '/api/redemption/', { headers, body: { name: 'n', quota: 1, count: 1 } });
  await send('PUT', '/api/redemption/?status_only=true', { headers, body: { id: 1, status: 2 } });
  await send('POST', '/api/user/manage', { headers, body: { id: ann, action: 'disable' } });
  expect((await send('GET', '/api/turnpike/audit', { headers })).json.code).toBe('forbidden');
  const audit = await send('GET', '/api/turnpike/audit?actor_id=3', {
    headers: await signIn('root'),
  });
  const { items } = audit.json.data as { items: { action: string; ip: string }[] };
  expect(items.map(({ action }) => action)).toEqual([
    'user.disable',
    'redemption.status',
    'redemption.create',
    'token.update',
    'token.create',
  ]);
  expect(items[0]?.ip).toBe('127.0.0.1');
});

test('before the setup the operator has no own account to change', async () => {
  const { send, operatorKey } = await startTestServer({}, false);
  const headers = { authorization: `Bearer ${operatorKey}` };
  const reply = await send('POST', '/api/token/', { headers, body: { name: 't' } });
  expect(reply.json.code).toBe('not_set_up');
});

test('ALLOW_PRIVATE_UPSTREAM=false keeps channels off the own network', async () => {
  const preview = { type: 1, base_url: 'http://127.0.0.1:1', key: 'k' };
  const ask = async (environment: Record<string, string>) => {
    const { send, signIn } = await startTestServer(environment);
    return (
      await send('POST', '/api/channel/fetch_models', {
        headers: await signIn('root'),
        body: preview,
      })
    ).json.code;
  };
  expect(await ask({ ALLOW_PRIVATE_UPSTREAM: 'false' })).toBe('address_not_allowed');
  expect(await ask({})).toBe('do_request_failed');
});
