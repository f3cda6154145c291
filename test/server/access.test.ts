// Covers src/server/handlers.
/**
 * Every route of the API × who calls it, with the expected outcome; what others own; and bodies
 * that try to raise rights (docs/rules/console-api.md#credentials,
 * docs/rules/accounts.md#who-may-do-what).
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hashSecret } from '../../src/core/accounts/sessions.ts';
import { type HttpCall, layOutCall } from '../../src/core/contract/client.ts';
import type { Access, Endpoint } from '../../src/core/contract/endpoint.ts';
import { api } from '../../src/core/contract/index.ts';
import { createExpressApp } from '../../src/server/express-app.ts';
import { testPassword } from '../support/app.ts';
import { accessTable, noticeRoutes } from './access-table.ts';
import { type HttpReply, startLastingServer, type TestServer } from './http.ts';

const calls: readonly Endpoint[] = Object.values(api).flatMap(
  (group) => Object.values(group) as Endpoint[],
);
const nameOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path}`;
const declared = new Map(calls.map((call) => [nameOf(call), call]));
const accessOf = (call: Endpoint): Access | undefined =>
  (Object.keys(accessTable) as Access[]).find((access) =>
    accessTable[access].includes(nameOf(call)),
  );

const names = ['ann', 'bob', 'adm', 'boss', 'banned', 'gone'] as const;
type Name = (typeof names)[number];
const roleOf: Readonly<Record<Name, number>> = {
  ann: 1,
  bob: 1,
  adm: 10,
  boss: 100,
  banned: 1,
  gone: 1,
};
const least: Readonly<Record<Access, number>> = { visitor: 0, user: 1, admin: 10, root: 100 };
const tokenOf = (name: Name) => name.padEnd(32, '0');

/** The codes by which a caller is turned away before the call itself looks at anything. */
const gateCodes = new Set<unknown>([
  'not_signed_in',
  'user_id_missing',
  'user_id_malformed',
  'user_id_mismatch',
  'access_token_invalid',
  'user_banned',
  'forbidden',
  'cross_site_request',
  'demo_site',
  'not_set_up',
]);

let server: TestServer;
const ids = {} as Record<Name, number>;

beforeAll(async () => {
  const started = await startLastingServer();
  server = started.server;
  for (const name of names) {
    ids[name] =
      name === 'boss'
        ? 1
        : await server.addUser(name, {
            role: roleOf[name] === 10 ? 10 : 1,
            quota: name === 'ann' ? 5_000_000 : 0,
          });
    await server.app.storage.users.update(ids[name], {
      accessTokenHash: hashSecret(tokenOf(name)),
    });
  }
  await server.operator.user.manage({ id: ids.banned, action: 'disable' });
  await server.operator.user.manage({ id: ids.gone, action: 'delete' });
  return started.close;
});

/** A session of its own for each request, because some calls end the caller's. */
async function sessionOf(name: Name): Promise<Record<string, string>> {
  const token = await server.app.accounts.sessions.start(ids[name], 'password', {
    ip: '127.0.0.1',
    userAgent: 'test',
  });
  return { cookie: `session=${token}`, 'new-api-user': String(ids[name]) };
}

/** The envelope `code` names the error in `reason`. */
function outcomeOf({ json }: HttpReply): string {
  const code = json.reason ?? json.code;
  return gateCodes.has(code) ? String(code) : 'passed';
}

/** The requests of a call without input: a GET that changes something has two. */
function requestsOf(call: Endpoint, input: Record<string, unknown> = {}): readonly HttpCall[] {
  const request = layOutCall(call, { id: 999_999, ...input });
  const twin = { ...request, method: 'POST' as const, body: { ...input } };
  return call.method === 'GET' && call.changes ? [request, twin] : [request];
}

/** Calls one after the other as this caller; returns those with another outcome than expected. */
async function differences(
  expectedOf: (call: Endpoint, access: Access) => string | undefined,
  headersFor: (call: Endpoint) => Promise<Record<string, string>>,
): Promise<string[]> {
  const found: string[] = [];
  for (const call of calls) {
    const access = accessOf(call) ?? 'root';
    const expected = expectedOf(call, access);
    if (expected === undefined) continue;
    for (const { method, path, body } of requestsOf(call)) {
      const reply = await server.send(method, path, { headers: await headersFor(call), body });
      const outcome = outcomeOf(reply);
      if (outcome !== expected)
        found.push(
          `${method} ${path}: ${outcome} instead of ${expected} (${reply.text.slice(0, 120)})`,
        );
      if (reply.status >= 500) found.push(`${method} ${path}: ${reply.status}`);
    }
  }
  return found;
}

