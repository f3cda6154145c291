/** What a ledger of one process knows of balances while charges are not written yet. */
import { describe, expect, it } from 'vitest';
import { createMemoryAccounts } from '../../../src/core/billing/memory-accounts.ts';
import { createWindowStates } from '../../../src/core/billing/window-states.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import type { ChargeJournal } from '../../../src/core/storage/journal/charge-journal.ts';
import type { Settlement, SettlementResult } from '../../../src/core/storage/ledger/settlement.ts';
import type { BudgetWindowRow, Storage, Token, User } from '../../../src/core/storage/storage.ts';
import { codeOf } from './ledger-support.ts';

type Rows = Pick<Storage, 'users' | 'tokens' | 'budgets'>;

/** User 1 has 1000, token 5 has 400 left, window 3 has 50 spent by two requests; 2, 6 and 4 are gone. */
async function openAccounts() {
  const reads: string[] = [];
  const read = async <Row>(name: string, own: number, id: number, row: Partial<Row>) => {
    reads.push(`${name} ${id}`);
    return id === own ? (row as Row) : null;
  };
  const rows = {
    users: { find: (id: number) => read<User>('user', 1, id, { quota: toQuota(1000) }) },
    tokens: {
      find: (id: number) =>
        read<Token>('token', 5, id, { remainQuota: toQuota(400), unlimitedQuota: false }),
    },
    budgets: {
      findWindow: (id: number) =>
        read<BudgetWindowRow>('window', 3, id, { spent: 50, requests: 2 }),
    },
  } as unknown as Rows;
  const released: number[] = [];
  const journal = { release: (sequence: number) => released.push(sequence) };
  const accounts = createMemoryAccounts(rows, journal as unknown as ChargeJournal);
  const wallet = await accounts.wallets.load(1);
  const allowance = await accounts.allowances.load(5);
  const [window] = accounts.windows.peek(await accounts.windows.load([{ id: 3 }])) ?? [];
  const inWindow = [{ id: 3, amount: 100, account: window?.account }];
  const figures = () => ({
    quota: wallet.quota,
    unwritten: wallet.unwritten,
    remain: allowance.remain,
    spent: window?.account.spent,
    requests: window?.account.requests,
  });
  return { accounts, wallet, allowance, window, inWindow, figures, reads, released };
}

const started = { quota: 1000, unwritten: 0, remain: 400, spent: 50, requests: 2 };
const charge = (amount: number, more: object = {}): Settlement => ({
  kind: 'charge',
  requestId: 'r',
  userId: 1,
  tokenId: 5,
  channelId: 7,
  amount,
  at: 1,
  log: null,
  rollup: null,
  windows: [3],
  ...more,
});
const done = (balance: number, more: object = {}): SettlementResult => ({
  done: true,
  balance,
  ...more,
});
const failed: SettlementResult = { done: false, balance: 0 };

it('rows are read once, and those that are gone are named', async () => {
  const { accounts, reads } = await openAccounts();
  await Promise.all([accounts.wallets.load(1), accounts.wallets.loadKnown(1)]);
  expect(accounts.wallets.peek(2)).toBeUndefined();
  expect(await codeOf(accounts.wallets.load(2))).toBe('not_found');
  expect(await codeOf(accounts.allowances.load(6))).toBe('token_unknown');
  await accounts.wallets.loadKnown(2);
  await accounts.allowances.loadKnown(0);
  expect(await accounts.windows.load([{ id: 4 }])).toEqual([]);
  expect(reads).toEqual([
    'user 1',
    'token 5',
    'window 3',
    'user 2',
    'token 6',
    'user 2',
    'window 4',
  ]);
});

it('a database that cannot be read is not taken for an account that is gone', async () => {
  const broken = async () => {
    throw new Error('no database');
  };
  const rows = { users: { find: broken }, tokens: { find: broken }, budgets: {} };
  const accounts = createMemoryAccounts(rows as unknown as Rows, undefined);
  await expect(accounts.wallets.loadKnown(1)).rejects.toThrow('no database');
});

it('holds count in wallet, token and window, and are let go', async () => {
  const { accounts, wallet, allowance, window, inWindow } = await openAccounts();
  const held = { userId: 1, tokenId: 5, amount: 30 as never, windows: inWindow };
  const figures = () => [wallet.held, allowance.held, window?.account.held, window?.account.holds];
  accounts.hold(held, 1);
  accounts.hold({ userId: 1, tokenId: 5, amount: 4 as never }, 1);
  accounts.hold({ userId: 2, tokenId: 6, amount: 8 as never }, 1);
  expect(figures()).toEqual([34, 34, 100, 1]);
  accounts.hold(held, -1);
  expect(figures()).toEqual([4, 4, 0, 0]);
  expect([wallet.quota, allowance.remain]).toEqual([1000, 400]);
});

