// Covers src/core/storage/ledger/postgres-holds.ts, src/core/storage/ledger/postgres-store.ts.
/** Which holds are placed, renewed and taken over on PostgreSQL; each test undoes what it wrote. */
import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../../src/core/kernel/errors.ts';
import {
  countStaleHolds,
  type PlacedHold,
  type PostgresHoldRequest,
  placeHolds,
  renewLeases,
  takeOverHolds,
} from '../../../../src/core/storage/ledger/postgres-holds.ts';
import { createPostgresLedgerStore } from '../../../../src/core/storage/ledger/postgres-store.ts';
import { RefusedItemError } from '../../../../src/core/storage/ledger/write-errors.ts';
import { postgresIsInstalled } from '../../../support/postgres.ts';
import { openPostgresRows, statementsOf } from './postgres-image.ts';
import { max, nothing } from './sqlite-image.ts';

type Account = { readonly quota?: number; readonly remain?: number; readonly held: number };
interface Wanted extends PostgresHoldRequest {
  readonly amount: number;
}

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
    seen = [];
    admit = admitSeenBy(seen);
  });
  const rowsOf = async (sql: string) => (await client.query(sql)).rows;
  /** The one transaction stands for those of a pool. */
  const query = async (what: string | object) => {
    if (typeof what !== 'string') return client.query(what as never);
    if (what.startsWith('BEGIN')) return [await client.query('SELECT 1 AS id')];
    return ['COMMIT', 'ROLLBACK'].includes(what) ? { rows: [] } : client.query(what);
  };
  const pool = {
    connect: async () => ({
      query: (what: string | object, values?: unknown[]) =>
        typeof what === 'string' && values !== undefined ? client.query(what, values) : query(what),
      release: () => {},
    }),
    query: (what: string | object, values?: unknown[]) =>
      values === undefined ? query(what) : client.query(String(what), values),
  } as unknown as Pool;

  type Seen = [Account | undefined, Account | undefined, unknown][];
  /** Notes the accounts that it decides on. */
  const admitSeenBy =
    (list: Seen) =>
    (
      wallet: Account | undefined,
      allowance: Account | undefined,
      { amount, windows }: Wanted,
      states: ReadonlyMap<number, object>,
    ): PlacedHold => {
      list.push([wallet, allowance, [...states]]);
      if (wallet === undefined) throw new AppError('not_found');
      if ((wallet.quota ?? 0) < amount) throw new AppError('insufficient_user_quota');
      if (amount < 0) throw new RangeError('no amount');
      const held = windows?.map(({ id }) => ({ id, amount }));
      return { amount, small: false, ...(held && { windows: held }) };
    };
  /** Of each test its own. */
  let seen: Seen;
  let admit: ReturnType<typeof admitSeenBy>;
  const want = (requestId: string, tokenId: number, amount: number, userId = 1): Wanted => ({
    requestId,
    userId,
    tokenId,
    amount,
  });
  const place = (...requests: Wanted[]) => placeHolds({ pool, node: 'me', requests, admit });
  const heldNow = async () => [
    (await rowsOf('SELECT held FROM users'))[0].held,
    (await rowsOf('SELECT held FROM tokens WHERE id = 6'))[0].held,
    (await rowsOf('SELECT held FROM budget_windows WHERE id = 34'))[0].held,
  ];

  it('holds of one transaction count for each other, in wallet, token and windows', async () => {
    const results = await place(
      { ...want('a', 6, 7), windows: [{ id: 34 }] },
      { ...want('b', 6, 5), windows: [{ id: 34 }] },
      want('c', 0, 3),
      want('d', 0, 3, 9),
    );
    expect(results).toMatchObject([
      { amount: 7 },
      { amount: 5 },
      { amount: 3 },
      { code: 'not_found' },
    ]);
    const window = (held: number) => [[34, { spent: 0, held, requests: 0 }]];
    expect(seen).toMatchObject([
      [{ quota: 100, held: 50 }, { remain: 60, held: 0 }, window(0)],
      [{ held: 57 }, { held: 7 }, window(7)],
      [{ held: 62 }, undefined, window(12)],
      [undefined, undefined, window(12)],
    ]);
    expect(await heldNow()).toEqual([65, 12, 12]);
    const holds =
      "SELECT request_id, token_id, amount, windows, node FROM holds WHERE node = 'me' ORDER BY request_id";
    expect((await rowsOf(holds)).slice(0, 3)).toEqual([
      { request_id: 'a', token_id: 6, amount: 7, windows: '[{"id":34,"amount":7}]', node: 'me' },
      { request_id: 'b', token_id: 6, amount: 5, windows: '[{"id":34,"amount":5}]', node: 'me' },
      { request_id: 'c', token_id: null, amount: 3, windows: null, node: 'me' },
    ]);
  });

  it('a window that is gone meanwhile counts for the requests of one transaction, as nothing before', async () => {
    const gone = [{ id: 99 }];
    await place({ ...want('a', 0, 7), windows: gone }, { ...want('b', 0, 5), windows: gone });
    const [, , states] = seen[1] ?? [];
    expect(states).toEqual([[99, { spent: 0, held: 7, requests: 0 }]]);
  });

  // Each statement is a round trip to the server.
  it('no statement is sent that has nothing to do', async () => {
    const statements = (work: () => Promise<unknown>) => statementsOf(client, work);
    // The first stands for the beginning of a transaction.
    const [begun, users] = ['SELECT 1', 'ledger_lock_users'];
    expect(await statements(() => place(want('a', 0, 1, 9)))).toEqual([begun, users]);
    expect(await statements(() => place(want('a', 0, 1)))).toEqual([begun, users, 'ledger_hold']);
    const locked = [begun, 'ledger_lock_tokens', users, 'ledger_lock_windows'];
    const all = { ...want('b', 6, 1), windows: [{ id: 34 }] };
    expect(await statements(() => place(all))).toEqual([
      ...locked,
      'ledger_hold',
      'UPDATE budget_windows',
    ]);
    const look = 'SELECT request_id';
    expect(await statements(() => takeOverHolds(pool))).toEqual([
      look,
      ...locked,
      'ledger_settle_windows',
    ]);
    expect(await statements(() => takeOverHolds(pool))).toEqual([look]);
  });

  it('nobody is held for where all are refused, and a fault is reported', async () => {
    expect(await place(want('a', 0, 1, 9))).toMatchObject([{ code: 'not_found' }]);
    await expect(place(want('a', 0, -1))).rejects.toThrow('no amount');
    expect(await heldNow()).toEqual([50, 0, 0]);
  });

  it.each([
    [want('a', 0, 51)],
    // The wallet has it, the token does not.
    [want('a', 5, 11)],
  ])('what the database does not cover is not placed: %o', async (request) => {
    await expect(place(request)).rejects.toThrow('a hold was not written');
  });

  it('leases of this node are renewed', async () => {
    const leased = async () =>
      (await rowsOf('SELECT request_id FROM holds WHERE expires_at > 0 ORDER BY 1')).length;
    expect(await leased()).toBe(1);
    await renewLeases(pool, 'other', ['r1']);
    await renewLeases(pool, 'me', ['r2']);
    expect(await leased()).toBe(1);
    await renewLeases({ query: () => Promise.reject(new Error('sent')) } as never, 'me', []);
    await renewLeases(pool, 'me', ['r1', 'r9']);
    expect(await leased()).toBe(2);
    expect(await countStaleHolds(pool)).toBe(0);
  });

  it('holds whose lease ran out are given back once', async () => {
    expect(await countStaleHolds(pool)).toBe(1);
    expect(await takeOverHolds(pool)).toBe(1);
    expect(await takeOverHolds(pool)).toBe(0);
    expect(await countStaleHolds(pool)).toBe(0);
    expect((await rowsOf('SELECT held FROM users'))[0].held).toBe(10);
    expect((await rowsOf('SELECT held FROM budget_windows WHERE id = 31'))[0].held).toBe(0);
  });

  it('all of them, however many there are', async () => {
    await client.query(`
      INSERT INTO holds (request_id, user_id, token_id, amount, windows, node, expires_at, created_at)
      SELECT 'x' || number, 1, null, 0, null, 'gone', 0, 1 FROM generate_series(1, 600) AS number`);
    expect(await takeOverHolds(pool)).toBe(601);
    expect(await rowsOf('SELECT request_id FROM holds')).toEqual([{ request_id: 'r2' }]);
  });

  it('who had too little is read and locked before, until there was enough again', async () => {
    const store = createPostgresLedgerStore(pool, 'me', () => ({ plan: nothing, results: [] }));
    /** The quota that was decided on: that of the account, or as if it had plenty. */
    const placed = async (amount: number, more: Partial<Wanted> = {}) => {
      seen.length = 0;
      await store.placeHolds([{ ...want(`h${amount}`, 0, amount), ...more }], admit);
      return seen.map(([wallet]) => wallet?.quota);
    };
    expect(await placed(2)).toEqual([max]);
    expect(await placed(3, { windows: [{ id: 34 }] })).toEqual([100]);
    // It is not covered: it is decided on again by the account itself.
    expect(await placed(101)).toEqual([max, 100]);
    expect(await placed(4)).toEqual([100]);
    expect(await placed(5)).toEqual([max]);
  });

  it('the store of a node speaks of its own leases', async () => {
    const store = createPostgresLedgerStore(pool, 'me', () => ({ plan: nothing, results: [] }));
    expect(await store.countStaleHolds()).toBe(1);
    await store.renewLeases(['r1']);
    expect(await store.countStaleHolds()).toBe(0);
    expect(await store.takeOverHolds()).toBe(0);
  });

  it('a race that is lost on the quick way is decided on locked accounts, a fault is not', async () => {
    const placed = (code: string) => {
      const query = () =>
        Promise.reject(Object.assign(new DatabaseError('x', 0, 'error'), { code }));
      const racing = { ...pool, query } as unknown as Pool;
      return createPostgresLedgerStore(racing, 'me', () => ({ plan: nothing, results: [] }))
        .placeHolds([want('a', 0, 3)], admit)
        .then(() => seen.map(([wallet]) => wallet?.quota));
    };
    expect(await placed('40001')).toEqual([max, 100]);
    seen.length = 0;
    await expect(placed('22003')).rejects.toBeInstanceOf(RefusedItemError);
    expect(seen).toHaveLength(1);
  });
});
