/** Budgets on every way to a vendor (docs/rules/budgets.md#admission). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callerFormats } from '../../../../src/core/relay/formats/index.ts';
import { taskRoutes } from '../../../../src/core/relay/tasks/index.ts';
import type { TestGateway } from '../../../support/gateway.ts';
import {
  paidChat as chat,
  paidModel as model,
  ofFormats,
  ofTasks,
  startPaidGateway,
} from '../../../support/paid-routes.ts';
import { openSocket, refusedSocket } from '../../../support/socket-client.ts';
import type { TestUpstream } from '../../../support/upstream.ts';

let site: Awaited<ReturnType<typeof startPaidGateway>>;
let gateway: TestGateway;
let upstream: TestUpstream;

beforeAll(async () => {
  site = await startPaidGateway();
  ({ gateway, upstream } = site);
});
afterAll(() => site.close());
beforeEach(() => site.reset());

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

function post(
  path: string,
  headers: Record<string, string>,
  body: unknown = chat,
): Promise<Response> {
  const isForm = body instanceof FormData;
  return fetch(gateway.url + path, {
    method: 'POST',
    headers: {
      'accept-language': 'en',
      ...(isForm ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: isForm ? body : JSON.stringify(body),
  });
}

/** A month's budget of a user, over all that user's tokens. */
const addBudget = (userId: number, fields: Record<string, unknown> = {}) =>
  gateway.client.budgets.create({
    owner: 'user',
    owner_id: String(userId),
    amount: 0,
    name: 'pocket money',
    ...fields,
  });

/** A customer whose budget is used up: it spent something, and may spend nothing. */
async function addExhausted(fields: Record<string, unknown> = {}) {
  const customer = await gateway.addCustomer(10_000_000);
  expect((await post('/v1/chat/completions', bearer(customer.key))).status).toBe(200);
  const budget = await addBudget(customer.userId, fields);
  upstream.requests.length = 0;
  return { ...customer, budget };
}

