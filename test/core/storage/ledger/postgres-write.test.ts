// Covers src/core/storage/ledger/postgres-write.ts, src/core/storage/ledger/postgres-state.ts, src/core/storage/ledger/guards.ts.
/** Which rows a plan reads, locks and writes on PostgreSQL; each test undoes what it wrote. */
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { linkGroup, postingText } from '../../../../src/core/storage/ledger/chain.ts';
import type { LedgerKeys } from '../../../../src/core/storage/ledger/keys.ts';
import type { LedgerPlan } from '../../../../src/core/storage/ledger/plan.ts';
import { lockState, lockWindows } from '../../../../src/core/storage/ledger/postgres-state.ts';
import { writePlan } from '../../../../src/core/storage/ledger/postgres-write.ts';
import { postgresIsInstalled } from '../../../support/postgres.ts';
import { logFor } from '../../billing/ledger-support.ts';
import { openPostgresRows, statementsOf } from './postgres-image.ts';
import { changedAccounts, keysWith, max, nothing, posting } from './sqlite-image.ts';

describe.skipIf(!postgresIsInstalled())('on PostgreSQL', () => {
  let client: PoolClient;
  let close: () => Promise<void>;

  beforeAll(async () => {
    const rows = await openPostgresRows();
    [client, close] = [rows.client, rows.close];
  });
  afterAll(() => close());
  beforeEach(async () => {
    await client.query('ROLLBACK');
    await client.query('BEGIN');
  });

  const rowsOf = async (sql: string) => (await client.query(sql)).rows;
  const locked = { tokens: new Set([5, 6]), users: new Set([1]) };
  const write = async (plan: Partial<LedgerPlan>, node: string | null = 'me') =>
    (await writePlan(client, { ...nothing, ...plan }, locked, node)).last;

  it('postings are appended with their links, the first of each hour and their log rows', async () => {
    const [{ link: start }] = (await rowsOf(
      "SELECT link FROM ledger_chains WHERE name = 'ledger'",
    )) as [{ link: string }];
    const group = [
      posting({ windows: '[31]' }),
      posting({ tokenId: null, reference: null, kind: 'top_up', amount: 5n, balanceAfter: 75 }),
      posting({ at: 10_800, reference: 'r31' }),
    ];
    await write({
      postings: group,
      logs: [
        { row: { ...logFor(1, 'r31', 30), isStream: true }, posting: 2 },
        { row: { ...logFor(1, 'r0', 0), modelName: 'a\u0000b' }, posting: null },
      ],
    });
    const found = await rowsOf('SELECT * FROM ledger ORDER BY id');
    const ids = found.map(({ id }) => id);
    const [first = 0] = ids;
    expect(ids).toEqual([first, first + 1, first + 2]);
    const texts = group.map((row, at) => ({ id: first + at, text: postingText(row) }));
    expect(found.map(({ link }) => link)).toEqual(linkGroup(start, texts));
    const common = { user_id: 1, windows: null };
    expect(found).toMatchObject([
      {
        ...common,
        token_id: 5,
        kind: 'charge',
        amount: -30,
        balance_after: 70,
        reference: 'r30',
        created_at: 7300,
        windows: '[31]',
      },
      { ...common, token_id: null, kind: 'top_up', amount: 5, balance_after: 75, reference: null },
      { ...common, reference: 'r31', created_at: 10_800 },
    ]);
    expect(await rowsOf('SELECT * FROM ledger_hours ORDER BY hour')).toEqual([
      { hour: 7200, first_id: first },
      { hour: 10_800, first_id: first + 2 },
    ]);
    const end = "SELECT last_id, link FROM ledger_chains WHERE name = 'ledger'";
    expect(await rowsOf(end)).toEqual([{ last_id: first + 2, link: found.at(-1)?.link }]);
    const logs = 'SELECT request_id, ledger_id, is_stream, quota, model_name FROM logs ORDER BY id';
    expect(await rowsOf(logs)).toMatchObject([
      { request_id: 'r31', ledger_id: first + 2, is_stream: 1, quota: 30 },
      {
        request_id: 'r0',
        ledger_id: null,
        is_stream: 0,
        model_name: expect.not.stringMatching('\u0000'),
      },
    ]);
    // The next group follows this one.
    await write({ postings: [posting({ reference: 'x' })] });
    const [{ id, link } = { id: 0, link: '' }] = await rowsOf(
      "SELECT * FROM ledger WHERE reference = 'x'",
    );
    const next = { id, text: postingText(posting({ reference: 'x' })) };
    expect([link]).toEqual(linkGroup(found.at(-1)?.link, [next]));
  });

  it('balances and allowances are set, and counters added to', async () => {
    await write({
      ...changedAccounts,
      allowances: [
        { tokenId: 5, amount: -20, used: 3, remainAfter: 20, at: 30 },
        { tokenId: 6, amount: 1, used: 0, remainAfter: 2, at: 30 },
      ],
    });
    expect(await rowsOf('SELECT quota, used_quota, request_count, held FROM users')).toEqual([
      { quota: 70, used_quota: 50, request_count: 5, held: 50 },
    ]);
    const tokens =
      'SELECT remain_quota, unlimited_quota, used_quota, accessed_time, held FROM tokens ORDER BY id';
    expect(await rowsOf(tokens)).toEqual([
      { remain_quota: 20, unlimited_quota: 1, used_quota: 37, accessed_time: 99, held: 40 },
      { remain_quota: 30, unlimited_quota: 0, used_quota: 38, accessed_time: 9, held: 0 },
    ]);
    expect(await rowsOf('SELECT used_quota FROM channels ORDER BY id')).toEqual([
      { used_quota: 40 },
      { used_quota: max },
    ]);
    const allowances = await rowsOf('SELECT * FROM token_allowances ORDER BY id');
    expect(allowances).toMatchObject([
      { token_id: 5, amount: -20, used: 3, remain_after: 20, created_at: 30 },
      { token_id: 6, amount: 1, used: 0, remain_after: 2 },
    ]);
    const end = "SELECT last_id, link FROM ledger_chains WHERE name = 'token_allowances'";
    const { id, link } = allowances[1];
    expect(await rowsOf(end)).toEqual([{ last_id: id, link }]);
  });

  it('holds end with what they held, those of this node and those that ran out', async () => {
    const held = async () => [
      await rowsOf('SELECT request_id FROM holds'),
      ...(await rowsOf('SELECT held FROM users')),
      ...(await rowsOf('SELECT held FROM tokens WHERE id = 5')),
      ...(await rowsOf('SELECT held FROM budget_windows WHERE id = 31')),
    ];
    const kept = [[{ request_id: 'r1' }, { request_id: 'r2' }], 50, 40, 40];
    const flat = (rows: unknown[]) =>
      rows.map((row) => (Array.isArray(row) ? row : (row as { held: number }).held));
    const windows: LedgerPlan['windows'] = { ids: new Set([31]), changes: [] };
    expect(await write({ holds: ['r2', 'r9'], windows })).toBe(0);
    expect(flat(await held())).toEqual(kept);
    expect(await write({ holds: ['r2'] }, null)).toBe(0);
    expect(await write({ holds: ['r1', 'r2'], windows }, null)).toBe(1);
    expect(flat(await held())).toEqual([[{ request_id: 'r2' }], 10, 0, 0]);
    expect(await write({ holds: ['r2'] }, 'other')).toBe(1);
    expect(flat(await held())).toEqual([[], 0, 0, 0]);
  });

  it('windows count what was spent, and minutes where a pace is set', async () => {
    const changes = [
      { id: 31, amount: 30, requests: 2, minute: 65 },
      { id: 34, amount: 4, requests: 1, minute: 65 },
      { id: 99, amount: 4, requests: 1, minute: 65 },
    ];
    await write({ windows: { ids: new Set([31, 34, 99]), changes } });
    const found = 'SELECT id, spent, requests, charged_at FROM budget_windows ORDER BY id';
    expect(await rowsOf(found)).toEqual([
      { id: 31, spent: 35, requests: 3, charged_at: 3900 },
      { id: 34, spent: 4, requests: 1, charged_at: 3900 },
    ]);
    expect(await rowsOf('SELECT * FROM budget_minutes')).toEqual([
      { window_id: 34, place: 1, minute: 65, spent: 4 },
    ]);
  });

  it('sums by the hour are added to, and guarded rows move; what a guard leaves out stays', async () => {
    const sum = { model_name: 'm', created_at: 3600, count: 1, quota: 5, token_used: 7 };
    const common = { quota_data: [{ user_id: 1, username: 'u', ...sum }] };
    const cost = { cost: 30, costed_count: 1, costed_quota: 5 };
    const rollups: LedgerPlan['rollups'] = {
      ...common,
      channel_usage: [{ channel_id: 7, ...sum, ...cost }],
      tag_usage: [{ user_id: 1, created_at: 3600, tag: 'x', count: 1, quota: 5, token_used: 7 }],
      channel_key_usage: [{ channel_id: 7, created_at: 3600, key_name: 'k', count: 1, quota: 5 }],
    };
    await write({
      rollups,
      guards: [
        { table: 'redemptions', id: 3, state: 3, set: { used_user_id: 1 } },
        { table: 'top_ups', id: 1, state: 'success', set: {} },
      ],
    });
    await write({ rollups });
    await write({ rollups: { ...nothing.rollups, ...common } });
    expect(await rowsOf('SELECT * FROM quota_data')).toMatchObject([
      { user_id: 1, username: 'u', created_at: 3600, count: 3, quota: 15, token_used: 21 },
    ]);
    expect(await rowsOf('SELECT * FROM channel_usage')).toMatchObject([
      { channel_id: 7, count: 2, quota: 10, cost: 60, costed_count: 2, costed_quota: 10 },
    ]);
    expect(await rowsOf('SELECT * FROM tag_usage')).toMatchObject([{ tag: 'x', count: 2 }]);
    expect(await rowsOf('SELECT * FROM channel_key_usage')).toMatchObject([
      { key_name: 'k', count: 2 },
    ]);
    const codes =
      'SELECT status, used_user_id, redeemed_time, expired_time FROM redemptions ORDER BY id';
    expect(await rowsOf(codes)).toMatchObject([
      { status: 3, used_user_id: 1, redeemed_time: 0, expired_time: 77 },
      { status: 1, used_user_id: 0 },
    ]);
  });

  // Each is a round trip to the server, and what few batches have makes each slower.
  it('no statement is sent that has nothing to do, and none has parts that are for nothing', async () => {
    const statements = (plan: Partial<LedgerPlan>) => statementsOf(client, () => write(plan));
    const { rollups } = nothing;
    const sum = { created_at: 3600, count: 1, quota: 5 };
    const tags = [{ user_id: 1, tag: 'x', token_used: 7, ...sum }];
    const keys = [{ channel_id: 7, key_name: 'k', ...sum }];
    const used = [{ user_id: 1, username: 'u', model_name: 'm', token_used: 7, ...sum }];
    const settled = 'ledger_settle';
    expect(await statements({})).toEqual([settled]);
    const common = { rollups: { ...rollups, quota_data: used }, postings: [posting()] };
    expect(await statements(common)).toEqual([settled]);
    const all = { ...rollups, tag_usage: tags, channel_key_usage: keys };
    expect(await statements({ rollups: { ...rollups, channel_key_usage: keys } })).toEqual([
      `${settled}_keys`,
    ]);
    const windows = { ids: new Set([31]), changes: [] };
    expect(await statements({ rollups: all, windows })).toEqual([`${settled}_tags_keys_windows`]);
    const guards: LedgerPlan['guards'] = [{ table: 'top_ups', id: 1, state: 'success', set: {} }];
    const allowances = [{ tokenId: 6, amount: 1, used: 0, remainAfter: 2, at: 30 }];
    expect(await statements({ guards })).toEqual(['UPDATE top_ups', settled]);
    expect(await statements({ allowances })).toEqual(['WITH allowance_end', settled]);
  });

  describe('what a batch reads', () => {
    const read = (more: Partial<LedgerKeys>) => lockState(client, keysWith(more));

    it('is accounts, and the last balance of users who are gone and are charged', async () => {
      await write({
        postings: [
          posting({ userId: 2, balanceAfter: 40, reference: 'a' }),
          posting({ userId: 2, balanceAfter: 30, reference: 'b' }),
        ],
      });
      const state = await read({
        users: new Set([1, 2, 3, 4]),
        charged: new Set([1, 3, 2]),
        tokens: new Set([6, 5, 9]),
      });
      expect([...state.wallets]).toEqual([[1, { quota: 100, used: 20, held: 50 }]]);
      expect([...state.closed]).toEqual([
        [2, 30],
        [3, 0],
      ]);
      expect([...state.allowances]).toEqual([
        [5, { remain: 50, unlimited: false, used: 7, held: 40 }],
        [6, { remain: 60, unlimited: true, used: 8, held: 0 }],
      ]);
    });

    it('is references by their kind, none of charges, and guarded rows as they are', async () => {
      await write({ postings: [posting({ kind: 'top_up', reference: 'x' }), posting()] });
      const guardOf = (id: number) => ({ table: 'redemptions', id, from: 1, to: 3 }) as const;
      const state = await read({
        references: [
          { kind: 'top_up', reference: 'x' },
          { kind: 'refund', reference: 'x' },
          { kind: 'charge', reference: 'r30' },
        ],
        guards: [guardOf(3), guardOf(4), guardOf(9)],
      });
      expect(state.references).toEqual(new Set(['top_up x']));
      expect([...state.guards]).toEqual([
        ['redemptions 3', { id: 3, state: 1, quota: 500, expired_time: 77 }],
      ]);
    });

    it('is windows of budgets, but for those that are gone', async () => {
      expect([...(await lockWindows(client, new Set([34, 31, 99])))]).toEqual([
        [31, { spent: 5, held: 40, requests: 1 }],
        [34, { spent: 0, held: 0, requests: 0 }],
      ]);
      expect([...(await lockWindows(client, new Set()))]).toEqual([]);
    });
  });
});

// Where it is alone it may be committed in the same round trip.
it.each<[string, Partial<LedgerPlan>, boolean]>([
  ['nothing', {}, true],
  ['a guard', { guards: [{ table: 'top_ups', id: 1, state: 'success', set: {} }] }, false],
  [
    'an allowance',
    { allowances: [{ tokenId: 5, amount: 1, used: 0, remainAfter: 1, at: 1 }] },
    false,
  ],
])(
  'the main statement has to succeed before the commit, beside %s: %s',
  async (_, plan, isEarly) => {
    const main = Promise.withResolvers<object>();
    const query = async (what: unknown) => (typeof what === 'string' ? { rows: [] } : main.promise);
    const client = { query } as unknown as PoolClient;
    let isWritten = false;
    const locked = { tokens: new Set<number>(), users: new Set<number>() };
    const writing = writePlan(client, { ...nothing, ...plan }, locked, 'me').then(
      async ({ last }) => {
        isWritten = true;
        return last;
      },
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(isWritten).toBe(isEarly);
    main.resolve({ rows: [{ dropped: 2 }] });
    expect(await writing).toBe(2);
  },
);
