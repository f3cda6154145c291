// Covers src/core/relay/tasks/image src/core/relay/background/serve-images.ts src/core/relay/client/kept-reply.ts src/core/relay/client/running-images.ts src/core/relay/send-content.ts
/** Images that the playground orders: what was paid is kept (docs/rules/relay.md#playground-images). */

import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { sendJson, startUpstream, type TestUpstream } from '../../../support/upstream.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);
const madeOf = (count: number) => ({
  created: 1,
  data: Array.from({ length: count }, () => ({ b64_json: png.toString('base64') })),
});
const soon = { timeout: 60_000 };

let gateway: TestGateway;
let upstream: TestUpstream;
const folder = mkdtempSync(join(tmpdir(), 'turnpike-images-'));
const files = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startTestGateway({ UPLOAD_DIR: folder, FETCH_ALLOW_HOSTS: '127.0.0.1' });
  await gateway.set('RetryTimes', 0);
  await gateway.addChannel({ type: 1, baseUrl: upstream.url, models: 'dall-e-3,dall-e-2' });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
  rmSync(folder, { recursive: true, force: true });
});

async function signIn() {
  const { userId, username, key } = await gateway.addCustomer(1_000_000);
  const reply = await fetch(`${gateway.url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: 'customer-password' }),
  });
  const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { userId, username, key, headers: { cookie, 'new-api-user': String(userId) } };
}
type Login = Awaited<ReturnType<typeof signIn>>;

function order(login: Login, fields: object = {}, key = 'run', signal?: AbortSignal) {
  return fetch(`${gateway.url}/pg/images/generations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-playground-key': key, ...login.headers },
    body: JSON.stringify({ model: 'dall-e-3', prompt: 'a gate', n: 1, group: '', ...fields }),
    ...(signal && { signal }),
  });
}

interface Listed {
  readonly id: number;
  readonly task_id: string;
  readonly quota: number;
  readonly status: string;
  readonly properties: { readonly key: string; readonly input: Record<string, unknown> };
  readonly data: { readonly images: readonly { readonly url: string }[] };
}

async function list({ headers }: Pick<Login, 'headers'>): Promise<readonly Listed[]> {
  const reply = await fetch(`${gateway.url}/api/task/self?platform=image`, { headers });
  return ((await reply.json()) as { data: Listed[] }).data;
}
const get = async (path: string, headers: Record<string, string> = {}) => {
  const reply = await fetch(gateway.url + path, { headers });
  const bytes = Buffer.from(await reply.arrayBuffer());
  return { status: reply.status, type: reply.headers.get('content-type'), bytes };
};
const balance = async ({ userId }: Login) => (await gateway.client.user.get({ id: userId })).quota;

/** Holds the upstream's replies until `answer`. */
function hold() {
  const waiting: ServerResponse[] = [];
  upstream.answer((response) => void waiting.push(response));
  return {
    waiting,
    asked: () => vi.waitFor(() => expect(waiting).toHaveLength(1), soon),
    answer: (count = 1) =>
      waiting.forEach((response) => void sendJson(response, 200, madeOf(count))),
  };
}

test('an order is kept with its images, settings and cost, charged once', async () => {
  const login = await signIn();
  upstream.answer((response) => sendJson(response, 200, madeOf(1)));
  const reply = await order(login, { size: '1792x1024', quality: 'hd' }, 'first');
  expect(((await reply.json()) as { data: unknown[] }).data).toHaveLength(1);
  await vi.waitFor(async () => expect(await list(login)).toHaveLength(1), soon);
  const [task] = await list(login);
  expect(task).toMatchObject({
    status: 'SUCCESS',
    quota: 1_000_000 - (await balance(login)),
    properties: {
      key: 'first',
      model: 'dall-e-3',
      group: 'default',
      input: { prompt: 'a gate', size: '1792x1024', quality: 'hd', n: 1 },
    },
  });
  expect(task?.quota).toBeGreaterThan(0);
  expect(await get(task?.data.images[0]?.url ?? '')).toEqual({
    status: 200,
    type: 'image/png',
    bytes: png,
  });
  expect((await gateway.client.ledger.verify({})).ok).toBe(true);
});

test('a page that is left loses nothing: the order goes on, is charged and kept', async () => {
  const login = await signIn();
  const { asked, answer, waiting } = hold();
  const page = new AbortController();
  const sent = order(login, {}, 'left', page.signal).catch(() => undefined);
  await asked();
  page.abort();
  await sent;
  expect(await list(login)).toEqual([]);
  expect(waiting[0]?.destroyed).toBe(false);
  answer();
  await vi.waitFor(async () => expect(await list(login)).toHaveLength(1), soon);
  const [task] = await list(login);
  expect([task?.properties.key, 1_000_000 - (await balance(login))]).toEqual(['left', task?.quota]);
});