const passesFor = (role: number) => (_call: Endpoint, access: Access) =>
  role >= least[access] ? 'passed' : 'forbidden';
/** Deleting one's own account would end the test; it has a test of its own. */
const isFatal = (call: Endpoint) => nameOf(call) === 'DELETE /api/user/self';
/**
 * Telegram's widget opens it as a page, without the header; bindings.test.ts shows that it then
 * needs the state of its browser.
 */
const opensAsPage = (call: Endpoint) => nameOf(call) === 'GET /api/oauth/telegram/bind';

describe('every declared call', () => {
  test('is in the table of who may call it, and the other way round', () => {
    const listed = Object.entries(accessTable).flatMap(([access, rows]) =>
      rows.map((row) => [row, access] as const),
    );
    const wrong = listed
      .filter(([row, access]) => declared.get(row)?.access !== access)
      .map(([row]) => row);
    const unlisted = [...declared.keys()].filter((name) => !listed.some(([row]) => row === name));
    expect({ wrong, unlisted }).toEqual({ wrong: [], unlisted: [] });
  });

  test('is the only kind of route under /api, /public and /users, besides the notices of payment providers', () => {
    interface Layer {
      readonly route?: {
        readonly path: unknown;
        readonly stack: readonly { readonly method?: string }[];
      };
    }
    const express = createExpressApp({
      app: server.app,
      operatorKey: undefined,
      consoleFolder: '/nonexistent',
    });
    const layers = (express as unknown as { router: { stack: readonly Layer[] } }).router.stack;
    const mounted = layers.flatMap(({ route }) =>
      typeof route?.path === 'string' && /^\/(api|public|users)\b/.test(route.path)
        ? [
            ...new Set(
              route.stack.map(({ method = 'all' }) => `${method.toUpperCase()} ${route.path}`),
            ),
          ]
        : [],
    );
    const twins = calls
      .filter((call) => call.method === 'GET' && call.changes)
      .map(({ path }) => `POST ${path}`);
    const preflights = calls.filter(({ cors }) => cors).map(({ path }) => `OPTIONS ${path}`);
    const known = new Set([...declared.keys(), ...twins, ...preflights, ...noticeRoutes]);
    expect(mounted.filter((route) => !known.has(route))).toEqual([]);
    expect(mounted.length).toBeGreaterThanOrEqual(declared.size);
  });

  test('refuses visitors where it needs a user', async () => {
    expect(
      await differences(
        (_, access) => (access === 'visitor' ? 'passed' : 'not_signed_in'),
        async () => ({}),
      ),
    ).toEqual([]);
  });

  test.each(['ann', 'adm', 'boss'] as const)(
    '%s reaches what the role allows, and nothing else',
    async (name) => {
      const expected = passesFor(roleOf[name]);
      const found = await differences(
        (call, access) => (isFatal(call) ? undefined : expected(call, access)),
        () => sessionOf(name),
      );
      expect(found).toEqual([]);
    },
  );

  test.each([
    ['banned', 'user_banned'],
    ['gone', 'not_signed_in'],
  ] as const)(
    '%s is refused with an old session, and a visitor elsewhere',
    async (name, refusal) => {
      const found = await differences(
        (_, access) => (access === 'visitor' ? 'passed' : refusal),
        () => sessionOf(name),
      );
      expect(found).toEqual([]);
    },
  );

  test.each([
    ['without the user-id header', undefined, 'user_id_missing'],
    ['with that of somebody else', '2', 'user_id_mismatch'],
    ['with one that is no number', '1 or 2', 'user_id_malformed'],
  ])('%s the session of the owner is refused', async (_, id, refusal) => {
    const found = await differences(
      (call, access) =>
        access === 'visitor' || call.shape === 'code' || opensAsPage(call) ? undefined : refusal,
      async () => {
        const { cookie = '' } = await sessionOf('boss');
        return { cookie, ...(id === undefined ? {} : { 'new-api-user': id }) };
      },
    );
    expect(found).toEqual([]);
  });

  test.each(['ann', 'adm', 'boss'] as const)(
    'the system access token of %s has the rights of the account',
    async (name) => {
      await server.app.storage.users.update(ids[name], {
        accessTokenHash: hashSecret(tokenOf(name)),
      });
      const expected = passesFor(roleOf[name]);
      const headers = { authorization: tokenOf(name), 'new-api-user': String(ids[name]) };
      const replaces = (call: Endpoint) => nameOf(call) === 'GET /api/user/token';
      const skipped = (call: Endpoint) => isFatal(call) || replaces(call);
      const found = await differences(
        (call, access) => (skipped(call) ? undefined : expected(call, access)),
        async () => headers,
      );
      expect(found).toEqual([]);
      const bare = await differences(
        (call, access) =>
          access === 'visitor' || call.shape === 'code' || opensAsPage(call)
            ? undefined
            : 'user_id_missing',
        async () => ({ authorization: tokenOf(name) }),
      );
      expect(bare).toEqual([]);
    },
  );

  test('the key of an API token is no login, neither is that of a banned user', async () => {
    const { key } = await (await server.as(1)).token.create({ name: 'root’s' });
    for (const authorization of [`Bearer sk-${key}`, `sk-${key}`, key]) {
      const found = await differences(
        (_, access) => (access === 'visitor' ? 'passed' : 'access_token_invalid'),
        async () => ({ authorization, 'new-api-user': '1' }),
      );
      expect(found).toEqual([]);
    }
    const banned = { authorization: tokenOf('banned'), 'new-api-user': String(ids.banned) };
    expect((await server.send('GET', '/api/user/self', { headers: banned })).json.code).toBe(
      'user_banned',
    );
  });
});

