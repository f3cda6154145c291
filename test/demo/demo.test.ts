// Covers src/demo, src/demo/site, src/demo/upstream.
/** `turnpike serve --demo`, without the command line: test/cli/process.long.test.ts has that. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readGatewayFile } from '../../src/core/config/gateway-file.ts';
import { loadConfig } from '../../src/core/config/load.ts';
import { layOutCall, type Transport } from '../../src/core/contract/client.ts';
import { silentLogger } from '../../src/core/kernel/logger.ts';
import { type Demo, openDemo } from '../../src/demo/demo.ts';
import { createRandom } from '../../src/demo/random.ts';
import { type Gateway, startGateway } from '../../src/server/start.ts';
import { runCli } from '../cli/run-cli.ts';

let demo: Demo;
let gateway: Gateway;

beforeAll(async () => {
  const { signal } = new AbortController();
  demo = await openDemo({
    notice: 'only a demo',
    stop: signal,
    requests: 12,
    perMinute: 0,
    upstream: {
      pace: { wait: async () => undefined, wordsPerEvent: 10 },
      random: { ...createRandom(1), chance: () => false },
    },
  });
  const { config } = loadConfig({
    flags: { 'data-dir': demo.dataDir, port: 0, durability: 'normal' },
    environment: {},
    cwd: demo.dataDir,
  });
  gateway = await startGateway(config, { logger: silentLogger, version: 'test', drainMs: 0 });
  await demo.begin(gateway.url);
});

afterAll(async () => {
  await gateway.close();
  await demo.close();
  expect(existsSync(demo.dataDir)).toBe(false);
});

async function read<T>(path: string): Promise<T> {
  const key = readGatewayFile(demo.dataDir)?.key.reveal() ?? '';
  const headers = { authorization: `Bearer ${key}`, 'new-api-user': '1' };
  const reply = await fetch(gateway.url + path, { headers });
  return ((await reply.json()) as { data: T }).data;
}

async function ask(path: string, body: object, wanted: string): Promise<string> {
  const key = demo.site.customers.find(({ models }) => models.some(([name]) => name === wanted));
  const reply = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key?.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await reply.text();
  expect({ status: reply.status, text }).toMatchObject({ status: 200 });
  return text;
}

test('there are people, channels, budgets and a history, and the books are right', async () => {
  expect(await read('/api/turnpike/ledger/verify')).toMatchObject({ ok: true, users: 13 });
  expect(await read('/api/channel/?p=0&page_size=100')).toHaveLength(12);
  expect(await read('/api/turnpike/budgets')).toHaveLength(3);
  const { items } = await read<{ items: { tags: string }[] }>('/api/log/?p=1&page_size=100&type=2');
  expect(items.length).toBeGreaterThan(6);
  expect(items.some(({ tags }) => tags.includes('app:'))).toBe(true);
  expect(await read('/api/status')).toMatchObject({ system_name: 'Turnpike demo' });
  const options = await read<{ key: string; value: string }[]>('/api/option/');
  expect(options).toContainEqual({ key: 'ServerAddress', value: gateway.url });
  expect(options).toContainEqual({ key: 'Notice', value: 'only a demo' });
});

test("all that the demo sells has its vendor's list price, as a comparison of the prices says", async () => {
  const key = readGatewayFile(demo.dataDir)?.key.reveal() ?? '';
  const transport: Transport = async (call, input) => {
    const { method, path } = layOutCall(call, input);
    const headers = { authorization: `Bearer ${key}`, 'new-api-user': '1' };
    const reply = await fetch(gateway.url + path, { method, headers });
    return { status: reply.status, body: await reply.json(), total: undefined };
  };
  const diff = async (flags: string[]) =>
    (await runCli(['pricing', 'diff', '--json', ...flags], { transport })).json<{
      items: object[];
    }>().items;
  expect((await read<object[]>('/api/pricing')).length).toBeGreaterThan(5);
  expect(await diff([])).toEqual([]);
  expect(await diff(['--all'])).toEqual([]);
});

test.each([
  ['/v1/chat/completions', 'claude-haiku-5-5', '"usage"'],
  ['/v1/responses', 'gpt-6-sol', '"response.completed"'],
  ['/v1/responses', 'claude-haiku-5-5', '"response.completed"'],
  ['/v1/messages', 'gpt-6-sol', '"message_stop"'],
  ['/v1beta/models/qwen3.7-plus:streamGenerateContent?alt=sse', 'qwen3.7-plus', '"STOP"'],
])('%s is answered by %s', async (path, model, end) => {
  const messages = [{ role: 'user', content: 'hello' }];
  const body = path.includes('responses')
    ? { model, stream: true, input: 'hello' }
    : path.startsWith('/v1beta')
      ? { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] }
      : { model, messages, max_tokens: 100, stream: true, stream_options: { include_usage: true } };
  expect(await ask(path, body, model)).toContain(end);
});

test('an image is a picture, and charged', async () => {
  const body = { model: 'gpt-image-2', prompt: 'a toll gate', n: 1, size: '1024x1024' };
  const { data } = JSON.parse(await ask('/v1/images/generations', body, 'gpt-image-2'));
  const picture = Buffer.from(data[0].b64_json, 'base64');
  expect([...picture.subarray(1, 4)].map((byte) => String.fromCharCode(byte)).join('')).toBe('PNG');
  expect(picture.readUInt32BE(16)).toBe(256);
  const { items } = await read<{ items: { model_name: string; quota: number }[] }>(
    '/api/log/?p=1&type=2',
  );
  expect(items[0]).toMatchObject({ model_name: 'gpt-image-2' });
  expect(items[0]?.quota).toBeGreaterThan(0);
});

test('a demo that is stopped while it is made leaves no folder', async () => {
  const temporary = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
  vi.stubEnv('TMPDIR', temporary);
  try {
    const stop = AbortSignal.abort(new Error('stopped'));
    await expect(openDemo({ notice: '', stop })).rejects.toThrow('stopped');
    expect(readdirSync(temporary)).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
    rmSync(temporary, { recursive: true });
  }
});
