// Covers src/core/billing, src/core/budgets, src/core/relay/charge
/**
 * 10,000 random requests from 50 users with overlapping budgets through two gateways on PostgreSQL,
 * one of which is killed again and again (docs/rules/budgets.md#bound).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TokenEntity } from '../../../src/core/contract/entities.ts';
import { openDatabase } from '../../../src/core/open-database.ts';
import type { OpenStorage } from '../../../src/core/storage/open.ts';
import { createRandom } from '../../../src/demo/random.ts';
import { createLastingApp } from '../../support/app.ts';
import { testMasterKey } from '../../support/migrated-file.ts';
import { postgresIsInstalled, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { operatorOf, type SpawnedGateway, spawnGateway } from '../../support/spawned-gateway.ts';
import { type Answer, sendJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';
import { poolOf } from './ledger-support.ts';

const requests = 10_000;
const users = 50;
const groups = 10;
const atOnce = 40;
const deaths = 8;
const model = 'gpt-4o';
const promptTokens = 5;
const mostTokens = 900;
/** The bound: what one request can cost, in quota. */
const mostCost = promptTokens + mostTokens;

/** What became of a request, by the id that the gateway gave it. */
interface Outcome {
  readonly id: string;
  readonly user: number;
  /** Undefined: refused. */
  readonly cost: number | undefined;
}

