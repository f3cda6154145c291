// Covers src/core.
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isDataFolderLocked } from '../../src/core/config/data-lock.ts';
import { readGatewayFile } from '../../src/core/config/gateway-file.ts';
import { loadConfig } from '../../src/core/config/load.ts';
import { silentLogger } from '../../src/core/kernel/logger.ts';
import { type Gateway, startGateway } from '../../src/server/start.ts';
import { codeOf } from '../support/app.ts';
import { startTestGateway } from '../support/gateway.ts';
import { startUpstream } from '../support/upstream.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'start-'));
});
const gateways: Gateway[] = [];
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(flags: Record<string, unknown> = {}): Promise<Gateway> {
  const { config } = loadConfig({
    flags: { 'data-dir': folder, port: 0, ...flags },
    environment: {},
    cwd: folder,
  });
  const gateway = await startGateway(config, { logger: silentLogger, version: 'test' });
  gateways.push(gateway);
  return gateway;
}

test('owns its folder, leaves its address in it, and nothing of both once closed', async () => {
  const heard: string[] = [];
  const { config } = loadConfig({
    flags: { 'data-dir': folder, port: 0 },
    environment: {},
    cwd: folder,
  });
  const gateway = await startGateway(config, {
    logger: silentLogger,
    version: 'test',
    onListening: (url) => heard.push(url),
  });
  gateways.push(gateway);
  expect(heard).toEqual([gateway.url]);
  expect(gateway.setupCode).toMatch(/^\w{3} \w{3}$/);
  const address = readGatewayFile(folder);
  expect(address).toMatchObject({ url: gateway.url, pid: process.pid });
  expect(address?.data).toEqual({
    database: join(folder, 'turnpike.db'),
    uploads: join(folder, 'uploads'),
  });
  const reply = await fetch(`${gateway.url}/api/option/`, {
    headers: { authorization: `Bearer ${address?.key.reveal()}` },
  });
  expect(await reply.json()).toMatchObject({ success: true });
  expect(await codeOf(start())).toBe('data_folder_locked');
  expect((await fetch(`${gateway.url}/api/status`)).status).toBe(200);
  await gateway.close();
  await gateway.close();
  expect(readGatewayFile(folder)).toBeUndefined();
  expect(isDataFolderLocked(folder)).toBe(false);
  await expect(fetch(`${gateway.url}/api/status`)).rejects.toThrow();
});

test('a port that is taken leaves the folder free', async () => {
  const first = await start();
  const other = mkdtempSync(join(tmpdir(), 'start-'));
  await expect(start({ 'data-dir': other, port: new URL(first.url).port })).rejects.toThrow(
    /EADDRINUSE/,
  );
  expect(isDataFolderLocked(other)).toBe(false);
  rmSync(other, { recursive: true });
});

test('what was set up is there after a restart', async () => {
  const first = await start();
  const body = {
    username: 'root',
    password: 'a long password',
    confirmPassword: 'a long password',
    setup_token: first.setupCode,
  };
  const post = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  expect((await fetch(`${first.url}/api/setup`, post)).status).toBe(200);
  await first.close();
  const second = await start();
  expect(second.setupCode).toBeUndefined();
  expect((await fetch(`${second.url}/api/setup`, post)).status).toBe(400);
});

test('closing lets a reply under way finish, is settled, and takes nothing new', async () => {
  const upstream = await startUpstream();
  let finish = () => {};
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  upstream.answer(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'a' } }] })}\n\n`,
    );
    await held;
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    response.end(
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage })}\n\ndata: [DONE]\n\n`,
    );
  });
  const gateway = await startTestGateway();
  await gateway.addChannel({ type: 1, baseUrl: upstream.url, models: 'gpt-4o' });
  const { key } = await gateway.addCustomer(1_000_000);
  const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'gpt-4o',
      stream: true,
      messages: [{ role: 'user', content: 'hi' }],
    }),
  });
  const closed = gateway.close();
  expect((await fetch(`${gateway.url}/api/status`)).status).toBe(503);
  finish();
  expect(await reply.text()).toContain('[DONE]');
  const before = Date.now();
  await closed;
  expect(Date.now() - before).toBeLessThan(20_000);
  await upstream.close();
});

test('closing does not wait for connections that only keep alive', async () => {
  const gateway = await start();
  await new Promise<void>((resolve, reject) => {
    request(
      `${gateway.url}/api/status`,
      { agent: undefined, headers: { connection: 'keep-alive' } },
      (response) => {
        response.resume().on('end', resolve);
      },
    )
      .on('error', reject)
      .end();
  });
  const before = Date.now();
  await gateway.close();
  expect(Date.now() - before).toBeLessThan(20_000);
});