/** Input fields that name something, which may be somebody else's. */
const naming = [
  'id',
  'ids',
  'user_id',
  'username',
  'user',
  'trade_no',
  'task_id',
  'scope',
  'channel',
];

describe('what belongs to somebody else', () => {
  test('whether a user exists does not show', async () => {
    const headers = await sessionOf('bob');
    const ask = async (user: number) =>
      (
        await server.send('GET', `/api/turnpike/ledger/statement?user_id=${user}&month=2026-11`, {
          headers,
        })
      ).json.code;
    expect([await ask(ids.ann), await ask(987_654)]).toEqual([
      'user_read_forbidden',
      'user_read_forbidden',
    ]);
  });

  test('is neither shown to nor changed by another user', async () => {
    const token = await (await server.as(ids.ann)).token.create({ name: 'ann’s' });
    const order = {
      userId: ids.ann,
      amount: 1,
      money: '7.30',
      quota: 500_000,
      tradeNo: 'USR2NOfixed1',
      createTime: 1,
      paymentMethod: 'wechat',
      status: 'pending' as const,
      completeTime: 0,
    };
    await server.app.storage.topUps.insert(order as never);
    const passkey = await server.app.storage.secondFactors.insertPasskey({
      userId: ids.ann,
      credentialId: 'a',
      publicKey: 'a',
      counter: 0,
      transports: '',
      rpId: 'gw.example',
      name: 'ann’s',
      backedUp: false,
      createdAt: 1,
    });
    const task = await server.app.storage.tasks.insert({
      userId: ids.ann,
      taskId: 'task_ann',
      platform: 'ali',
      action: 'VIDEO',
      createdAt: 1,
      status: 'SUCCESS',
      progress: '100%',
    });
    const drawing = await server.app.storage.midjourneys.insert({
      userId: ids.ann,
      action: 'IMAGINE',
      submitTime: 1,
      progress: '100%',
    });
    const budget = await (await server.as(ids.ann)).budgets.create({
      owner: 'user',
      owner_id: String(ids.ann),
      amount: 5,
    });
    const itemId = '7d5b6d0c-8c0f-4f8e-9d6e-0d5f4d3c2b1a';
    await (await server.as(ids.ann)).playground.putPrompt({ id: itemId, name: 'n', text: 't' });
    await sessionOf('ann');
    const annSession = (await server.app.accounts.sessions.list(ids.ann))[0]?.id;
    const of = { user_id: ids.ann };
    /** Replies of lists and sums are what they are without naming anybody. */
    const own = 'only one’s own';
    /** Batches pass over what is not there, so they tell nothing either. */
    const none = JSON.stringify({ success: true, message: '', data: 0 });
    const nobody = JSON.stringify({
      success: true,
      message: '',
      data: {
        matched: 0,
        changed: 0,
        groups: [],
        more_groups: 0,
        refused: [],
        ids: [],
        undo: [],
        lost: { keys: 0, models: [] },
      },
    });
    const attempts: Readonly<Record<string, readonly [Record<string, unknown>, string]>> = {
      'GET /api/oauth/telegram/bind': [
        { id: '7', hash: 'x', auth_date: '1' },
        'oauth_state_invalid',
      ],
      'DELETE /api/turnpike/self/sessions/:id': [{ id: annSession }, 'not_found'],
      'PUT /api/turnpike/self/prompts/:id': [
        { id: itemId, name: '', text: 'bob’s' },
        'invalid_parameter',
      ],
      'DELETE /api/turnpike/self/prompts/:id': [{ id: itemId }, 'not_found'],
      'PUT /api/turnpike/self/chats/:id': [{ id: itemId, content: '{}' }, 'chat_history_off'],
      'DELETE /api/turnpike/self/chats/:id': [{ id: itemId }, 'not_found'],
      'PUT /api/turnpike/self/second-factor/passkey': [{ id: passkey, name: 'bob’s' }, 'not_found'],
      'DELETE /api/turnpike/self/second-factor/passkey/:id': [{ id: passkey }, 'not_found'],
      'PUT /api/user/self': [{ username: 'ann' }, 'username_taken'],
      'GET /pg/videos/generations/:task_id': [{ task_id: 'task_ann' }, 'task_not_exist'],
      'GET /api/task/self': [{ task_id: 'task_ann' }, own],
      'GET /api/token/:id': [{ id: token.id }, 'not_found'],
      'PUT /api/token/': [{ id: token.id, name: 'bob’s', status: 2 }, 'not_found'],
      'DELETE /api/token/:id': [{ id: token.id }, 'not_found'],
      'POST /api/turnpike/token/batch/status': [{ ids: [token.id], status: 2 }, none],
      'POST /api/token/batch': [{ ids: [token.id] }, none],
      'POST /api/turnpike/bulk/tokens': [{ ids: [token.id], change: { status: 2 } }, nobody],
      'GET /api/turnpike/budgets/:id': [{ id: budget.id }, 'not_found'],
      'PUT /api/turnpike/budgets/:id': [{ id: budget.id, amount: 9 }, 'not_found'],
      'DELETE /api/turnpike/budgets/:id': [{ id: budget.id }, 'not_found'],
      'POST /api/turnpike/budgets/:id/grant': [
        { id: budget.id, window: 1, amount: 9 },
        'not_found',
      ],
      'GET /api/user/wechatpay/query': [{ trade_no: order.tradeNo }, 'order_unknown'],
      'GET /api/turnpike/topup/receipt': [{ trade_no: order.tradeNo }, 'order_unknown'],
      'DELETE /api/turnpike/self/tasks/:id': [{ id: task }, 'task_not_exist'],
      'DELETE /api/turnpike/self/drawings/:id': [{ id: drawing }, 'task_not_exist'],
      'GET /api/topup': [{ ...of, username: 'ann' }, own],
      'GET /api/turnpike/log/export': [{ scope: 'site', username: 'ann', format: 'csv' }, own],
      'GET /api/turnpike/data/usage': [{ scope: 'site', username: 'ann', ...day }, 'forbidden'],
      'GET /api/turnpike/data/usage/export': [
        { scope: 'site', username: 'ann', ...day },
        'forbidden',
      ],
      'GET /api/turnpike/data/tags': [{ scope: 'site', username: 'ann', ...day }, 'forbidden'],
      'GET /api/turnpike/data/tags/export': [
        { scope: 'site', username: 'ann', ...day },
        'forbidden',
      ],
      'GET /api/turnpike/data/outcomes': [{ scope: 'site', ...day }, own],
      'GET /api/turnpike/budgets/conversations': [{ ...of }, own],
      'GET /api/turnpike/overview': [{ scope: 'site' }, own],
      'GET /api/turnpike/ledger/statement': [{ ...of, month: '2026-11' }, 'user_read_forbidden'],
      'GET /api/turnpike/ledger/statement/movements': [
        { ...of, month: '2026-11' },
        'user_read_forbidden',
      ],
      'GET /api/turnpike/ledger/statement/export': [
        { ...of, month: '2026-11' },
        'user_read_forbidden',
      ],
    };
    const open = calls.filter(
      (call) =>
        accessOf(call) === 'user' &&
        Object.keys(call.input.shape).some((field) => naming.includes(field)),
    );
    expect(open.map(nameOf).filter((name) => !Object.hasOwn(attempts, name))).toEqual([]);

    const before = JSON.stringify(await server.app.storage.tokens.find(token.id));
    const outcomes: Record<string, unknown> = {};
    for (const call of open) {
      const [input] = attempts[nameOf(call)] ?? [{}];
      const { method, path, body } = layOutCall(call, input);
      const reply = await server.send(method, path, { headers: await sessionOf('bob'), body });
      outcomes[nameOf(call)] = reply.json.code ?? reply.text;
      if (attempts[nameOf(call)]?.[1] !== own) continue;
      const { user_id: _, username: __, scope: ___, ...plain } = input as Record<string, unknown>;
      const bare = layOutCall(call, plain);
      const mine = await server.send(bare.method, bare.path, { headers: await sessionOf('bob') });
      if (reply.json.code === undefined && reply.text === mine.text && !/\bann\b/.test(reply.text))
        outcomes[nameOf(call)] = own;
    }
    expect(outcomes).toEqual(
      Object.fromEntries(Object.entries(attempts).map(([name, [, code]]) => [name, code])),
    );
    expect(JSON.stringify(await server.app.storage.tokens.find(token.id))).toBe(before);
    expect(await server.app.storage.secondFactors.passkeys(ids.ann)).toMatchObject([
      { name: 'ann’s' },
    ]);
    await server.app.storage.secondFactors.deleteByUser(ids.ann);
  });
});