describe.skipIf(!postgresIsInstalled())('budgets under load, in two processes', () => {
  let postgres: TestPostgres;
  let upstream: TestUpstream;
  let url: string;
  let storage: OpenStorage;
  let living: SpawnedGateway;
  let mortal: SpawnedGateway;
  const keys: string[] = [];
  const environment = () => ({
    SQL_DSN: url,
    CRYPTO_SECRET: testMasterKey.toString(),
    ALLOW_PRIVATE_UPSTREAM: 'true',
  });

  /** Each user has a budget, the five of a group share one, and all share one. */
  async function fillSite(): Promise<void> {
    const random = createRandom(32);
    const { app, operator, addUser, as } = await createLastingApp({ SQL_DSN: url });
    const set = (key: string, value: unknown) =>
      operator.option.set({ key, value: JSON.stringify(value) });
    const names = Array.from({ length: groups }, (_, index) => `g${index}`);
    await set('GroupRatio', Object.fromEntries(['default', ...names].map((name) => [name, 1])));
    await set('ModelRatio', { [model]: 1 });
    await set('CompletionRatio', { [model]: 1 });
    await operator.channel.create({
      name: 'c',
      type: 1,
      key: 'sk-upstream',
      base_url: upstream.url,
      models: model,
      group: ['default', ...names].join(','),
    } as never);
    const limit = (owner: string, ownerId: string, amount: number) =>
      operator.budgets.create({ owner, owner_id: ownerId, amount, period: 'total' });
    for (let index = 0; index < users; index += 1) {
      const group = names[index % groups] ?? '';
      const id = await addUser(`u${index}`, { group, quota: 10_000_000 });
      const token: TokenEntity = await (await as(id)).token.create({
        name: 't',
        unlimited_quota: true,
      });
      keys.push(token.key);
      await limit('user', String(id), random.between(15_000, 45_000));
    }
    for (const name of names) await limit('group', name, random.between(100_000, 150_000));
    await limit('model', model, 1_200_000);
    await app.close();
  }

  beforeAll(async () => {
    [postgres, upstream] = await Promise.all([startPostgres(), startUpstream()]);
    url = await postgres.createDatabase();
    await fillSite();
    living = await spawnGateway(environment());
    mortal = await spawnGateway(environment());
    storage = await openDatabase({ url, masterKey: testMasterKey });
  }, 180_000);
  afterAll(async () => {
    await storage?.close();
    await Promise.all([living?.close(), mortal?.close(), upstream?.close()]);
    await postgres?.stop();
  });

  // Some answers take a while, so that a gateway that dies has requests under way.
  const answer: Answer = (response, { json }) => {
    const [, cost] = costOf(json);
    const reply = () =>
      sendJson(response, 200, {
        id: 'chatcmpl',
        object: 'chat.completion',
        created: 1,
        model,
        choices: [
          { index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' },
        ],
        usage: {
          prompt_tokens: promptTokens,
          completion_tokens: cost - promptTokens,
          total_tokens: cost,
        },
      });
    if (cost % 4 === 0) setTimeout(reply, cost % 40);
    else reply();
  };

  const post = (gateway: SpawnedGateway, user: number, most: number, content: string) =>
    fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${keys[user]}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, max_tokens: most, messages: [{ role: 'user', content }] }),
    });

  /** The name under which a gateway holds. */
  async function nodeOf(gateway: SpawnedGateway): Promise<string> {
    let node = '';
    upstream.answer(async (response, request) => {
      const { rows } = await poolOf(storage).query<{ node: string }>('SELECT node FROM holds');
      node = rows[0]?.node ?? '';
      answer(response, request);
    });
    expect((await post(gateway, 0, 1, `first ${promptTokens + 1}`)).status).toBe(200);
    upstream.answer(answer);
    expect(node).not.toBe('');
    return node;
  }

  /** The number of a request, and what it costs, which its message names. */
  function costOf(json: Record<string, unknown>): readonly [number: string, cost: number] {
    const [message] = json['messages'] as readonly { readonly content: string }[];
    const [number = '', cost = ''] = (message?.content ?? '').split(' ');
    return [number, Number(cost)];
  }

  it('pass no window by more than one request, and refused ones are charged nothing', async () => {
    const random = createRandom(33);
    const outcomes: Outcome[] = [];
    const refused: string[] = [];
    const pool = poolOf(storage);
    const node = await nodeOf(living);
    let [sent, lost, killed, isUp] = [0, 0, 0, true];

    async function ask(): Promise<void> {
      const number = String(++sent);
      const user = random.between(0, users - 1);
      const most = random.between(1, mostTokens);
      const cost = promptTokens + random.between(1, most);
      const gateway = isUp && random.between(0, 1) === 1 ? mortal : living;
      const reply = await post(gateway, user, most, `${number} ${cost}`)
        .then(async (reply) => ({ reply, json: (await reply.json()) as { error?: object } }))
        .catch(() => undefined);
      // The gateway died, or the client's connection to it.
      if (reply === undefined) {
        expect(gateway).not.toBe(living);
        lost += 1;
        return;
      }
      const id = reply.reply.headers.get('x-oneapi-request-id') ?? '';
      if (reply.reply.status === 200) outcomes.push({ id, user, cost });
      else {
        expect([reply.reply.status, reply.json.error]).toEqual([
          429,
          expect.objectContaining({
            code: expect.stringMatching(/^(budget_exceeded|small_hold_busy)$/),
          }),
        ]);
        refused.push(number);
        outcomes.push({ id, user, cost: undefined });
      }
    }

    /** Kills one gateway after each part of the requests, and starts it again. */
    async function reap(): Promise<void> {
      while (killed < deaths) {
        const next = ((killed + 1) * requests) / (deaths + 1);
        while (sent < next) await new Promise((resolve) => setTimeout(resolve, 5));
        isUp = false;
        await mortal.kill();
        killed += 1;
        await endLeases();
        mortal = await spawnGateway(environment(), mortal.dataDir);
        isUp = true;
      }
    }
    /** As if a minute went by for what the dead ones held: the living one gives it back. */
    const endLeases = () => pool.query('UPDATE holds SET expires_at = 0 WHERE node <> $1', [node]);
    const work = async () => {
      while (sent < requests || killed < deaths || !isUp) await ask();
    };
    await Promise.all([reap(), ...Array.from({ length: atOnce }, work)]);

    await endLeases();
    await expect
      .poll(async () => (await pool.query('SELECT 1 FROM holds')).rowCount, { timeout: 60_000 })
      .toBe(0);
    const served = outcomes.filter(({ cost }) => cost !== undefined);
    expect(served.length).toBeGreaterThan(1000);
    expect(refused.length).toBeGreaterThan(1000);
    expect(lost).toBeGreaterThan(deaths);

    // Each reply was charged once, at its cost; what was refused was not, nor sent to the vendor.
    const { rows } = await pool.query<{ request_id: string; quota: string }>(
      'SELECT request_id, sum(quota) AS quota FROM logs WHERE ledger_id > 0 GROUP BY request_id',
    );
    const charged = new Map(rows.map(({ request_id, quota }) => [request_id, Number(quota)]));
    for (const { id, cost } of outcomes) expect([id, charged.get(id)]).toEqual([id, cost]);
    const reached = new Set(upstream.requests.map(({ json }) => costOf(json)[0]));
    expect(refused.filter((number) => reached.has(number))).toEqual([]);
    // Beyond the replies there are the first one, and those that a dying gateway charged and could not send.
    expect(charged.size - served.length - 1).toBeLessThanOrEqual(lost);

    const budgets = new Map((await storage.budgets.list()).map((one) => [one.id, one]));
    const windows = await storage.budgets.openWindows(Math.floor(Date.now() / 1000));
    expect(windows).toHaveLength(users + groups + 1);
    const total = [...charged.values()].reduce((sum, quota) => sum + quota, 0);
    let full = 0;
    for (const { budgetId, spent, held } of windows) {
      const budget = budgets.get(budgetId);
      const limit = Number(budget?.amount);
      expect(held).toBe(0);
      expect(spent).toBeLessThanOrEqual(limit + mostCost);
      if (spent > limit - mostCost) full += 1;
      if (budget?.owner === 'model') expect(spent).toBe(total);
    }
    expect(full).toBeGreaterThan(5);
    const { ok, drifts } = await operatorOf(living).ledger.verify();
    expect({ ok, drifts }).toEqual({ ok: true, drifts: [] });
  }, 300_000);
});
