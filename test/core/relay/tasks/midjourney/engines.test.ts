/**
 * The life of drawings on each database, with a restart in the middle: what is charged, and what is
 * given back.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  postgresIsInstalled,
  startPostgres,
  type TestPostgres,
} from '../../../../support/postgres.ts';
import { drawn, startDrawingBench, submitted } from './bench.ts';

const price = 50_000;

async function live(databaseUrl: string): Promise<void> {
  const bench = await startDrawingBench({}, databaseUrl);
  const parent = await drawn(bench);
  bench.proxy.script({
    code: 21,
    description: 'Waiting for window confirm',
    properties: { remix: true },
  });
  const opened = await bench.post('/mj/submit/action', {
    taskId: parent,
    customId: 'MJ::Inpaint::1::h',
  });
  const window = opened.body.result;
  const other = await submitted(bench);
  await bench.restart();
  bench.proxy.script({ code: 22, result: window });
  expect(await submitted(bench, { taskId: window, prompt: 'dog' }, '/mj/submit/modal')).toBe(
    window,
  );
  expect((await bench.balance()).quota).toBe(1_000_000 - 3 * price);
  bench.proxy.report(window, { status: 'FAILURE', failReason: 'no' });
  bench.proxy.report(other, { status: 'IN_PROGRESS', progress: '50%' });
  await Promise.all([bench.poll(), bench.poll(), bench.poll()]);
  await bench.restart();
  bench.clock.move(61 * 60_000);
  await bench.poll();
  await bench.poll();
  expect((await bench.rows()).map(({ action, status, quota }) => [action, status, quota])).toEqual([
    ['IMAGINE', 'SUCCESS', price],
    ['MODAL', 'FAILURE', 0],
    ['IMAGINE', 'FAILURE', 0],
  ]);
  expect(await bench.balance()).toEqual({
    quota: 1_000_000 - price,
    used: price,
    remain: 900_000 - price,
    tokenUsed: price,
  });
  expect(await bench.channelUsed()).toBe(price);
  expect(await bench.app.ledger.verify()).toMatchObject({ ok: true });
}

describe('drawings are charged once and refunded once', () => {
  let server: TestPostgres | undefined;
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-drawings-'));
  beforeAll(async () => {
    if (postgresIsInstalled()) server = await startPostgres();
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('on SQLite', () => live(`sqlite:${join(folder, 'turnpike.db')}`));
  it.skipIf(!postgresIsInstalled())('on PostgreSQL', async () =>
    live((await server?.createDatabase()) ?? ''),
  );
});
