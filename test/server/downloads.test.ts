/** Downloads over a socket (docs/rules/usage-logs.md#export). */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { createHttpTransport } from '../../src/cli/connection/http-transport.ts';
import { toQuota } from '../../src/core/kernel/quota.ts';
import { Secret } from '../../src/core/kernel/secret.ts';
import { runCli } from '../cli/run-cli.ts';
import { startTestServer, type TestServer } from './http.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function serverWithLogs(count: number, content = ''): Promise<TestServer> {
  const server = await startTestServer();
  const rows = Array.from({ length: count }, (_, index) => ({
    userId: 1,
    createdAt: 1000 + index,
    type: 2,
    content,
  }));
  for (let start = 0; start < count; start += 2000)
    await server.app.storage.logs.insertMany(rows.slice(start, start + 2000));
  return server;
}

const remote = ({ url, operatorKey }: TestServer) =>
  createHttpTransport({ url, key: new Secret(operatorKey), language: 'en', isOperator: true });

test('a download has its name, type and number of rows; a refusal is an envelope', async () => {
  const { send, signIn } = await serverWithLogs(3);
  const headers = await signIn('root');
  const reply = await send('GET', '/api/turnpike/log/export?format=csv&type=2', { headers });
  expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(reply.headers.get('content-disposition')).toBe('attachment; filename="usage-logs.csv"');
  expect(reply.headers.get('x-total-count')).toBe('3');
  expect(reply.text.split('\r\n')).toHaveLength(5);
  const refused = await send('GET', '/api/turnpike/log/export?format=xml', { headers });
  expect(refused.json).toMatchObject({ success: false, code: 'invalid_parameter' });
  expect((await send('GET', '/api/turnpike/log/export?format=csv')).status).toBe(401);
});

test('is read no faster than the client reads, and no further once the client has left', async () => {
  const { app, url, operatorKey } = await serverWithLogs(40_000, 'x'.repeat(2000));
  const read = vi.spyOn(app.storage.logs, 'listBefore');
  const controller = new AbortController();
  const reply = await fetch(`${url}/api/turnpike/log/export?format=jsonl`, {
    headers: { authorization: `Bearer ${operatorKey}` },
    signal: controller.signal,
  });
  const reader = reply.body?.getReader();
  await reader?.read();
  const settle = () => new Promise((resolve) => setTimeout(resolve, 400));
  await settle();
  const waiting = read.mock.calls.length;
  expect(waiting).toBeLessThan(40);
  controller.abort();
  const readMeanwhile = async () => {
    const before = read.mock.calls.length;
    await settle();
    return read.mock.calls.length - before;
  };
  await expect.poll(readMeanwhile).toBe(0);
  expect(read.mock.calls.length).toBeLessThan(40);
});

test('logs export over a remote gateway writes the file when it is complete, and no existing one', async () => {
  const server = await serverWithLogs(2500);
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-export-'));
  folders.push(folder);
  const file = join(folder, 'logs.jsonl');
  const transport = remote(server);
  const run = (...argv: string[]) => runCli(argv, { transport });
  const done = await run('logs', 'export', file, '--type', 'usage', '--lang', 'en');
  expect(done).toMatchObject({ exitCode: 0, stdout: '' });
  expect(done.stderr).toContain(`Saved ${file}`);
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2500);
  expect(readdirSync(folder)).toEqual(['logs.jsonl']);
  const again = await run('logs', 'export', file, '--lang', 'en');
  expect(again.exitCode).toBe(2);
  expect(again.stderr).toContain('exists already');
});

test('a download that breaks off leaves no file', async () => {
  const server = await serverWithLogs(2500);
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-export-'));
  folders.push(folder);
  const read = server.app.storage.logs.listBefore.bind(server.app.storage.logs);
  vi.spyOn(server.app.storage.logs, 'listBefore').mockImplementation((filter, after, limit) =>
    after === undefined
      ? read(filter, after, limit)
      : Promise.reject(new Error('the disk is gone')),
  );
  const run = await runCli(['logs', 'export', join(folder, 'logs.csv')], {
    transport: remote(server),
  });
  expect(run.exitCode).not.toBe(0);
  expect(readdirSync(folder)).toEqual([]);
});

test('ledger statement prints the sums, or CSV whose amounts add up', async () => {
  const server = await startTestServer();
  await server.addUser('ann', { quota: 500_000 });
  await server.app.ledger.post({
    userId: 2,
    kind: 'adjustment',
    amount: toQuota(-20_000),
    reference: null,
  });
  const transport = remote(server);
  const shown = await runCli(['ledger', 'statement', '--user', '2', '--lang', 'en'], { transport });
  expect(shown.stdout).toMatch(/^ann {2}\d{4}-\d{2}/);
  expect(shown.stdout).toContain('opening balance');
  const csv = await runCli(['ledger', 'statement', '--user', '2', '--csv'], { transport });
  const lines = csv.stdout
    .replace('\uFEFF', '')
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
  const [head = [], ...rows] = lines;
  const columns = ['date', 'kind', 'detail', 'count', 'quota', 'amount', 'posting_id', 'reference'];
  expect(head).toEqual(columns);
  const quota = (row: readonly string[] | undefined) => Number(row?.[4]);
  // Money spent is a number too, which a spreadsheet adds up.
  expect(rows.map((row) => row[5])).toEqual(['0', '1', '-0.04', '0.96']);
  expect(rows[0]?.[1]).toBe('opening_balance');
  expect(rows.at(-1)?.[1]).toBe('closing_balance');
  expect(rows.slice(0, -1).reduce((sum, row) => sum + quota(row), 0)).toBe(quota(rows.at(-1)));
  expect(quota(rows.at(-1))).toBe((await server.app.ledger.balance(2)).quota);
});

test('a statement is the own one; of another user only for administrators who may see that user', async () => {
  const server = await startTestServer();
  await server.addUser('ann', { quota: 5 });
  await server.addUser('boss', { role: 10 });
  const ann = await server.signIn('ann');
  const boss = await server.signIn('boss');
  const of = async (id: number, headers: Record<string, string>) =>
    (await server.send('GET', `/api/turnpike/ledger/statement?user_id=${id}`, { headers })).json;
  expect(await of(2, ann)).toMatchObject({
    success: true,
    data: { username: 'ann', closing: 5, difference: 0 },
  });
  expect(await of(1, ann)).toMatchObject({ success: false });
  expect(await of(2, boss)).toMatchObject({ success: true });
  expect(await of(1, boss)).toMatchObject({ success: false });
  const future = await server.send('GET', '/api/turnpike/ledger/statement?month=9998-01', {
    headers: ann,
  });
  expect(future.json).toMatchObject({ success: false, code: 'invalid_parameter' });
});