const day = { start_timestamp: 1_700_000_000, end_timestamp: 1_700_086_400 };

/** Fields that no body may write by the way. */
const raising = {
  role: 100,
  status: 1,
  quota: 900_000_000,
  used_quota: 0,
  aff_quota: 900_000_000,
  aff_history_quota: 900_000_000,
  aff_count: 1000,
  group: 'svip',
  access_token: 'z'.repeat(32),
  access_token_hash: hashSecret('z'.repeat(32)),
  accessTokenHash: hashSecret('z'.repeat(32)),
  password_hash: '',
  email: 'root@gw.example',
  email_verified_at: 1,
  phone: '+8613800000000',
  github_id: '1',
  oidc_id: '1',
  telegram_id: '1',
  inviter_id: 1,
  unlimited_quota: true,
  deleted_at: null,
  DeletedAt: null,
  actor: { id: 1, role: 100 },
  isOperator: true,
};

/** Bodies with which the call itself succeeds, so that the extra fields reach what it does. */
const sound: Readonly<Record<string, Record<string, unknown>>> = {
  'POST /api/user/login': { username: 'bob', password: testPassword },
  'POST /api/user/register': { username: 'newcomer', password: testPassword },
  'PUT /api/user/self': { display_name: 'Still Ann' },
  'GET /api/user/token': {},
  'PUT /api/user/setting': { notify_type: 'email', quota_warning_threshold: 1 },
  'POST /api/token/': { name: 'plain', group: '' },
  'POST /api/turnpike/token/batch': { name: 'many', count: 2, group: '' },
};
/** The same for what only administrators may do. */
const soundForAdmins: Readonly<Record<string, Record<string, unknown>>> = {
  'POST /api/user/': {
    username: 'hired',
    password: testPassword,
    role: 1,
    group: 'default',
    quota: 0,
  },
  'PUT /api/user/': { display_name: 'Still Bob', quota: 0, group: 'default', role: 1 },
};