async function signIn(username: string, userId: number): Promise<Record<string, string>> {
  const reply = await fetch(`${gateway.url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: 'customer-password' }),
  });
  const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { cookie, 'new-api-user': String(userId) };
}

describe('a budget that is used up', () => {
  it.each(Object.entries(ofFormats))('refuses %s before any vendor is called', async (_, route) => {
    const { key } = await addExhausted();
    const reply = await post(route[0], bearer(key), route[1]);
    const text = await reply.text();
    expect({ status: reply.status, text }).toMatchObject({
      status: 429,
      text: expect.stringContaining('pocket money'),
    });
    expect(reply.headers.get('x-should-retry')).toBe('false');
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(upstream.requests).toEqual([]);
  });

  it('has a request here for every format there is', () => {
    const formats = Object.keys(callerFormats).filter((name) => name !== 'openai-realtime');
    expect(Object.keys(ofFormats).sort()).toEqual(formats.sort());
  });

  it.each(ofTasks)('refuses the submit at %s', async (path, body) => {
    const { key } = await addExhausted();
    const reply = await post(path, bearer(key), body);
    expect(await reply.text()).toContain('pocket money');
    expect(reply.ok).toBe(false);
    expect(upstream.requests).toEqual([]);
  });

  it('has a submit here for every task platform there is', () => {
    const platforms = taskRoutes.filter(({ calls }) =>
      calls.some((call) => call.kind === 'submit' && call.login === undefined),
    );
    for (const { calls } of platforms) {
      const isTried = calls.some(({ pattern }) => ofTasks.some(([path]) => pattern.test(path)));
      expect(isTried).toBe(true);
    }
  });

  describe('of a tag', () => {
    const tagged = (key: string) => ({ ...bearer(key), 'x-turnpike-tags': 'job:night, team:blue' });
    const all = [...Object.values(ofFormats), ...ofTasks].map(([path, body]) => ({ path, body }));

    it.each(all)('refuses $path with it, and lets others pass', async ({ path, body }) => {
      const { key } = await addExhausted({ tag: 'team:blue' });
      const refused = await post(path, tagged(key), body);
      expect(await refused.text()).toContain('pocket money');
      expect(upstream.requests).toEqual([]);
      const passed = await post(path, { ...bearer(key), 'x-turnpike-tags': 'team:red' }, body);
      expect(await passed.text()).not.toContain('pocket money');
    });

    it('refuses sockets with it', async () => {
      const { key } = await addExhausted({ tag: 'team:blue' });
      const sockets = gateway.url.replace('http', 'ws');
      const realtime = await refusedSocket(`${sockets}/v1/realtime?model=${model}`, {
        headers: tagged(key),
      });
      expect(realtime).toMatchObject({ status: 429, body: { error: { code: 'budget_exceeded' } } });
      const socket = await openSocket(`${sockets}/v1/responses`, { headers: tagged(key) });
      socket.send({ type: 'response.create', model, input: 'hello' });
      expect(JSON.stringify(await socket.next())).toContain('pocket money');
      socket.socket.close();
      await socket.closed;
      expect(upstream.requests).toEqual([]);
    });

    it('counts what its tag cost already, and only that; the ledger proves it', async () => {
      const { key, userId } = await gateway.addCustomer(10_000_000);
      const spend = async (tags: string) => {
        const reply = await post('/v1/chat/completions', {
          ...bearer(key),
          'x-turnpike-tags': tags,
        });
        expect(reply.status).toBe(200);
      };
      await spend('team:blue');
      await spend('team:blues');
      const budget = await addBudget(userId, { tag: 'team:blue', amount: 5_000_000 });
      const spent = async () => {
        const status = (await gateway.client.budgets.status({ page_size: 100 })).items;
        return status.find(({ id }) => id === budget.id)?.windows[0]?.spent ?? 0;
      };
      const each = await spent();
      expect(each).toBeGreaterThan(0);
      await spend('job:night,team:blue');
      await spend('job:night');
      expect(await spent()).toBe(2 * each);
      expect(await gateway.client.ledger.verify()).toMatchObject({ ok: true });
      const change = { id: budget.id, tag: 'job:night' };
      await gateway.client.budgets.update(change);
      expect(await spent()).toBe(2 * each);
      await expect(
        gateway.client.budgets.update({ id: budget.id, tag: 'two,tags' }),
      ).rejects.toMatchObject({ code: 'budget_field_invalid' });
    });
  });

  it('refuses the playgrounds', async () => {
    const { userId, username } = await addExhausted();
    const login = await signIn(username, userId);
    for (const [path, body] of [
      ['/pg/chat/completions', { ...chat, group: 'default' }],
      ['/pg/images/generations', { model: 'dall-e-3', prompt: 'a cat', group: 'default' }],
      ['/pg/videos/generations', { model, prompt: 'a film', group: 'default' }],
    ] as const) {
      const reply = await post(path, login, body);
      expect(await reply.text()).toContain('pocket money');
    }
    expect(upstream.requests).toEqual([]);
  });

  it('refuses sockets: a realtime session before it begins, a frame of Responses', async () => {
    const { key } = await addExhausted();
    const sockets = gateway.url.replace('http', 'ws');
    const realtime = await refusedSocket(`${sockets}/v1/realtime?model=${model}`, {
      headers: bearer(key),
    });
    expect(realtime).toMatchObject({ status: 429, body: { error: { code: 'budget_exceeded' } } });
    const socket = await openSocket(`${sockets}/v1/responses`, { headers: bearer(key) });
    socket.send({ type: 'response.create', model, input: 'hello' });
    expect(JSON.stringify(await socket.next())).toContain('pocket money');
    socket.socket.close();
    await socket.closed;
    expect(upstream.requests).toEqual([]);
  });

  it('is the only way to a hold: no other code asks the ledger for one', () => {
    const relay = join(import.meta.dirname, '../../../../src/core/relay');
    const holding = readdirSync(relay, { recursive: true, encoding: 'utf8' }).filter(
      (name) =>
        name.endsWith('.ts') && /ledger\s*\.hold\(/.test(readFileSync(join(relay, name), 'utf8')),
    );
    expect(holding).toEqual(['charge/hold.ts']);
  });
});

describe('a budget', () => {
  it('says in the reply what is left of it and when it begins anew', async () => {
    const { key, userId } = await gateway.addCustomer(10_000_000);
    await addBudget(userId, { amount: 5_000_000, period: 'day' });
    const reply = await post('/v1/chat/completions', bearer(key));
    expect(reply.status).toBe(200);
    expect(reply.headers.get('x-turnpike-budget')).toBe('pocket%20money');
    expect(reply.headers.get('x-turnpike-budget-limit')).toBe('5000000');
    expect(Number(reply.headers.get('x-turnpike-budget-remaining'))).toBeLessThan(5_000_000);
    expect(reply.headers.get('x-turnpike-budget-reset')).toMatch(/T00:00:00\.000Z$/);
  });

  it('that is of a token leaves the user’s other tokens alone, one of some models the others', async () => {
    const { key, tokenId, userId, username } = await addExhausted({ enabled: false });
    const other = await gateway.client.userTokens.create({
      name: 'other',
      unlimited_quota: true,
      user: username,
    });
    await addBudget(userId, { owner: 'token', owner_id: String(tokenId) });
    expect((await post('/v1/chat/completions', bearer(key))).status).toBe(429);
    expect((await post('/v1/chat/completions', bearer(`sk-${other.key}`))).status).toBe(200);
    await addBudget(userId, { models: 'another' });
    expect((await post('/v1/chat/completions', bearer(`sk-${other.key}`))).status).toBe(200);
    await addBudget(userId, { models: `another,${model}` });
    expect((await post('/v1/chat/completions', bearer(`sk-${other.key}`))).status).toBe(429);
  });

  it('for each token gives each its own, and one of the group is for all its users', async () => {
    const { key, userId, username, budget } = await addExhausted({ each: 'token' });
    const fresh = await gateway.client.userTokens.create({
      name: 'fresh',
      unlimited_quota: true,
      user: username,
    });
    await gateway.client.budgets.update({ id: budget.id, amount: 10_000 });
    const spend = (token: string) => post('/v1/chat/completions', bearer(token));
    expect((await spend(key)).status).toBe(200);
    expect((await spend(`sk-${fresh.key}`)).status).toBe(200);
    const [status] = (await gateway.client.budgets.status({ page_size: 100 })).items.filter(
      ({ id }) => id === budget.id,
    );
    expect(status?.windows).toHaveLength(2);
    const group = await addBudget(userId, { owner: 'group', owner_id: 'default' });
    expect((await spend(`sk-${fresh.key}`)).status).toBe(429);
    await gateway.client.budgets.remove({ id: group.id });
    expect((await spend(`sk-${fresh.key}`)).status).toBe(200);
  });

  it('of each conversation knows it by its beginning or the client’s name of it', async () => {
    const { key, userId } = await gateway.addCustomer(10_000_000);
    await addBudget(userId, { each: 'conversation', period: 'total', amount: 10_000 });
    const talk = (first: string, headers: Record<string, string> = {}) => {
      const turns = [{ role: 'user', content: first }];
      return post(
        '/v1/chat/completions',
        { ...bearer(key), ...headers },
        { model, messages: turns },
      );
    };
    await talk('one');
    await talk('one');
    await talk('another');
    await talk('one', { 'session-id': 's' });
    const [budget] = (await gateway.client.budgets.status({ page_size: 100 })).items.filter(
      ({ owner_id: id }) => id === String(userId),
    );
    const spent = budget?.windows.map((window) => window.spent) ?? [];
    expect(spent).toHaveLength(3);
    expect(spent[0]).toBe(2 * (spent[1] ?? 0));
  });

  it('is the limit that OpenAI’s billing calls report, where less is left of it', async () => {
    const { key, userId } = await gateway.addCustomer(10_000_000);
    await post('/v1/chat/completions', bearer(key));
    const figures = async () => {
      const read = async (path: string) => {
        const reply = await fetch(`${gateway.url}${path}`, { headers: bearer(key) });
        return (await reply.json()) as Record<string, number>;
      };
      const { hard_limit_usd: limit = 0 } = await read('/v1/dashboard/billing/subscription');
      const { total_usage: usage = 0 } = await read('/dashboard/billing/usage');
      return Math.round((limit - usage / 100) * 500_000);
    };
    expect(await figures()).toBeGreaterThan(10_000_000);
    const { id } = await addBudget(userId, { amount: 500_000 });
    const [status] = (await gateway.client.budgets.status({ page_size: 100 })).items.filter(
      (one) => one.id === id,
    );
    expect(await figures()).toBe(status?.windows[0]?.left);
    await gateway.client.budgets.update({ id, closed_days: '1,2,3,4,5,6,7' });
    expect(await figures()).toBe(0);
  });

  describe('of each conversation with a fence', () => {
    const fence = { each: 'conversation', period: 'total', amount: 5_000_000 };
    const call = (name: string) => ({
      role: 'assistant',
      tool_calls: [{ id: name, type: 'function', function: { name, arguments: '{}' } }],
    });
    const turnsOf = (names: readonly string[]) => [
      { role: 'user', content: 'fix it' },
      ...names.flatMap((name) => [call(name), { role: 'tool', tool_call_id: name, content: 'no' }]),
    ];
    const talk = (key: string, names: readonly string[]) =>
      post('/v1/chat/completions', bearer(key), { model, messages: turnsOf(names) });

    it('stops a loop before the vendor is called, and lets it go on with a grant', async () => {
      const { key, userId } = await gateway.addCustomer(10_000_000);
      const budget = await addBudget(userId, { ...fence, most_repeats: 4 });
      expect((await talk(key, ['a', 'b', 'b', 'b'])).status).toBe(200);
      upstream.requests.length = 0;
      const stopped = await talk(key, ['a', 'b', 'b', 'b', 'b']);
      expect(await stopped.json()).toMatchObject({
        error: { code: 'fence_repeats', message: expect.stringContaining('4 times') },
      });
      expect(stopped.status).toBe(429);
      expect(stopped.headers.get('x-should-retry')).toBe('false');
      expect(stopped.headers.get('retry-after')).toBeNull();
      expect(upstream.requests).toEqual([]);
      const [status] = (await gateway.client.budgets.status({ page_size: 100 })).items.filter(
        ({ id }) => id === budget.id,
      );
      const [window] = status?.windows ?? [];
      expect(status?.windows).toHaveLength(1);
      await gateway.client.budgets.grant({ id: budget.id, window: window?.id ?? 0, amount: 1 });
      expect((await talk(key, ['a', 'b', 'b', 'b', 'b'])).status).toBe(200);
      expect((await talk(key, ['b', 'b', 'b', 'b', 'b', 'b', 'b', 'b'])).status).toBe(429);
      // Another conversation never was in it.
      const other = { model, messages: [{ role: 'user', content: 'hello' }] };
      expect((await post('/v1/chat/completions', bearer(key), other)).status).toBe(200);
    });

    it('counts its requests, also after a restart', async () => {
      const { key, userId } = await gateway.addCustomer(10_000_000);
      const budget = await addBudget(userId, { ...fence, most_requests: 2 });
      expect((await talk(key, [])).status).toBe(200);
      await gateway.restart();
      expect((await talk(key, ['a'])).status).toBe(200);
      const stopped = await talk(key, ['a', 'b']);
      expect(await stopped.json()).toMatchObject({ error: { code: 'fence_requests' } });
      const [status] = (await gateway.client.budgets.status({ page_size: 100 })).items.filter(
        ({ id }) => id === budget.id,
      );
      const [window] = status?.windows ?? [];
      await gateway.client.budgets.grant({ id: budget.id, window: window?.id ?? 0, amount: 1 });
      expect((await talk(key, ['a', 'b'])).status).toBe(200);
      expect((await talk(key, ['a', 'b', 'c'])).status).toBe(200);
      expect((await talk(key, ['a', 'b', 'c', 'd'])).status).toBe(429);
    });

    it('of each agent knows it by its instructions', async () => {
      const { key, userId } = await gateway.addCustomer(10_000_000);
      await addBudget(userId, { ...fence, each: 'agent', most_requests: 1 });
      const ask = (system: string, question: string) =>
        post('/v1/chat/completions', bearer(key), {
          model,
          messages: [
            { role: 'system', content: system },
            { role: 'user', content: question },
          ],
        });
      expect((await ask('one', 'a')).status).toBe(200);
      expect((await ask('one', 'b')).status).toBe(429);
      expect((await ask('two', 'b')).status).toBe(200);
      // Without instructions it is none.
      expect((await post('/v1/chat/completions', bearer(key))).status).toBe(200);
      expect((await post('/v1/chat/completions', bearer(key))).status).toBe(200);
    });
  });

  it('that is raised or given more lets requests in at once', async () => {
    const { key, budget } = await addExhausted();
    const spend = () => post('/v1/chat/completions', bearer(key));
    expect((await spend()).status).toBe(429);
    const [status] = (await gateway.client.budgets.status({ page_size: 100 })).items.filter(
      ({ id }) => id === budget.id,
    );
    const window = status?.windows[0];
    await gateway.client.budgets.grant({ id: budget.id, window: window?.id ?? 0, amount: 100_000 });
    expect((await spend()).status).toBe(200);
    await gateway.client.budgets.update({ id: budget.id, closed_days: '1,2,3,4,5,6,7' });
    const closed = await spend();
    expect(closed.status).toBe(429);
    expect(await closed.json()).toMatchObject({ error: { code: 'budget_closed' } });
    expect(closed.headers.get('x-should-retry')).toBe('false');
    await gateway.client.budgets.update({ id: budget.id, at_end: 'warn' });
    expect((await spend()).status).toBe(200);
  });

  it('counts the same after a restart', async () => {
    const { key, budget } = await addExhausted();
    await gateway.client.budgets.update({ id: budget.id, amount: 100_000 });
    await post('/v1/chat/completions', bearer(key));
    const spentNow = async () => {
      const all = (await gateway.client.budgets.status({ page_size: 100 })).items;
      return all.find(({ id }) => id === budget.id)?.windows[0]?.spent;
    };
    const before = await spentNow();
    expect(before).toBeGreaterThan(0);
    await gateway.restart();
    expect(await spentNow()).toBe(before);
    await gateway.client.budgets.update({ id: budget.id, amount: before ?? 0 });
    expect((await post('/v1/chat/completions', bearer(key))).status).toBe(429);
    expect((await gateway.client.ledger.verify()).ok).toBe(true);
  });
});
