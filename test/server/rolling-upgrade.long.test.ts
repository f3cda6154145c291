/**
 * Gateways that are renewed one after another, as docs/operate.md#rolling-upgrade says: no request
 * is lost.
 */
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client as Database } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../src/core/contract/client.ts';
import { postgresIsInstalled, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { program } from '../support/program.ts';
import { operatorOf, type SpawnedGateway, spawnGateway } from '../support/spawned-gateway.ts';
import { chatReply, chatStream, startUpstream, type TestUpstream } from '../support/upstream.ts';

const turnpike = async (line: string, { dataDir }: SpawnedGateway) =>
  promisify(execFile)(process.execPath, [
    program,
    ...`${line} --lang en --data-dir ${dataDir}`.split(' '),
  ]);

/** A word every tenth of a second, and the last one when `ended` resolves. */
async function* wordsUntil(ended: Promise<void> = Promise.resolve()): AsyncGenerator<string> {
  let isEnded = false;
  void ended.then(() => {
    isEnded = true;
  });
  while (!isEnded) {
    yield 'word ';
    await sleep(100);
  }
  yield 'the last word';
}
const whole = /word [\s\S]*the last word[\s\S]*\[DONE\]/;

async function setUp(gateway: SpawnedGateway, upstream: TestUpstream): Promise<string> {
  const operator = operatorOf(gateway);
  const password = 'a long password';
  const names = { username: 'root', password, confirmPassword: password };
  await operator.system.setup({ ...names, setup_token: 'TESTAB', SiteLanguage: 'en' });
  await operator.channel.create({
    type: 1,
    name: 'upstream',
    key: 'sk-upstream',
    base_url: upstream.url,
    models: 'gpt-4o',
    group: 'default',
  });
  return (await operator.token.create({ name: 'load', unlimited_quota: true })).key;
}

test('the only gateway of a data folder ends by itself once it is empty', {
  timeout: 120_000,
}, async () => {
  const gateway = await spawnGateway();
  try {
    const drained = turnpike('nodes drain 127.0.0.1 --stop --wait', gateway).catch(
      (error: { stderr: string }) => error.stderr,
    );
    expect(await drained).toContain('No gateway that runs is named 127.0.0.1');
    const { stderr } = await turnpike(`nodes drain ${gateway.url} --stop --wait`, gateway);
    expect(stderr).toContain('No other gateway takes requests at present');
    expect(stderr).toContain(`${gateway.url} has ended`);
    expect(await gateway.ended).toBe(0);
  } finally {
    await gateway.close();
  }
});

describe.skipIf(!postgresIsInstalled())('two gateways', { timeout: 240_000 }, () => {
  const environment = {
    CRYPTO_SECRET: 'the same for both',
    SESSION_SECRET: 'the same as well',
    ALLOW_PRIVATE_UPSTREAM: 'true',
  };
  let postgres: TestPostgres;
  let upstream: TestUpstream;
  let dsn: string;
  let key: string;
  let first: SpawnedGateway;
  let second: SpawnedGateway;
  const others: SpawnedGateway[] = [];

  const start = async () => {
    const gateway = await spawnGateway({ ...environment, SQL_DSN: dsn });
    others.push(gateway);
    return gateway;
  };
  beforeAll(async () => {
    [postgres, upstream] = await Promise.all([startPostgres(), startUpstream()]);
    dsn = await postgres.createDatabase();
    first = await start();
    key = await setUp(first, upstream);
    second = await start();
  });
  afterAll(async () => {
    await Promise.all(others.map((gateway) => gateway.close()));
    await Promise.all([upstream?.close(), postgres?.stop()]);
  });

  const chat = (url: string, stream: boolean, content = 'hi') =>
    fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'gpt-4o',
        messages: [{ role: 'user', content }],
        stream,
      }),
    });

  /** When the streams end, by the message that they answer. */
  const streams = new Map<string, Promise<void>>();
  /** A stream from `url` that goes on until it is ended; it is under way when this resolves. */
  const openStream = async (url: string, name: string) => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    streams.set(name, ended);
    const reply = await chat(url, true, name);
    return { text: reply.text(), end };
  };

  /**
   * Sends requests without a pause, in turn to those that said lately that they accept, as a
   * balancer does.
   */
  const balanced = () => {
    const places = new Set([first.url, second.url]);
    let ready: readonly string[] = [...places];
    let isOver = false;
    const report = { served: new Map<string, number>(), failures: [] as unknown[] };
    const look = async () => {
      while (!isOver) {
        const replies = await Promise.all(
          [...places].map(async (url) => {
            const status = await fetch(`${url}/readyz`).then(
              (reply) => reply.status,
              () => 0,
            );
            return { url, status };
          }),
        );
        ready = replies.filter(({ status }) => status === 200).map(({ url }) => url);
        await sleep(200);
      }
    };
    const client = async () => {
      for (let turn = 0; !isOver; turn += 1) {
        const url = ready[turn % ready.length];
        if (url === undefined) {
          report.failures.push('nobody accepts');
          return;
        }
        const status = await chat(url, false).then(
          async (reply) => ((await reply.text()).includes('hello') ? reply.status : 0),
          (error: unknown) => error,
        );
        if (status === 200) report.served.set(url, (report.served.get(url) ?? 0) + 1);
        else report.failures.push([url, status]);
        await sleep(5);
      }
    };
    const all = [look(), client(), client()];
    return {
      places,
      report,
      end: async () => {
        isOver = true;
        await Promise.all(all);
        return [...report.served.values()].reduce((sum, count) => sum + count, 0);
      },
    };
  };

  const charged = async (operator: Client) => (await operator.log.list({ type: 2 })).total;

  test('are renewed one after another while the other serves a stream', async () => {
    upstream.answer((response, request) => {
      if (request.json['stream'] !== true) return chatReply('hello')(response, request);
      const [{ content = '' } = {}] = request.json['messages'] as { content: string }[];
      return chatStream(wordsUntil(streams.get(content)))(response, request);
    });
    const load = balanced();
    const stream = await openStream(second.url, 'stream of the second');
    const own = await openStream(first.url, 'stream of the first');

    // Told through the other one, as without a way to this one.
    const draining = turnpike(`nodes drain ${first.url} --stop --wait`, second);
    await expect.poll(() => fetch(`${first.url}/readyz`).then(({ status }) => status)).toBe(503);
    const servedBefore = load.report.served.get(second.url) ?? 0;
    await expect
      .poll(() => load.report.served.get(second.url) ?? 0)
      .toBeGreaterThan(servedBefore + 20);
    own.end();
    const drained = await draining;
    expect(drained.stderr).toContain(`${first.url} has ended`);
    expect(await first.ended).toBe(0);
    // Its own stream was not cut off.
    expect(await own.text).toMatch(whole);
    expect((await operatorOf(second).nodes.list()).map(({ address }) => address)).toEqual([
      second.url,
    ]);
    const renewed = await start();
    load.places.add(renewed.url);
    await expect.poll(() => load.report.served.get(renewed.url) ?? 0).toBeGreaterThan(5);
    stream.end();
    expect(await stream.text).toMatch(whole);

    await turnpike(`nodes drain ${second.url} --wait`, renewed);
    const before = load.report.served.get(second.url);
    const nodes = await turnpike('nodes', renewed);
    expect(nodes.stdout).toMatch(/empty/);
    await turnpike(`nodes resume ${second.url}`, renewed);
    await expect
      .poll(() => load.report.served.get(second.url) ?? 0, { timeout: 60_000 })
      .toBeGreaterThan(before ?? 0);
    const served = await load.end();
    expect(load.report.failures).toEqual([]);
    await expect.poll(() => charged(operatorOf(second))).toBe(served + 2);
    expect(await operatorOf(second).ledger.verify()).toMatchObject({ ok: true });
    first = renewed;
  });

  test('go on serving when a newer one has added to the schema', async () => {
    upstream.answer(chatReply('hello'));
    const load = balanced();
    await expect.poll(() => load.report.served.size).toBe(2);
    const database = new Database({ connectionString: dsn });
    await database.connect();
    const { rows } = await database.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
    );
    for (const { name } of rows)
      await database.query(
        `alter table "${name}" add column added_later text not null default 'x'`,
      );
    await database.query('insert into schema_migrations (name, timestamp) values ($1, $2)', [
      '9999-later',
      new Date().toISOString(),
    ]);
    await database.end();
    const before = new Map(load.report.served);
    for (const url of [first.url, second.url])
      await expect
        .poll(() => (load.report.served.get(url) ?? 0) - (before.get(url) ?? 0))
        .toBeGreaterThan(20);
    await load.end();
    expect(load.report.failures).toEqual([]);
    for (const gateway of [first, second]) {
      const operator = operatorOf(gateway);
      const { key: fresh } = await operator.token.create({ name: 'fresh', unlimited_quota: true });
      expect(fresh).toMatch(/\w+/);
      expect((await operator.channel.list({})).total).toBe(1);
      expect((await operator.user.list({})).total).toBe(1);
      expect((await operator.nodes.list()).length).toBe(2);
      expect((await operator.log.list({})).total).toBeGreaterThan(0);
      expect(await operator.ledger.verify()).toMatchObject({ ok: true });
    }
    // One of this version is not started any more: what the newer one changed is not known to it.
    await expect(start()).rejects.toThrow(/newer/);
  });
});