describe('a charge', () => {
  it('counts at once, and again as it was written', async () => {
    const { accounts, figures, inWindow } = await openAccounts();
    expect(accounts.charge({ userId: 1, tokenId: 5, windows: inWindow }, 300)).toBe(700);
    expect(accounts.charge({ userId: 1, tokenId: 5 }, 50)).toBe(650);
    expect(figures()).toEqual({ quota: 650, unwritten: 350, remain: 50, spent: 350, requests: 3 });
    // Of the first one less was taken, because it was capped; the other is still to come.
    accounts.settled(charge(300), done(800, { remain: 150 }));
    expect(figures()).toEqual({ quota: 750, unwritten: 50, remain: 100, spent: 350, requests: 3 });
    accounts.settled(charge(50, { windows: undefined }), done(750));
    expect(figures()).toEqual({ quota: 750, unwritten: 0, remain: 100, spent: 350, requests: 3 });
  });

  it('that is refused or given up is taken back', async () => {
    for (const result of [failed, undefined]) {
      const { accounts, figures, inWindow } = await openAccounts();
      accounts.charge({ userId: 1, tokenId: 5, windows: inWindow }, 300);
      accounts.settled(charge(300), result);
      expect(figures()).toEqual({ ...started, requests: 3 });
    }
  });

  it('of the journal frees its place there', async () => {
    const { accounts, figures, released } = await openAccounts();
    accounts.charge({ userId: 1, tokenId: 5 }, 300);
    const journaled = { kind: 'journaled', sequence: 9, userId: 1, tokenId: 5, amount: 300 };
    accounts.settled({ ...journaled, json: '' } as never, done(700, { remain: 100 }));
    expect(released).toEqual([9]);
    expect(figures()).toMatchObject({ quota: 700, unwritten: 0, remain: 100 });
    accounts.settled(charge(1), done(699));
    expect(released).toEqual([9]);
  });

  it('of accounts that are not known is no error', async () => {
    const { accounts, figures } = await openAccounts();
    expect(accounts.charge({ userId: 2, tokenId: 6 }, 300)).toBe(0);
    accounts.settled(charge(300, { userId: 2, tokenId: 6, windows: [4] }), failed);
    accounts.settled(charge(300, { userId: 2, tokenId: 6 }), done(7, { remain: 7 }));
    expect(figures()).toEqual(started);
  });
});

describe('what is no charge counts once it is committed', () => {
  const others: readonly [string, Settlement, SettlementResult, object][] = [
    [
      'a posting',
      {
        kind: 'posting',
        posting: 'top_up',
        userId: 1,
        amount: 70,
        reference: null,
        at: 1,
        log: null,
        guard: null,
      },
      done(1070),
      { quota: 970 },
    ],
    [
      'a refund',
      {
        kind: 'refund',
        userId: 1,
        reference: 'x',
        at: 1,
        log: null,
        guard: undefined,
        charges: [{ amount: 20, tokenId: 5, channelId: 7, rollup: null, windows: [3] }],
      } as never,
      done(1020, { remains: { 5: 420, 6: 9 } }),
      { quota: 920, remain: 320, spent: 30 },
    ],
    [
      'an allowance',
      { kind: 'allowance', tokenId: 5, remainQuota: 250, unlimited: true, at: 1 },
      done(0),
      { remain: 150 },
    ],
    [
      'an allowance that leaves the sum',
      { kind: 'allowance', tokenId: 5, remainQuota: null, unlimited: true, at: 1 },
      done(0),
      {},
    ],
    ['a release', { kind: 'release', requestId: 'r', userId: 1, tokenId: 5 }, done(0), {}],
  ];

  it.each(others)('%s', async (_, item, result, expected) => {
    const { accounts, figures, allowance } = await openAccounts();
    accounts.charge({ userId: 1, tokenId: 5 }, 100);
    const before = { ...started, quota: 900, unwritten: 100, remain: 300 };
    accounts.settled(item, failed);
    accounts.settled(item, undefined);
    expect([figures(), allowance.unlimited]).toEqual([before, false]);
    accounts.settled(item, result);
    expect(figures()).toEqual({ ...before, ...expected });
    expect(allowance.unlimited).toBe(item.kind === 'allowance');
  });

  it.each(others)('%s of nobody who is known is no error', async (_, item, result) => {
    const { accounts, figures } = await openAccounts();
    accounts.settled({ ...item, userId: 2, tokenId: 6 } as Settlement, result);
    expect(figures()).toMatchObject({ quota: 1000, unwritten: 0 });
  });
});

