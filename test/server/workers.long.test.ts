/** `--workers`: several processes behind one port (docs/operate.md#workers). */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readGatewayFile } from '../../src/core/config/gateway-file.ts';
import { loadConfig } from '../../src/core/config/load.ts';
import type { Client } from '../../src/core/contract/client.ts';
import { silentLogger } from '../../src/core/kernel/logger.ts';
import { startWorkers } from '../../src/server/workers.ts';
import { codeOf } from '../support/app.ts';
import { runBinary } from '../support/binary.ts';
import { postgresIsInstalled, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { hasRedis, type RedisServer, startRedis } from '../support/redis-server.ts';
import { operatorOf, type SpawnedGateway, spawnGateway } from '../support/spawned-gateway.ts';
import { chatReply, startUpstream, type TestUpstream } from '../support/upstream.ts';

test('several workers on one SQLite file are refused, with what they need', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'workers-'));
  const { config } = loadConfig({
    flags: { 'data-dir': folder, workers: '2' },
    environment: {},
    cwd: folder,
  });
  expect(await codeOf(startWorkers(config, silentLogger))).toBe('workers_need_postgres');
  rmSync(folder, { recursive: true });
});

const usable = process.platform === 'linux' && postgresIsInstalled() && hasRedis();

describe.skipIf(!usable)('two workers', () => {
  let postgres: TestPostgres;
  let redis: RedisServer;
  let upstream: TestUpstream;
  let environment: Readonly<Record<string, string>> = {};
  let site: SpawnedGateway;
  let operator: Client;
  let main: number;
  let sdk: OpenAI;

  beforeAll(async () => {
    [postgres, redis, upstream] = await Promise.all([
      startPostgres(),
      startRedis(),
      startUpstream(),
    ]);
    upstream.answer(chatReply('hello'));
    environment = { SQL_DSN: await postgres.createDatabase(), REDIS_CONN_STRING: redis.url };
    site = await spawnGateway({
      ...environment,
      TURNPIKE_WORKERS: '2',
      ALLOW_PRIVATE_UPSTREAM: 'true',
      GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
    });
    main = readGatewayFile(site.dataDir)?.pid ?? 0;
    operator = operatorOf(site);
    const password = 'a long password';
    await operator.system.setup({
      username: 'root',
      password,
      confirmPassword: password,
      setup_token: 'TESTAB',
      SiteLanguage: 'en',
    });
    await operator.channel.create({
      type: 1,
      name: 'upstream',
      key: 'sk-upstream',
      base_url: upstream.url,
      models: 'gpt-4o',
      group: 'default',
    });
    const { key } = await operator.token.create({ name: 'load', unlimited_quota: true });
    sdk = new OpenAI({ apiKey: `sk-${key}`, baseURL: `${site.url}/v1`, maxRetries: 0 });
  });
  afterAll(async () => {
    await site?.close();
    await Promise.all([upstream?.close(), redis?.stop(), postgres?.stop()]);
  });

  const childrenOf = (parent: number): readonly number[] => {
    try {
      return execFileSync('pgrep', ['-P', String(parent)], { encoding: 'utf8' })
        .split('\n')
        .filter((line) => line !== '')
        .map(Number);
    } catch {
      return []; // pgrep fails where it finds none
    }
  };
  /** Process ids of the workers. */
  const workers = () => childrenOf(main);
  const chat = () =>
    sdk.chat.completions.create({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] });

  /** Sends requests without a pause while `during` runs. */
  const loaded = async (during: () => Promise<unknown>) => {
    let isOver = false;
    const report = { served: 0, failures: [] as unknown[] };
    const client = async () => {
      while (!isOver)
        await chat().then(
          () => {
            report.served += 1;
          },
          (error: unknown) => report.failures.push(error),
        );
    };
    const clients = [client(), client(), client(), client()];
    await during();
    isOver = true;
    await Promise.all(clients);
    return report;
  };

  test('share a port and all that is known of the site', async () => {
    expect(workers()).toHaveLength(2);
    await expect.poll(async () => (await operator.nodes.list()).length).toBe(2);
    const nodes = await operator.nodes.list();
    expect(nodes.map((node) => node.shared)).toEqual([true, true]);
    expect(new Set(nodes.map((node) => node.address)).size).toBe(1);
    // The operator's key holds at each of them, and so does what one was told.
    for (let call = 0; call < 6; call += 1) {
      await chat();
      expect((await operator.channel.list({})).items).toHaveLength(1);
    }
  });

  test('one that dies is replaced', async () => {
    const [first = 0] = workers();
    const { served } = await loaded(async () => {
      process.kill(first, 'SIGKILL');
      await expect.poll(() => workers().length).toBe(2);
      await expect.poll(() => workers().includes(first)).toBe(false);
      await chat();
    });
    expect(served).toBeGreaterThan(0);
  });

  test('all are renewed under load without a lost request, and each request is charged once', async () => {
    const before = await operator.log.list({ type: 2 });
    const old = workers();
    const { served, failures } = await loaded(async () => {
      process.kill(main, 'SIGHUP');
      await expect
        .poll(() => workers().filter((pid) => old.includes(pid)), { timeout: 90_000 })
        .toEqual([]);
    });
    expect(failures).toEqual([]);
    expect(workers()).toHaveLength(2);
    expect(served).toBeGreaterThan(10);
    await expect
      .poll(async () => (await operator.log.list({ type: 2 })).total - before.total)
      .toBe(served);
  });

  test('SIGHUP while the first worker starts does not end them: they are renewed once they listen', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'workers-'));
    const starting = spawnGateway(
      { ...environment, SQL_DSN: await postgres.createDatabase(), TURNPIKE_WORKERS: '2' },
      dataDir,
    );
    const mainProcess = () => {
      const [pid] = childrenOf(process.pid).filter((child) =>
        readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(dataDir),
      );
      return pid ?? 0;
    };
    await expect
      .poll(() => childrenOf(mainProcess()).length, { timeout: 60_000, interval: 10 })
      .toBe(1);
    const [first = 0] = childrenOf(mainProcess());
    expect(readGatewayFile(dataDir)).toBeUndefined(); // it does not listen yet
    process.kill(mainProcess(), 'SIGHUP');
    const early = await starting;
    const parent = readGatewayFile(dataDir)?.pid ?? 0;
    await expect.poll(() => childrenOf(parent).includes(first), { timeout: 90_000 }).toBe(false);
    await expect.poll(() => childrenOf(parent).length, { timeout: 60_000 }).toBe(2);
    await early.stop();
    expect(await early.ended).toBe(0);
    await early.close();
  });

  test('one whose first worker cannot listen ends with its exit code, and says why', async () => {
    const { port } = new URL(site.url);
    const folder = mkdtempSync(join(tmpdir(), 'workers-'));
    const { code, stderr } = await runBinary(
      ['serve', '--no-open', '--data-dir', folder, '--port', port, '--workers', '2'],
      '',
      { ...environment, SQL_DSN: await postgres.createDatabase() },
    );
    expect(code, stderr).toBe(5);
    expect(stderr.match(/EADDRINUSE|in use/g)).toHaveLength(1);
    rmSync(folder, { recursive: true });
  });

  test('are drained together, and the program ends once all of them are empty', async () => {
    const drained = await spawnGateway({
      ...environment,
      SQL_DSN: await postgres.createDatabase(),
      TURNPIKE_WORKERS: '2',
    });
    const client = operatorOf(drained);
    await expect.poll(async () => (await client.nodes.list()).length).toBe(2);
    const [node] = await client.nodes.list();
    const replies = await client.nodes.drain({ node: node?.id ?? '', stop: true });
    expect(replies.map(({ stopping }) => stopping)).toEqual([true, true]);
    expect(await drained.ended).toBe(0);
    expect(drained.printed()).not.toContain('has died');
    await drained.close();
  });

  test('all end with the process that started them', async () => {
    await site.close();
    expect(workers()).toEqual([]);
    expect(site.printed()).not.toContain('error');
  });

  describe('of their own', () => {
    let other: SpawnedGateway;
    let parent: number;
    beforeEach(async () => {
      const SQL_DSN = await postgres.createDatabase();
      other = await spawnGateway({ ...environment, SQL_DSN, TURNPIKE_WORKERS: '2' });
      parent = readGatewayFile(other.dataDir)?.pid ?? 0;
      await expect.poll(() => childrenOf(parent).length, { timeout: 60_000 }).toBe(2);
    });
    afterEach(() => other?.close());

    /** Two that run and are none of these. */
    const areReplaced = async (old: readonly number[]) => {
      const fresh = () => childrenOf(parent).filter((worker) => !old.includes(worker)).length;
      await expect.poll(fresh, { timeout: 60_000 }).toBe(2);
    };

    test('all that die at once are replaced; a stop while they start ends the program', async () => {
      const old = childrenOf(parent);
      for (const worker of old) process.kill(worker, 'SIGKILL');
      await areReplaced(old);
      await other.stop();
      expect(await other.ended).toBe(0);
    });

    test('none can be started for a while: they are tried until they can', async () => {
      const limits = readFileSync(`/proc/${parent}/limits`, 'utf8');
      const [, usual = ''] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
      const allow = (files: string) =>
        execFileSync('prlimit', ['--pid', String(parent), `--nofile=${files}:`]);
      const failures = () => other.printed().split('a worker could not be started').length - 1;
      const old = childrenOf(parent);
      allow('3'); // it has more open already
      for (const worker of old) process.kill(worker, 'SIGKILL');
      await expect.poll(failures, { timeout: 30_000 }).toBeGreaterThan(2);
      allow(usual);
      await areReplaced(old);
    });
  });
});
