/**
 * What an image, a link or a frame of our own pages can do: it brings the cookies of whoever looks
 * at it, and nothing else (docs/rules/console-api.md#get-twins).
 */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type HttpCall, layOutCall } from '../../src/core/contract/client.ts';
import type { Endpoint } from '../../src/core/contract/endpoint.ts';
import { api } from '../../src/core/contract/index.ts';
import { noticeRoutes } from '../server/access-table.ts';
import type { HttpReply } from '../server/http.ts';
import { botToken, type SignInSite, startSignInSite } from '../server/sign-in-site.ts';
import { temporaryDatabase, watchRows } from '../support/database-rows.ts';
import { signByTelegram } from '../support/sign-in-providers.ts';

const gets: readonly Endpoint[] = Object.values(api)
  .flatMap((group) => Object.values(group) as Endpoint[])
  .filter(({ method }) => method === 'GET');

/** Whoever looks is root, on a browser that has visited a provider before. */
async function start() {
  const file = temporaryDatabase();
  const site = await startSignInSite({ SQLITE_PATH: file });
  await site.set({
    SMTPServer: '127.0.0.1',
    SMTPPort: 1,
    SMTPFrom: 'gate@example.org',
    PhoneLoginEnabled: true,
  });
  const root = site.browser();
  await root.begin('github');
  await root.logIn('root');
  const cookie = [...root.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  expect(cookie).toMatch(/pre=.*session=/);
  return { ...site, site, rows: watchRows(file), cookie };
}

/** Inputs with which the call would do something if its sender were believed. */
function inputOf(call: Endpoint, site: SignInSite): Record<string, unknown> {
  const { shape } = call.input;
  const time = String(Math.floor(site.clock.now() / 1000));
  const known: Record<string, unknown> = {
    id: 1,
    type: 'github',
    code: call.path.includes('wechat') ? site.wechat.newCode() : site.github.newCode(),
    state: 'x'.repeat(43),
    email: 'root@example.org',
    phone: '13800000000',
    model: 'gpt-4o',
    ...(call.path.includes('telegram') &&
      signByTelegram(botToken, { id: '42', first_name: 'Eve', auth_date: time })),
  };
  const isLoose = shape['hash'] !== undefined;
  const named = Object.entries(known).filter(([name]) => isLoose || Object.hasOwn(shape, name));
  return { ...required(call), ...Object.fromEntries(named) };
}

/** Texts and numbers for what the call cannot do without. */
function required(call: Endpoint): Record<string, unknown> {
  const schema = z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' });
  const properties = Object.entries(schema.properties ?? {});
  return Object.fromEntries(
    properties
      .filter(([name]) => schema.required?.includes(name))
      .map(([name, property]) => [
        name,
        typeof property === 'object' && property.type === 'string' ? 'x1' : 1,
      ]),
  );
}

const requestsOf = (site: SignInSite): readonly Pick<HttpCall, 'path'>[] => [
  ...gets.map((call) => layOutCall(call, inputOf(call, site))),
  ...noticeRoutes
    .filter((route) => route.startsWith('GET '))
    .map((route) => ({ path: route.slice(4) })),
];

const loginCookies = (reply: HttpReply) =>
  reply.headers.getSetCookie().filter((line) => line.startsWith('session='));

test('no GET that a browser sends for an image, a link or a frame of our own page changes a row or the login', async () => {
  const { site, rows, cookie, send } = await start();
  const found: string[] = [];
  for (const { path } of requestsOf(site)) {
    for (const [method, destination] of [
      ['GET', 'image'],
      ['GET', 'document'],
      ['GET', 'iframe'],
      ['HEAD', 'video'],
    ] as const) {
      const headers = {
        cookie,
        'sec-fetch-site': 'same-origin',
        'sec-fetch-dest': destination,
        accept: 'text/html',
      };
      const reply = await send(method, path, { headers });
      found.push(
        ...[...rows.changes(), ...loginCookies(reply)].map(
          (change) => `${destination} ${path}: ${change}`,
        ),
      );
    }
  }
  expect(found).toEqual([]);
});

/** Calls for visitors that send something, with or without a cookie. */
const sendsToVisitors = [
  '/public/message_code',
  '/api/verification',
  '/api/reset_password',
  '/api/oauth/state',
];

test('nor does one of an old browser, which does not say what it sends it for', async () => {
  const { site, rows, cookie, send } = await start();
  const found: string[] = [];
  for (const { path } of requestsOf(site).filter(
    (one) => !sendsToVisitors.some((each) => one.path.startsWith(each)),
  )) {
    const reply = await send('GET', path, { headers: { cookie } });
    found.push(
      ...[...rows.changes(), ...loginCookies(reply)].map((change) => `${path}: ${change}`),
    );
  }
  expect(found).toEqual([]);
});

test('calls for visitors that change something by GET say what a login without the user-id header is', () => {
  const silent = gets.filter(
    (call) => call.changes && call.access === 'visitor' && call.withoutUserId === undefined,
  );
  expect(silent.map(({ path }) => path)).toEqual([]);
});

test('a log-out needs the user-id header, whatever its method; without a login it succeeds', async () => {
  const { send, signIn } = await start();
  const { cookie = '', 'new-api-user': id = '' } = await signIn('root');
  const isIn = async () =>
    (await send('GET', '/api/user/self', { headers: { cookie, 'new-api-user': id } })).json.success;
  for (const method of ['GET', 'POST']) {
    const bare = await send(method, '/api/user/logout', { headers: { cookie } });
    expect([bare.status, bare.json.code, bare.headers.getSetCookie()]).toEqual([
      401,
      'user_id_missing',
      [],
    ]);
    expect(await isIn()).toBe(true);
  }
  const reply = await send('GET', '/api/user/logout', { headers: { cookie, 'new-api-user': id } });
  expect([reply.status, reply.json]).toEqual([200, { success: true, message: '' }]);
  expect(reply.headers.getSetCookie()[0]).toMatch(/^session=;/);
  expect(await isIn()).toBe(false);
  for (const headers of [undefined, { cookie }])
    expect((await send('GET', '/api/user/logout', headers && { headers })).json).toEqual({
      success: true,
      message: '',
    });
});