describe('windows of budgets', () => {
  const rowOf = { spent: 50, requests: 2 } as BudgetWindowRow;

  const openWindows = () => {
    const reads: number[] = [];
    const windows = createWindowStates({
      findWindow: async (id) => {
        reads.push(id);
        return id > 0 ? rowOf : null;
      },
    });
    return { windows, reads };
  };

  it('are read once, and known to whoever asks with them again', async () => {
    const { windows, reads } = openWindows();
    const asked = { id: 3 };
    expect(windows.peek([asked])).toBeUndefined();
    await Promise.all([windows.load([asked, asked]), windows.load([{ id: -1 }, { id: 3 }])]);
    const [state] = windows.peek([asked]) ?? [];
    expect(reads).toEqual([3, -1]);
    expect(state).toMatchObject({ window: asked, spent: 50, held: 0, requests: 2 });
    expect(asked).toMatchObject({ account: { spent: 50, holds: 0, isForgotten: false } });
    expect(windows.peek([{ id: 3 }])).toMatchObject([{ account: state?.account }]);
    expect(windows.peek([{ id: 3 }, { id: 8 }])).toBeUndefined();
    expect(windows.peek([])).toEqual([]);
    expect(await windows.load([{ id: -1 }, { id: 3 }])).toEqual([{ id: 3 }]);
    // One that brings the ledger’s own account along is not looked up.
    const account = { spent: 1, held: 0, requests: 0, holds: 0, isForgotten: false };
    expect(windows.peek([{ id: 99, account }])).toMatchObject([{ spent: 1, account }]);
    const forgotten = { ...account, isForgotten: true };
    expect(windows.peek([{ id: 99, account: forgotten }])).toBeUndefined();
    expect(windows.peek([{ id: 3, account: forgotten }])).toMatchObject([{ spent: 50 }]);
  });

  it('are forgotten where there are too many, but for those in which something is held or not written yet', async () => {
    const { windows, reads } = openWindows();
    const asked = { id: 3 };
    const holdIn = async (id: number) => {
      const [state] = windows.peek(await windows.load([{ id }])) ?? [];
      const held = [{ id, amount: 1, account: state?.account }];
      windows.hold(held, 1);
      return held;
    };
    const [state] = windows.peek(await windows.load([asked])) ?? [];
    const held = await holdIn(9);
    const charged = await holdIn(10);
    windows.hold(charged, -1);
    windows.charge(charged, 7);
    const loadMany = (first: number) =>
      windows.load(Array.from({ length: 20_000 }, (_, index) => ({ id: first + index })));
    await loadMany(100);
    expect(windows.peek([asked])).toBeDefined();
    reads.length = 0;
    await windows.load([{ id: 9 }, { id: 10 }, asked]);
    expect(reads).toEqual([3]);
    expect(windows.peek([{ id: 10 }])).toMatchObject([{ spent: 57 }]);
    windows.written([10, 99]);
    windows.written(undefined);
    await loadMany(30_000);
    reads.length = 0;
    await windows.load([{ id: 9 }, { id: 10 }]);
    expect(reads).toEqual([10]);
    expect(state?.account.isForgotten).toBe(true);
    expect(windows.peek([asked])?.[0]?.account).not.toBe(state?.account);
    expect(held[0]?.account?.isForgotten).toBe(false);
  });

  it('count what is given back, and no request for it', async () => {
    const windows = createWindowStates({ findWindow: async () => rowOf });
    await windows.load([{ id: 3 }]);
    windows.spend([3, 4], 20);
    windows.spend([3], -5);
    windows.spend([3], 0);
    windows.spend(undefined, 7);
    expect(windows.peek([{ id: 3 }])).toMatchObject([{ spent: 65, requests: 3 }]);
    windows.charge([{ id: 3, amount: 1 }], 9);
    windows.hold([{ id: 3, amount: 1 }], 1);
    expect(windows.peek([{ id: 3 }])).toMatchObject([{ spent: 65, held: 0 }]);
  });
});