test('stopped by its own call, an order ends at the upstream and costs nothing; by others it does not', async () => {
  const [login, other] = [await signIn(), await signIn()];
  const { asked, waiting } = hold();
  const sent = order(login, {}, 'stop');
  await asked();
  const stop = (headers: Record<string, string>) =>
    fetch(`${gateway.url}/pg/images/generations/stop`, { method: 'DELETE', headers });
  expect((await stop({})).status).toBe(401);
  expect((await stop({ ...login.headers, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await stop(other.headers)).status).toBe(200);
  expect(waiting[0]?.destroyed).toBe(false);
  const [upstreamReply] = waiting;
  if (upstreamReply === undefined) throw new Error('not asked');
  const closed = once(upstreamReply, 'close');
  expect((await stop(login.headers)).status).toBe(200);
  await closed;
  await expect(sent.then((reply) => reply.text())).rejects.toThrow();
  expect([await list(login), await balance(login)]).toEqual([[], 1_000_000]);
});

test('what fails or is refused is told, costs nothing and is not kept', async () => {
  const login = await signIn();
  upstream.answer((response) => sendJson(response, 500, { error: { message: 'no' } }));
  expect((await order(login)).status).toBe(500);
  expect((await order(login, { prompt: '' })).status).toBe(400);
  expect([await list(login), await balance(login)]).toEqual([[], 1_000_000]);
});

test('an image at an address is fetched; one that cannot be keeps its address', async () => {
  const login = await signIn();
  upstream.answer((response, request) => {
    if (request.path === '/gone.png') return void response.writeHead(404).end();
    if (request.method === 'GET')
      return void response.setHeader('content-type', 'image/png').end(png);
    const data = ['/made.png', '/gone.png'].map((path) => ({ url: upstream.url + path }));
    return sendJson(response, 200, { created: 1, data });
  });
  expect((await order(login, { model: 'dall-e-2', n: 2 })).status).toBe(200);
  await vi.waitFor(async () => expect(await list(login)).toHaveLength(1), soon);
  await vi.waitFor(async () => {
    const urls = (await list(login))[0]?.data.images.map(({ url }) => url);
    expect(urls).toEqual([expect.stringMatching(/^\/pg\//), `${upstream.url}/gone.png`]);
  }, soon);
  const [task] = await list(login);
  expect((await get(task?.data.images[0]?.url ?? '')).bytes).toEqual(png);
});

test('an edit is an order like any other, sent as a form', async () => {
  const login = await signIn();
  upstream.answer((response) => sendJson(response, 200, madeOf(1)));
  const form = new FormData();
  for (const [name, value] of [
    ['model', 'dall-e-2'],
    ['group', 'default'],
    ['prompt', 'make it night'],
  ] as const)
    form.set(name, value);
  form.set('image', new Blob([png], { type: 'image/png' }), 'image.png');
  const reply = await fetch(`${gateway.url}/pg/images/edits`, {
    method: 'POST',
    headers: { 'x-playground-key': 'edit', ...login.headers },
    body: form,
  });
  expect(reply.status).toBe(200);
  expect(upstream.requests.at(-1)?.path).toBe('/v1/images/edits');
  expect(upstream.requests.at(-1)?.text).not.toContain('name="group"');
  await vi.waitFor(
    async () => expect(await list(login)).toMatchObject([{ properties: { key: 'edit' } }]),
    soon,
  );
});

test('every way to an image asks whose it is, until it is deleted', async () => {
  const [owner, other] = [await signIn(), await signIn()];
  upstream.answer((response) => sendJson(response, 200, madeOf(2)));
  await (await order(owner, { model: 'dall-e-2', n: 2 })).text();
  const urlsOf = async () => (await list(owner))[0]?.data.images.map(({ url }) => url) ?? [];
  await vi.waitFor(async () => expect((await urlsOf()).filter(Boolean)).toHaveLength(2), soon);
  const [task] = await list(owner);
  const [first = '', second = ''] = await urlsOf();
  const plain = first.split('?')[0] ?? '';
  const status = async (path: string, headers: Record<string, string> = {}) =>
    (await get(path, headers)).status;
  const admins = await gateway.client.task.list({
    platform: 'image',
    task_id: task?.task_id ?? '',
  });
  const data = admins.items[0]?.data as Listed['data'];
  expect([
    await status(first),
    await status(second),
    await status(plain, owner.headers),
    await status(data.images[0]?.url ?? ''),
  ]).toEqual([200, 200, 200, 200]);
  expect([
    await status(plain),
    await status(plain, other.headers),
    await status(plain, { authorization: `Bearer ${owner.key}` }),
    await status(`${plain.slice(0, -1)}2?${first.split('?')[1]}`),
    await status(first.replace(/exp=\d+/, 'exp=9999999999')),
    await status(`${plain}?exp=1&sig=1`),
    await status(`${plain.slice(0, -1)}3`, owner.headers),
  ]).toEqual([401, 400, 400, 403, 403, 403, 410]);
  expect(await list(other)).toEqual([]);
  const remove = async ({ headers }: Login, id = task?.id) =>
    (
      await fetch(`${gateway.url}/api/turnpike/self/tasks/${id}`, { method: 'DELETE', headers })
    ).json() as Promise<{ success: boolean; code?: string }>;
  expect(await remove(other)).toMatchObject({ success: false });
  const before = files().length;
  expect(await remove(owner)).toMatchObject({ success: true });
  expect([await list(owner), files().length, await status(first)]).toEqual([[], before - 2, 410]);
  expect(await remove(owner)).toMatchObject({ success: false });
  expect((await gateway.client.ledger.verify({})).ok).toBe(true);
});
