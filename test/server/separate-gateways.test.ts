/**
 * Gateways of one PostgreSQL know of each other, and say so where they share no Redis
 * (docs/rules/process.md#nodes).
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../src/core/contract/client.ts';
import { postgresIsInstalled, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { program } from '../support/program.ts';
import { operatorOf, type SpawnedGateway, spawnGateway } from '../support/spawned-gateway.ts';

const environment = { CRYPTO_SECRET: 'the same for both', SESSION_SECRET: 'the same as well' };

describe.skipIf(!postgresIsInstalled())('two gateways without Redis', () => {
  let postgres: TestPostgres;
  let dsn: string;
  let first: SpawnedGateway;
  let second: SpawnedGateway;
  let a: Client;
  let b: Client;

  beforeAll(async () => {
    postgres = await startPostgres();
    dsn = await postgres.createDatabase();
    first = await spawnGateway({ ...environment, SQL_DSN: dsn });
    a = operatorOf(first);
    const password = 'a long password';
    const names = { username: 'root', password, confirmPassword: password };
    await a.system.setup({ ...names, setup_token: 'TESTAB', SiteLanguage: 'en' });
    second = await spawnGateway({ ...environment, SQL_DSN: dsn });
    b = operatorOf(second);
  });
  afterAll(async () => {
    await Promise.all([first?.close(), second?.close()]);
    await postgres?.stop();
  });

  test('each lists both; the second says so when it starts, doctor and dashboard say it later', async () => {
    const addresses = [first.url, second.url];
    for (const [client, own] of [
      [a, first.url],
      [b, second.url],
    ] as const) {
      const found = await client.nodes.list();
      expect(found.map(({ address }) => address).toSorted()).toEqual(addresses.toSorted());
      for (const { address, ...node } of found)
        expect(node).toMatchObject({ this: address === own, shared: address === own });
      const other = addresses.find((address) => address !== own);
      const { separate_nodes: separate } = await client.overview.get({});
      expect(separate.map(({ address }) => address)).toEqual([other]);
      const { items } = await client.doctor.examine({});
      expect(items.filter(({ id }) => id === 'nodes')).toMatchObject([
        { level: 'warning', message: expect.stringContaining(String(other)) },
      ]);
    }
    expect(first.printed()).not.toContain('Another gateway');
    await expect.poll(() => second.printed()).toContain(`(${found(second)}, ${first.url}) serves`);
  });

  test('turnpike nodes lists them', async () => {
    const words = [program, 'nodes', '--json', '--data-dir', first.dataDir];
    const { stdout } = await promisify(execFile)(process.execPath, words);
    const { items } = JSON.parse(stdout);
    // Those that started in the same second are in any order.
    expect(items).toHaveLength(2);
    expect(items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ address: first.url, this: true, shared: true }),
        expect.objectContaining({ address: second.url, this: false, shared: false }),
      ]),
    );
  });

  const found = (gateway: SpawnedGateway) =>
    /Another gateway \(([^,]+),/.exec(gateway.printed())?.[1] ?? 'nothing was said';

  test('a token that one disables is refused by the other within seconds', async () => {
    const token = await a.token.create({ name: 'agent', unlimited_quota: true });
    const models = async () => {
      const headers = { authorization: `Bearer ${token.key}` };
      return (await fetch(`${second.url}/v1/models`, { headers })).status;
    };
    await expect.poll(models).toBe(200);
    await a.token.update({ id: token.id, status: 2, status_only: true });
    await expect.poll(models).toBe(401);
  });

  test('one that stops is gone at once; one that was killed is not reported by its successor', async () => {
    await second.close();
    expect((await a.nodes.list()).map(({ address }) => address)).toEqual([first.url]);
    second = await spawnGateway({ ...environment, SQL_DSN: dsn });
    await second.kill();
    second = await spawnGateway({ ...environment, SQL_DSN: dsn }, second.dataDir);
    const found = await operatorOf(second).nodes.list();
    expect(new Set(found.map(({ address }) => address))).toEqual(new Set([first.url, second.url]));
    expect(found).toHaveLength(2);
  });
});
