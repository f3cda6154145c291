// Covers src/core/storage/ledger/postgres-transaction.ts, src/core/storage/ledger/postgres-store.ts.
/** How transactions end whose connection breaks or whose statements fail; no PostgreSQL is needed. */
import { DatabaseError, type Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import { toQuota } from '../../../../src/core/kernel/quota.ts';
import { createPostgresLedgerStore } from '../../../../src/core/storage/ledger/postgres-store.ts';
import {
  CommitUnknownError,
  inTransaction,
  mayBeRepeated,
  type Work,
} from '../../../../src/core/storage/ledger/postgres-transaction.ts';
import { RefusedItemError } from '../../../../src/core/storage/ledger/write-errors.ts';
import { nothing } from './sqlite-image.ts';

const reply = (code: string, severity = 'ERROR') =>
  Object.assign(new DatabaseError(code, 0, 'error'), { code, severity });
const broken = new Error('the connection broke');

type Fails = (statement: string, count: number) => unknown;

/** A pool of one connection; `fails` says which statement fails, by its first word. */
function open(fails: Fails = () => undefined, status: unknown = 'committed') {
  const sent: string[] = [];
  const released: boolean[] = [];
  const query = async (what: string | { text: string }) => {
    const text = typeof what === 'string' ? what : what.text;
    const [word = ''] = text.trim().split(/\s/);
    sent.push(word);
    const failure = fails(word, sent.filter((one) => one === word).length);
    if (failure !== undefined) throw failure;
    return word === 'BEGIN' ? [{ rows: [] }, { rows: [{ id: '77' }] }] : { rows: [] };
  };
  const lookups: unknown[] = [];
  const pool = {
    connect: async () => ({ query, release: (isBroken: boolean) => void released.push(isBroken) }),
    query: async (_: string, values: unknown[]) => {
      lookups.push(values);
      if (status instanceof Error) throw status;
      return { rows: [{ status }] };
    },
  } as unknown as Pool;
  return { pool, sent, released, lookups };
}

const run = (pool: Pool, last?: Promise<unknown>, kind: 'durable' | 'light' = 'durable') =>
  inTransaction(
    pool,
    kind,
    async (): Promise<Work<string>> => ({
      value: 'done',
      ...(last && { last }),
    }),
  );
const failing = (error: unknown) => {
  const last = Promise.reject(error);
  last.catch(() => {});
  return last;
};

describe('a transaction', () => {
  it('is committed behind its last statement, and its connection is used again', async () => {
    const { pool, sent, released } = open();
    expect(await run(pool, Promise.resolve())).toBe('done');
    expect([sent, released]).toEqual([['BEGIN', 'COMMIT'], [false]]);
  });

  it.each(['40001', '40P01', '23505'])('that lost a race (%s) is run again', async (code) => {
    const { pool, sent, released } = open((word, count) =>
      word === 'COMMIT' && count < 3 ? reply(code) : undefined,
    );
    expect(await run(pool)).toBe('done');
    expect(sent.filter((word) => word === 'BEGIN')).toHaveLength(3);
    expect(released).toEqual([false, false, false]);
  });

  it('that always loses is given up after five times', async () => {
    const error = reply('40001');
    const { pool, sent } = open((word) => (word === 'COMMIT' ? error : undefined));
    await expect(run(pool)).rejects.toBe(error);
    expect(sent.filter((word) => word === 'BEGIN')).toHaveLength(5);
  });

  it('that is refused for its data is rolled back, once', async () => {
    const error = reply('22003');
    for (const last of [undefined, failing(error)]) {
      const { pool, sent, released } = open((word) =>
        word === 'COMMIT' && last === undefined ? error : undefined,
      );
      await expect(run(pool, last)).rejects.toBe(error);
      expect([sent, released]).toEqual([['BEGIN', 'COMMIT', 'ROLLBACK'], [false]]);
    }
  });

  it('whose BEGIN or work fails is rolled back, and a lost connection is not used again', async () => {
    const { pool, sent, released } = open((word) => (word === 'BEGIN' ? broken : undefined));
    await expect(run(pool)).rejects.toBe(broken);
    expect([sent, released]).toEqual([['BEGIN', 'ROLLBACK'], [false]]);
    const lost = open((word) => (word === 'BEGIN' ? undefined : broken));
    const work = inTransaction(lost.pool, 'light', () => Promise.reject(reply('22003')));
    await expect(work).rejects.toMatchObject({ code: '22003' });
    expect([lost.sent, lost.released]).toEqual([['BEGIN', 'ROLLBACK'], [true]]);
  });

  it('whose COMMIT gets no reply is unknown, until it is looked up by its id', async () => {
    const cases: readonly (readonly [Promise<unknown> | undefined, unknown])[] = [
      [undefined, broken],
      [undefined, reply('57P01', 'FATAL')],
      [failing(broken), broken],
    ];
    for (const [last, failure] of cases) {
      const { pool, sent, released, lookups } = open((word) =>
        word === 'COMMIT' ? failure : undefined,
      );
      const error = await run(pool, last).catch((reason: unknown) => reason);
      if (!(error instanceof CommitUnknownError)) throw error;
      expect([error.name, error.cause]).toEqual(['CommitUnknownError', failure]);
      // Nothing more is sent on that connection.
      expect([sent, released]).toEqual([['BEGIN', 'COMMIT'], [true]]);
      expect(await error.findOutcome()).toEqual({ value: 'done' });
      expect(lookups).toEqual([['77']]);
    }
  });

  it('whose last statement was refused was not committed, whatever became of COMMIT', async () => {
    const error = reply('22003');
    const { pool } = open((word) => (word === 'COMMIT' ? broken : undefined));
    await expect(run(pool, failing(error))).rejects.toBe(error);
    const unread = open();
    await expect(run(unread.pool, failing(broken))).rejects.toBe(broken);
  });
});

describe('a commit that got no reply', () => {
  it.each<[unknown, unknown]>([
    ['committed', { value: 'done' }],
    ['aborted', undefined],
    [reply('22023'), undefined],
  ])('is %s: %o', async (status, outcome) => {
    const { pool } = open(undefined, status);
    const error = new CommitUnknownError(pool, '77', 'done', broken);
    expect(await error.findOutcome()).toEqual(outcome);
  });
  it.each<[unknown, string]>([
    ['in progress', 'the transaction is in progress'],
    [null, 'the transaction is unknown to the server'],
    [reply('57P03'), '57P03'],
    [broken, 'the connection broke'],
  ])('is not known while the server says %s', async (status, message) => {
    const { pool } = open(undefined, status);
    const error = new CommitUnknownError(pool, '77', 'done', broken);
    await expect(error.findOutcome()).rejects.toThrow(message);
  });
});

it('only what had no effect may be repeated', () => {
  const { pool } = open();
  expect(mayBeRepeated(pool, reply('40001'))).toBe(true);
  expect(mayBeRepeated(pool, reply('26000'))).toBe(true);
  expect(mayBeRepeated(pool, reply('22003'))).toBe(false);
  expect(mayBeRepeated(pool, Object.assign(new Error('other'), { code: '40001' }))).toBe(false);
});

describe('a batch', () => {
  const results = [{ done: true, balance: 5 }];
  const store = (pool: Pool) =>
    createPostgresLedgerStore(pool, 'me', () => ({ plan: nothing, results }));
  const batch = [{ kind: 'release', requestId: 'r', userId: 1, tokenId: 0 }] as const;

  it('of which nothing is known is looked up before it is written again', async () => {
    for (const [status, again] of [
      ['committed', 0],
      ['aborted', 1],
    ] as const) {
      const { pool, sent } = open(
        (word, count) => (word === 'COMMIT' && count === 1 ? broken : undefined),
        status,
      );
      const { settle } = store(pool);
      await expect(settle(batch)).rejects.toBeInstanceOf(CommitUnknownError);
      expect(await settle(batch)).toBe(results);
      expect(sent.filter((word) => word === 'COMMIT')).toHaveLength(1 + again);
      // From then on it is a batch like others.
      await settle(batch);
      expect(sent.filter((word) => word === 'COMMIT')).toHaveLength(2 + again);
    }
  });

  it('stays unknown while it cannot be looked up; another one is written', async () => {
    const { pool, sent } = open(
      (word, count) => (word === 'COMMIT' && count === 1 ? broken : undefined),
      broken,
    );
    const { settle } = store(pool);
    await expect(settle(batch)).rejects.toBeInstanceOf(CommitUnknownError);
    await expect(settle(batch)).rejects.toMatchObject({
      name: 'UnknownOutcomeError',
      message: 'it is still unknown whether a transaction was committed',
      cause: broken,
    });
    expect(sent.filter((word) => word === 'COMMIT')).toHaveLength(1);
    expect(await settle([...batch])).toBe(results);
  });

  it.each([
    [reply('22003'), true],
    [reply('23514'), true],
    [reply('54000'), true],
    [reply('57014'), false],
    [reply('12254'), false],
    [broken, false],
  ])('that fails with %s is at fault itself: %s', async (error, isAtFault) => {
    const { pool } = open((word) => (word === 'COMMIT' ? error : undefined));
    const found = await store(pool)
      .settle(batch)
      .catch((reason: unknown) => reason);
    expect(found instanceof RefusedItemError).toBe(isAtFault);
  });

  it('that cannot be planned is at fault itself', async () => {
    const { pool, released } = open();
    const { settle } = createPostgresLedgerStore(pool, 'me', () => {
      throw new TypeError('no plan');
    });
    await expect(settle(batch)).rejects.toBeInstanceOf(RefusedItemError);
    expect(released).toEqual([false]);
  });
});

describe('holds', () => {
  const request = { requestId: 'r', userId: 1, tokenId: 0 };
  const place = (error: unknown) => {
    const { pool } = open((word) => (word === 'BEGIN' ? error : undefined));
    // With a window, so that the accounts are read.
    return createPostgresLedgerStore(pool, 'me', () => ({ plan: nothing, results: [] }))
      .placeHolds([{ ...request, windows: [{ id: 3 }] }], () => ({
        amount: toQuota(1),
        small: false,
      }))
      .catch((reason: unknown) => reason);
  };
  it.each([
    ['55P03', true],
    ['22003', true],
    ['57014', false],
  ])('that end with %s are at fault: %s', async (code, isAtFault) => {
    expect((await place(reply(code))) instanceof RefusedItemError).toBe(isAtFault);
  });
});