/** An input of the right shape, made from the call's schema. */
function sampleOf(call: Endpoint): Record<string, unknown> {
  const schema = z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, { type?: unknown; enum?: readonly unknown[]; items?: unknown }>;
  };
  const sampleValue = ({
    type,
    enum: choices,
  }: {
    type?: unknown;
    enum?: readonly unknown[];
  }): unknown => {
    if (choices !== undefined) return choices[0];
    if (type === 'string') return 'x1';
    if (type === 'boolean') return true;
    if (type === 'array') return [1];
    return type === 'integer' || type === 'number' ? 1 : undefined;
  };
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]) => [
      name,
      sampleValue(property),
    ]),
  );
}

/** What nobody may raise by a body: everything about accounts that gives rights or money. */
async function standing(): Promise<Record<string, unknown>> {
  const { items } = await server.app.storage.users.page({}, { offset: 0, limit: 100 });
  const rows = items.map((user) => {
    const {
      id,
      role,
      status,
      group,
      quota,
      usedQuota,
      affQuota,
      affCount,
      inviterId,
      email,
      phone,
      deletedAt,
    } = user;
    const password = user.passwordHash.reveal();
    return [
      id,
      {
        role,
        status,
        group,
        quota,
        usedQuota,
        affQuota,
        affCount,
        inviterId,
        email,
        phone,
        deletedAt,
        password,
      },
    ];
  });
  return Object.fromEntries(rows) as Record<string, unknown>;
}

