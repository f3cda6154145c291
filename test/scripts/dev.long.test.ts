/**
 * `npm run dev` as a developer starts it: everything comes up, works together, and goes when it is
 * stopped.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';

const root = join(import.meta.dirname, '../..');
const startMs = 45_000;
let printed = '';
let child: ChildProcess;
let ended: Promise<number | null>;

const find = (pattern: RegExp): string => pattern.exec(printed)?.[1] ?? '';
const consoleUrl = (): string => find(/Console\s+(\S+)/);

beforeAll(async () => {
  const words = [
    '--console-port',
    '0',
    '--port',
    '0',
    '--upstream-port',
    '0',
    '--days',
    '2',
    '--requests',
    '25',
    '--traffic',
    '0',
  ];
  child = spawn(process.execPath, [join(root, 'scripts/dev/start.ts'), ...words], { cwd: root });
  ended = new Promise((resolve) => child.once('close', resolve));
  const read = (chunk: unknown): void => {
    printed += String(chunk);
  };
  child.stdout?.on('data', read);
  child.stderr?.on('data', read);
  await vi.waitFor(() => expect(printed).toContain('Ctrl-C'), { timeout: startMs, interval: 100 });
}, startMs);

afterAll(async () => {
  child.kill('SIGTERM');
  await ended;
});

async function signIn(): Promise<Record<string, string>> {
  const [, username, password] = /Sign in\s+(\S+) \/ (\S+)/.exec(printed) ?? [];
  const reply = await fetch(`${consoleUrl()}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: consoleUrl() },
    body: JSON.stringify({ username, password }),
  });
  const { data } = (await reply.json()) as { data: { id: number } };
  return {
    cookie: reply.headers.get('set-cookie')?.split(';')[0] ?? '',
    'new-api-user': String(data.id),
  };
}

test('the console comes from its sources, and signs in through Vite', async () => {
  const page = await (await fetch(`${consoleUrl()}/`)).text();
  expect(page).toContain('@vite/client');
  const module = await fetch(`${consoleUrl()}/main.tsx`);
  expect(module.headers.get('content-type')).toContain('javascript');
  expect(await module.text()).toContain('createRoot');
  const headers = await signIn();
  const verified = await fetch(`${consoleUrl()}/api/turnpike/ledger/verify`, { headers });
  expect(await verified.json()).toMatchObject({ success: true, data: { ok: true, users: 13 } });
});

test('a chat reaches the scripted upstream, and its log row follows the demo history', async () => {
  const headers = await signIn();
  const logs = async () => {
    const reply = await fetch(`${consoleUrl()}/api/log/?p=1&type=2`, { headers });
    return ((await reply.json()) as { data: { total: number; items: { model_name: string }[] } })
      .data;
  };
  const before = await logs();
  expect(before.total).toBeGreaterThan(15);
  const reply = await fetch(`${consoleUrl()}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${find(/Token\s+(\S+)/)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      model: 'claude-haiku-5-5',
      messages: [{ role: 'user', content: 'Hello' }],
    }),
  });
  expect(await reply.json()).toMatchObject({
    choices: [{ message: { role: 'assistant', content: expect.stringMatching(/\w/) } }],
    usage: { prompt_tokens: expect.any(Number) },
  });
  const after = await logs();
  expect(after.total).toBe(before.total + 1);
  expect(after.items[0]?.model_name).toBe('claude-haiku-5-5');
});

test('WebSockets pass through Vite to the gateway', async () => {
  const socket = new WebSocket(`${consoleUrl().replace('http', 'ws')}/v1/responses`);
  const status = await new Promise((resolve) => {
    socket.on('unexpected-response', (_, response) => resolve(response.statusCode));
    socket.on('open', () => resolve('open'));
  });
  expect(status).toBe(401);
});

test('a signal ends everything and deletes the data', async () => {
  const folder = find(/Data\s+(\S+)/);
  expect(existsSync(folder)).toBe(true);
  child.kill('SIGINT');
  expect(await ended).toBe(0);
  expect(existsSync(folder)).toBe(false);
  for (const name of ['Gateway', 'Upstream', 'Console']) {
    await expect(fetch(find(new RegExp(`${name}\\s+(\\S+)`)))).rejects.toThrow();
  }
});
