// Covers src/core/storage/ledger/sqlite-write.ts, src/core/storage/ledger/sqlite-chain.ts, src/core/storage/ledger/guards.ts.
/** Which rows a plan writes on SQLite, row by row. */
import { beforeEach, describe, expect, it } from 'vitest';
import { linkGroup, postingText } from '../../../../src/core/storage/ledger/chain.ts';
import type { LedgerPlan } from '../../../../src/core/storage/ledger/plan.ts';
import { logFor } from '../../billing/ledger-support.ts';
import { changedAccounts, db, max, openRows, posting, rowsOf, write } from './sqlite-image.ts';

beforeEach(openRows);

describe('the writer', () => {
  it('appends postings with their links, and names the first of each hour', () => {
    write({
      postings: [
        posting({ windows: '[31]' }),
        posting({ tokenId: null, reference: null, kind: 'top_up', amount: 5n, balanceAfter: 75 }),
        posting({ at: 10_800, reference: 'r31' }),
      ],
      logs: [
        { row: { ...logFor(1, 'r31', 30), isStream: true }, posting: 2 },
        { row: logFor(1, 'r0', 0), posting: null },
      ],
    });
    write({ postings: [posting({ at: 10_801, reference: 'a\u0000b' })] });
    const common = { user_id: 1, windows: null, link: expect.any(String) };
    expect(rowsOf('SELECT * FROM ledger')).toEqual([
      {
        ...common,
        id: 1,
        token_id: 5,
        kind: 'charge',
        amount: -30,
        balance_after: 70,
        reference: 'r30',
        created_at: 7300,
        windows: '[31]',
      },
      {
        ...common,
        id: 2,
        token_id: null,
        kind: 'top_up',
        amount: 5,
        balance_after: 75,
        reference: null,
        created_at: 7300,
      },
      {
        ...common,
        id: 3,
        token_id: 5,
        kind: 'charge',
        amount: -30,
        balance_after: 70,
        reference: 'r31',
        created_at: 10_800,
      },
      expect.objectContaining({ id: 4, reference: expect.not.stringContaining('\u0000') }),
    ]);
    expect(rowsOf('SELECT * FROM ledger_hours')).toEqual([
      { hour: 7200, first_id: 1 },
      { hour: 10_800, first_id: 3 },
    ]);
    expect(rowsOf('SELECT request_id, ledger_id, is_stream, quota, other FROM logs')).toEqual([
      { request_id: 'r31', ledger_id: 3, is_stream: 1, quota: 30, other: '{"a":1}' },
      { request_id: 'r0', ledger_id: null, is_stream: 0, quota: 0, other: '{"a":1}' },
    ]);
  });

  it('links each group to the one before', () => {
    const end = "SELECT link FROM ledger_chains WHERE name = 'ledger'";
    const [{ link: before }] = rowsOf(end) as [{ link: string }];
    const group = [posting(), posting({ reference: 'x' }), posting({ tokenId: null })];
    write({ postings: group });
    expect(rowsOf('SELECT link FROM ledger')).toEqual(
      linkGroup(
        before,
        group.map((row, index) => ({ id: index + 1, text: postingText(row) })),
      ).map((link) => ({ link })),
    );
  });

  it('sets balances and allowances, and adds to counters', () => {
    write({
      ...changedAccounts,
      allowances: [{ tokenId: 5, amount: -20, used: 3, remainAfter: 20, at: 30 }],
    });
    expect(rowsOf('SELECT quota, used_quota, request_count FROM users')).toEqual([
      { quota: 70, used_quota: 50, request_count: 5 },
    ]);
    const tokens = 'SELECT remain_quota, unlimited_quota, used_quota, accessed_time FROM tokens';
    expect(rowsOf(tokens)).toEqual([
      { remain_quota: 20, unlimited_quota: 1, used_quota: 37, accessed_time: 99 },
      { remain_quota: 30, unlimited_quota: 0, used_quota: 38, accessed_time: 9 },
    ]);
    expect(rowsOf('SELECT used_quota FROM channels')).toEqual([
      { used_quota: 40 },
      { used_quota: max },
    ]);
    expect(rowsOf('SELECT * FROM token_allowances')).toEqual([
      {
        id: 1,
        token_id: 5,
        amount: -20,
        used: 3,
        remain_after: 20,
        created_at: 30,
        link: expect.any(String),
      },
    ]);
  });

  it('goes on after rows that others added, and after the end of a chain', () => {
    write({ postings: [posting()] });
    db.exec('UPDATE ledger SET id = 20');
    write({ postings: [posting({ reference: 'x' }), posting({ reference: 'y' })] });
    expect(rowsOf('SELECT id FROM ledger')).toEqual([{ id: 20 }, { id: 21 }, { id: 22 }]);
    const end = "SELECT last_id, link FROM ledger_chains WHERE name = 'ledger'";
    const linkOf = (id: number) => rowsOf(`SELECT link FROM ledger WHERE id = ${id}`)[0] as object;
    expect(rowsOf(end)).toEqual([{ last_id: 22, ...linkOf(22) }]);
    db.exec('DELETE FROM ledger');
    write({ postings: [posting({ reference: 'z' })] });
    expect(rowsOf('SELECT id FROM ledger')).toEqual([{ id: 23 }]);
    write({});
    expect(rowsOf(end)).toEqual([{ last_id: 23, ...linkOf(23) }]);
  });

  it('begins a chain anew where its end is gone', () => {
    db.exec('DELETE FROM ledger_chains');
    write({ postings: [posting()] });
    const [link] = linkGroup('', [{ id: 1, text: postingText(posting()) }]);
    expect(rowsOf('SELECT id, link FROM ledger')).toEqual([{ id: 1, link }]);
  });

  it('counts windows up to the bound of quota, and keeps minutes where a pace is set', () => {
    const changes = [
      { id: 31, amount: 30, requests: 2, minute: 5 },
      { id: 32, amount: 30, requests: 1, minute: 5 },
      { id: 33, amount: 1, requests: 1, minute: 5 },
    ];
    write({ windows: { ids: new Set(), changes } });
    const windows = 'SELECT id, spent, requests, charged_at FROM budget_windows';
    const once = [
      { id: 31, spent: 35, requests: 3, charged_at: 300 },
      { id: 32, spent: max, requests: 2, charged_at: 600 },
    ];
    expect(rowsOf(windows)).toEqual(once);
    expect(rowsOf('SELECT * FROM budget_minutes')).toEqual([]);
    db.exec(`
      INSERT INTO budgets (id, user_id, owner, owner_id, amount, most_pace) VALUES (2, 0, 'user', 1, 100, 9);
      INSERT INTO budget_windows (id, budget_id, revision, subject, starts_at, ends_at) VALUES (34, 2, 1, 'd', 0, 0);
    `);
    const again = [
      { id: 31, amount: -5, requests: 0, minute: 65 },
      { id: 34, amount: 4, requests: 1, minute: 65 },
      { id: 99, amount: 4, requests: 1, minute: 65 },
    ];
    write({ windows: { ids: new Set(), changes: again } });
    expect(rowsOf(windows)).toEqual([
      { id: 31, spent: 30, requests: 3, charged_at: 3900 },
      once[1],
      { id: 34, spent: 4, requests: 1, charged_at: 3900 },
    ]);
    expect(rowsOf('SELECT * FROM budget_minutes')).toEqual([
      { window_id: 34, place: 1, minute: 65, spent: 4 },
    ]);
  });

  it('adds to hourly sums, and moves guarded rows; what a guard leaves out stays', () => {
    const sum = { model_name: 'm', created_at: 3600, count: 1, quota: 5, token_used: 7 };
    const plan: Partial<LedgerPlan> = {
      rollups: {
        quota_data: [{ user_id: 1, username: 'u', ...sum }],
        channel_usage: [{ channel_id: 7, ...sum, cost: 30, costed_count: 1, costed_quota: 5 }],
        tag_usage: [{ user_id: 1, created_at: 3600, tag: 'x', count: 1, quota: 5, token_used: 7 }],
        channel_key_usage: [{ channel_id: 7, created_at: 3600, key_name: 'k', count: 1, quota: 5 }],
      },
      guards: [{ table: 'redemptions', id: 3, state: 3, set: { used_user_id: 1 } }],
    };
    write(plan);
    const codes = 'SELECT status, used_user_id, redeemed_time, expired_time FROM redemptions';
    const code = { status: 3, used_user_id: 1, redeemed_time: 0, expired_time: 77 };
    expect(rowsOf(`${codes} WHERE id = 3`)).toEqual([code]);
    write(plan);
    expect(rowsOf('SELECT * FROM quota_data')).toMatchObject([
      { user_id: 1, username: 'u', created_at: 3600, count: 2, quota: 10, token_used: 14 },
    ]);
    expect(rowsOf('SELECT * FROM channel_usage')).toMatchObject([
      { channel_id: 7, count: 2, quota: 10, cost: 60, costed_count: 2, costed_quota: 10 },
    ]);
    expect(rowsOf('SELECT * FROM tag_usage')).toMatchObject([{ tag: 'x', count: 2, quota: 10 }]);
    expect(rowsOf('SELECT * FROM channel_key_usage')).toMatchObject([{ key_name: 'k', count: 2 }]);
    db.exec('UPDATE redemptions SET redeemed_time = 44 WHERE id = 3');
    write({ guards: [{ table: 'redemptions', id: 3, state: 1, set: { used_user_id: 0 } }] });
    expect(rowsOf(`${codes} WHERE id = 3`)).toEqual([
      { status: 1, used_user_id: 0, redeemed_time: 44, expired_time: 77 },
    ]);
    expect(rowsOf(`${codes} WHERE id = 4`)).toMatchObject([{ status: 1 }]);
  });
});