const writes = calls.filter(
  (call) => call.method === 'POST' || call.method === 'PUT' || call.changes === true,
);

describe('extra fields in bodies raise nobody', () => {
  test.each(['ann', 'visitor'] as const)('sent by %s', async (who) => {
    const before = await standing();
    const known = new Set(Object.keys(before));
    const succeeded: string[] = [];
    for (const call of writes) {
      const name = nameOf(call);
      const own = who === 'ann' ? { id: ids.ann, user_id: ids.ann } : { id: 1, user_id: 1 };
      const { username, password, ...sample } = sampleOf(call);
      for (const body of [
        { ...raising, ...own, ...sound[name] },
        {
          ...sample,
          ...(name === 'POST /api/setup' && { username, password }),
          ...raising,
          ...own,
          ...sound[name],
        },
      ]) {
        const path = call.path.replace(':id', String(own.id));
        const method = call.method === 'GET' ? 'POST' : call.method;
        const headers = who === 'ann' ? await sessionOf('ann') : {};
        const query = new URLSearchParams({ role: '100', quota: '900000000', status: '1' });
        const reply = await server.send(method, `${path}?${query}`, { headers, body });
        if (reply.json.success === true) succeeded.push(name);
        expect(reply.status, `${name} ${reply.text}`).toBeLessThan(500);
      }
      const after = await standing();
      for (const [id, row] of Object.entries(after)) {
        if (known.has(id)) expect({ name, id, row }).toEqual({ name, id, row: before[id] });
        else
          expect(row).toMatchObject({
            role: 1,
            status: 1,
            group: 'default',
            quota: 0,
            affQuota: 0,
            inviterId: 0,
            email: '',
          });
      }
    }
    const reached = Object.keys(sound).filter(
      (name) => who === 'ann' || accessOf(declared.get(name) as Endpoint) === 'visitor',
    );
    expect(
      reached.filter((name) => !succeeded.includes(name) && !name.endsWith('register')),
    ).toEqual([]);
  });

  test('an administrator raises neither himself nor his equals, and makes no administrators', async () => {
    const peer = await server.addUser('peer', { role: 10 });
    const before = await standing();
    for (const target of [ids.adm, peer, ids.boss]) {
      for (const call of writes) {
        const { username: _, password: __, ...sample } = sampleOf(call);
        const body = { ...sample, ...raising, id: target, user_id: target, ids: [target] };
        const path = call.path.replace(':id', String(target));
        const method = call.method === 'GET' ? 'POST' : call.method;
        const reply = await server.send(method, path, { headers: await sessionOf('adm'), body });
        expect(reply.status, `${nameOf(call)} ${reply.text}`).toBeLessThan(500);
        const after = await standing();
        for (const id of [ids.adm, peer, ids.boss])
          expect({ call: nameOf(call), id, row: after[id] }).toEqual({
            call: nameOf(call),
            id,
            row: before[id],
          });
        const roles = Object.entries(after).filter(([id]) => before[id] === undefined);
        for (const [id, row] of roles)
          expect({ id, role: (row as { role: number }).role }).toEqual({ id, role: 1 });
      }
    }
  });

  test('what an administrator may write is written, the rest of the body is not', async () => {
    for (const [name, body] of Object.entries(soundForAdmins)) {
      const method = name.split(' ')[0] ?? '';
      const reply = await server.send(method, '/api/user/', {
        headers: await sessionOf('adm'),
        body: { ...raising, id: ids.bob, ...body },
      });
      expect([name, reply.json.success]).toEqual([name, true]);
    }
    const after = await standing();
    const hired = Object.values(after).at(-1);
    for (const row of [after[ids.bob], hired])
      expect(row).toMatchObject({
        role: 1,
        status: 1,
        group: 'default',
        quota: 0,
        affQuota: 0,
        email: '',
        phone: null,
      });
  });
});
