/**
 * One code, redeemed a thousand times at once over HTTP, and invite earnings transferred a hundred
 * times at once: credited once, on every engine and over several processes.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../src/core/contract/client.ts';
import { postgresIsInstalled, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { operatorOf, type SpawnedGateway, spawnGateway } from '../support/spawned-gateway.ts';

const tries = 1000;
const password = 'a long password';

interface Site {
  readonly gateways: readonly SpawnedGateway[];
  readonly operator: Client;
}

/** The first process sets the site up; the others join it. */
async function openSite(environments: readonly Record<string, string>[]): Promise<Site> {
  const gateways: SpawnedGateway[] = [];
  for (const environment of environments) {
    gateways.push(await spawnGateway(environment));
    if (gateways.length > 1) continue;
    const root = {
      username: 'root',
      password,
      confirmPassword: password,
      setup_token: 'TESTAB',
      SiteLanguage: 'zh',
    } as const;
    await operatorOf(gateways[0] as SpawnedGateway).system.setup(root);
  }
  return { gateways, operator: operatorOf(gateways[0] as SpawnedGateway) };
}

interface Redeemer {
  readonly id: number;
  transfer(gateway: SpawnedGateway | undefined, quota: number): Promise<string>;
  redeem(gateway: SpawnedGateway | undefined, key: string): Promise<string>;
}

async function addRedeemer({ gateways, operator }: Site, username: string): Promise<Redeemer> {
  const { id } = await operator.user.create({ username, password });
  const post = (gateway: SpawnedGateway | undefined, path: string, body: object, headers = {}) =>
    fetch(`${gateway?.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const login = await post(gateways[0], '/api/user/login', { username, password });
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  const send = async (gateway: SpawnedGateway | undefined, path: string, body: object) => {
    const reply = await post(gateway, path, body, { cookie, 'new-api-user': String(id) });
    const { success, code, data } = (await reply.json()) as {
      success: boolean;
      code?: string;
      data?: number;
    };
    return success ? `credited ${data ?? ''}`.trim() : String(code);
  };
  return {
    id,
    redeem: (gateway, key) => send(gateway, '/api/user/topup', { key }),
    transfer: (gateway, quota) => send(gateway, '/api/user/aff_transfer', { quota }),
  };
}

function countOf(results: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const result of results) counts[result] = (counts[result] ?? 0) + 1;
  return counts;
}

async function race(site: Site, users: number): Promise<void> {
  const { gateways, operator } = site;
  const redeemers: Redeemer[] = [];
  for (let n = 0; n < users; n += 1) redeemers.push(await addRedeemer(site, `u${users}x${n}`));
  const [key = ''] = await operator.redemption.create({ name: 'race', quota: 700 });
  const { items } = await operator.redemption.search({ keyword: key });
  const results = await Promise.all(
    Array.from({ length: tries }, (_, n) =>
      redeemers[n % users]?.redeem(gateways[Math.floor(n / users) % gateways.length], key),
    ),
  );
  expect(countOf(results.map(String))).toEqual({ 'credited 700': 1, code_used: tries - 1 });
  const code = await operator.redemption.get({ id: items[0]?.id ?? 0 });
  expect(code.status).toBe(3);
  const balances = await Promise.all(
    redeemers.map(async ({ id }) => [id, (await operator.user.get({ id })).quota] as const),
  );
  expect(balances.filter(([, quota]) => quota !== 0)).toEqual([[code.used_user_id, 700]]);
  const postings = (await operator.ledger.list({ user_id: code.used_user_id })).items;
  expect(postings).toMatchObject([{ kind: 'redemption', amount: 700, reference: String(code.id) }]);
  expect(await operator.ledger.verify()).toMatchObject({ ok: true, drifts: [] });
}

/**
 * Six invited users at once, then a hundred transfers of an amount that the earnings cover three
 * times.
 */
async function raceForEarnings(site: Site): Promise<void> {
  const { gateways, operator } = site;
  await operator.option.set({ key: 'QuotaForInviter', value: 500_000 });
  await operator.option.set({ key: 'QuotaForInvitee', value: 7 });
  const inviter = await addRedeemer(site, 'inviter');
  const { aff_code } = await operator.user.get({ id: inviter.id });
  const invited = Array.from({ length: 6 }, async (_, n) => {
    // The options reach every process with its next start, so one process registers.
    const reply = await fetch(`${gateways[0]?.url}/api/user/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: `invited${n}`, password, aff_code }),
    });
    expect(await reply.json()).toMatchObject({ success: true });
  });
  await Promise.all(invited);
  expect(await operator.user.get({ id: inviter.id })).toMatchObject({
    aff_count: 6,
    aff_quota: 3_000_000,
    quota: 0,
  });
  const results = await Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      inviter.transfer(gateways[n % gateways.length], 1_000_000),
    ),
  );
  expect(countOf(results)).toEqual({ credited: 3, invite_quota_insufficient: 97 });
  const after = { aff_quota: 0, aff_history_quota: 3_000_000, quota: 3_000_000 };
  expect(await operator.user.get({ id: inviter.id })).toMatchObject(after);
  expect(await operator.ledger.verify()).toMatchObject({ ok: true, drifts: [] });
}

function races(open: () => Promise<Site>): void {
  let site: Site;
  beforeAll(async () => {
    site = await open();
  });
  afterAll(async () => {
    for (const gateway of [...site.gateways].reverse()) await gateway.close();
  });
  test('by one user', () => race(site, 1));
  test('by many users', () => race(site, 25));
  test('invite earnings', () => raceForEarnings(site));
}

describe('sqlite', () => races(() => openSite([{}])));

describe.skipIf(!postgresIsInstalled())('postgres', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());
  const environment = async () => ({
    SQL_DSN: await postgres.createDatabase(),
    CRYPTO_SECRET: 'shared by the processes',
  });
  describe('one process', () => races(async () => openSite([await environment()])));
  describe('two processes', () =>
    races(async () => {
      const shared = await environment();
      return openSite([shared, shared]);
    }));
});
