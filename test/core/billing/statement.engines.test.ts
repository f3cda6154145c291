import { describe, expect, test } from 'vitest';
import { createStatementService, type Statement } from '../../../src/core/billing/statement.ts';
import { statementFile } from '../../../src/core/billing/statement-csv.ts';
import { sumEverybody, sumPostings } from '../../../src/core/billing/statement-sums.ts';
import type { Clock } from '../../../src/core/kernel/clock.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import type { OpenStorage } from '../../../src/core/storage/open.ts';
import type { Posting } from '../../../src/core/storage/storage.ts';
import { forEachEngineInTurn } from '../../support/storage.ts';
import { addUser, openLedger } from './ledger-support.ts';

/** A clock that the test sets; `at` in the server's time zone. */
function createClock(): Clock & { set(...at: [number, number, number, number?]): void } {
  let now = 0;
  return {
    now: () => now,
    sleep: () => new Promise(() => {}),
    set: (year, month, day, hour = 12) => {
      now = new Date(year, month - 1, day, hour).getTime();
    },
  };
}

const never = new AbortController().signal;
const sumOf = ({ sums }: Statement) => sums.reduce((sum, { amount }) => sum + amount, 0);

/** How many of these users have no posting that waits. */
async function summedUsers(
  { statements }: OpenStorage,
  users: readonly number[],
  upTo: number,
): Promise<number> {
  const progress = await statements.progressOf(users, upTo);
  return [...progress.values()].filter(({ waiting }) => waiting === 0).length;
}

async function setUp(storage: OpenStorage) {
  const clock = createClock();
  clock.set(2026, 10, 5);
  const ledger = openLedger(storage, { clock });
  const service = createStatementService({ storage, clock });
  const user = await addUser(storage);
  const post = (amount: number, kind: 'top_up' | 'adjustment' | 'refund' = 'top_up') =>
    ledger.post({ userId: user, kind, amount: toQuota(amount), reference: null });
  const charge = async (amount: number) => {
    const hold = await ledger.hold({
      requestId: `r${clock.now()}-${amount}`,
      userId: user,
      tokenId: 0,
      amount: toQuota(amount),
    });
    const hour = Math.floor(clock.now() / 3_600_000) * 3600;
    await ledger.settle(hold, {
      amount: toQuota(amount),
      channelId: 0,
      log: null,
      rollup: { modelName: 'gpt', username: 'u', hour, tokens: 10 },
    });
  };
  return { clock, ledger, service, user, post, charge };
}

forEachEngineInTurn('statements', (engine) => {
  test('opening + sums = closing, month after month, and the last closing is the balance', async () => {
    const storage = await engine.open();
    const { clock, service, user, post, charge, ledger } = await setUp(storage);
    await post(1000);
    await charge(30);
    clock.set(2026, 11, 2);
    await charge(20);
    clock.set(2026, 11, 3);
    await post(-5, 'adjustment');
    await charge(1);
    const october = await service.statement(user, 202610);
    const november = await service.statement(user);
    expect(october).toMatchObject({
      opening: 0,
      closing: 970,
      difference: 0,
      months: [202611, 202610],
    });
    expect(november).toMatchObject({ month: 202611, opening: 970, closing: 944, difference: 0 });
    expect(november.opening + sumOf(november)).toBe((await ledger.balance(user)).quota);
    expect(november.sums).toEqual([
      { month: 202611, day: 20261102, kind: 'charge', count: 1, amount: -20 },
      { month: 202611, day: 20261103, kind: 'adjustment', count: 1, amount: -5 },
      { month: 202611, day: 20261103, kind: 'charge', count: 1, amount: -1 },
    ]);
    expect(november.charges).toEqual([
      { day: 20261102, model: 'gpt', requests: 1, tokens: 10, quota: 20 },
      { day: 20261103, model: 'gpt', requests: 1, tokens: 10, quota: 1 },
    ]);
    expect(november.movements).toMatchObject({
      total: 1,
      items: [{ kind: 'adjustment', amount: -5 }],
    });
    expect(october.movements).toMatchObject({
      total: 1,
      items: [{ kind: 'top_up', amount: 1000 }],
    });
    // A month in which nothing happened, and one before all others.
    clock.set(2026, 12, 1);
    expect(await service.statement(user)).toMatchObject({
      opening: 944,
      closing: 944,
      sums: [],
      months: [202612, 202611, 202610],
    });
    expect(await service.statement(user, 202501)).toMatchObject({
      opening: 0,
      closing: 0,
      difference: 0,
    });
  });

  test('a month that is closed stays as it is: a late posting belongs to the month after', async () => {
    const storage = await engine.open();
    const { clock, service, user, post } = await setUp(storage);
    await post(100);
    clock.set(2026, 11, 3);
    await sumEverybody(storage, clock, never);
    const october = await service.statement(user, 202610);
    expect(october.isClosed).toBe(true);
    // A settlement that waited for the database carries the time at which it was made.
    clock.set(2026, 10, 31, 23);
    await post(7, 'refund');
    clock.set(2026, 11, 4);
    expect(await service.statement(user, 202610)).toEqual(october);
    const november = await service.statement(user, 202611);
    expect(november).toMatchObject({ opening: 100, closing: 107, difference: 0 });
    expect(november.sums).toEqual([
      { month: 202611, day: 20261101, kind: 'refund', count: 1, amount: 7 },
    ]);
    expect(november.movements.items).toMatchObject([
      { kind: 'refund', createdAt: new Date(2026, 9, 31, 23).getTime() / 1000 },
    ]);
  });

  test('months that were closed while the clock was ahead are opened again', async () => {
    const storage = await engine.open();
    const { clock, service, user, post } = await setUp(storage);
    await post(100);
    clock.set(2029, 5, 5);
    await sumEverybody(storage, clock, never);
    clock.set(2026, 11, 5);
    await sumEverybody(storage, clock, never);
    await post(7, 'refund');
    await sumEverybody(storage, clock, never);
    expect(await service.statement(user, 202610)).toMatchObject({ closing: 100, isClosed: true });
    expect(await service.statement(user, 202611)).toMatchObject({
      opening: 100,
      closing: 107,
      isClosed: false,
      sums: [{ month: 202611, day: 20261105, kind: 'refund' }],
    });
    expect(await storage.statements.verify()).toEqual([]);
  });

  test('within a day after its end a month still takes what belongs to it', async () => {
    const storage = await engine.open();
    const { clock, service, user, post } = await setUp(storage);
    await post(100);
    clock.set(2026, 11, 1, 10);
    await sumEverybody(storage, clock, never);
    clock.set(2026, 10, 31, 23);
    await post(7, 'refund');
    clock.set(2026, 11, 1, 11);
    expect(await service.statement(user, 202610)).toMatchObject({ closing: 107, isClosed: false });
  });

  test('postings that are summed while a statement is read are no unexplained difference', async () => {
    const storage = await engine.open();
    const { clock, user, post } = await setUp(storage);
    await post(100);
    let late = 2;
    const statements = {
      ...storage.statements,
      months: async (userId: number) => {
        const months = await storage.statements.months(userId);
        if (late > 0) {
          late -= 1;
          await post(5);
          await sumEverybody(storage, clock, never);
        }
        return months;
      },
    };
    const service = createStatementService({ storage: { ...storage, statements }, clock });
    expect(await service.statement(user)).toMatchObject({
      closing: 110,
      difference: 0,
      movements: { total: 3 },
    });
  });

  test('what is posted while the CSV is read is not part of it', async () => {
    const storage = await engine.open();
    const { service, user, post } = await setUp(storage);
    await Promise.all(Array.from({ length: 201 }, () => post(1)));
    const statement = await service.statement(user);
    await post(1);
    let text = '';
    const look = {
      quotaPerUnit: 500_000,
      describe: async (postings: readonly Posting[]) => postings.map(({ id }) => `number ${id}`),
    };
    for await (const chunk of statementFile(service, statement, look).chunks) text += chunk;
    expect(text.match(/,top_up,/g)).toHaveLength(201);
    // Each line has its own words, in the second piece, too.
    for (const [, words, id] of text.matchAll(/,top_up,number (\d+),1,1,0.000002,(\d+),/g))
      expect(words).toBe(id);
    expect(text.match(/,top_up,number \d+,1,1,0.000002,\d+,/g)).toHaveLength(201);
    expect(text).toContain('closing_balance,,,201,');
  });

  test('the same, whether postings are summed at once, one by one, or by two at a time', async () => {
    const storage = await engine.open();
    const { clock, service, user, post } = await setUp(storage);
    for (let day = 1; day <= 9; day += 1) {
      clock.set(2026, 10, day);
      await post(day);
      if (day % 3 === 0)
        await Promise.all([
          service.statement(user),
          service.statement(user),
          sumEverybody(storage, clock, never),
        ]);
    }
    const statement = await service.statement(user);
    expect(statement.sums.map(({ count }) => count)).toEqual(Array.from({ length: 9 }, () => 1));
    expect(statement).toMatchObject({ opening: 0, closing: 45, difference: 0 });
  });

  test('many users together are the same as each alone, whoever reads a statement meanwhile', async () => {
    const storage = await engine.open();
    const { clock, ledger, service } = await setUp(storage);
    const users = [];
    for (let index = 0; index < 6; index += 1) users.push(await addUser(storage));
    const posted = new Map(users.map((user) => [user, { count: 0, sum: 0 }]));
    for (let round = 0; round < 12; round += 1) {
      clock.set(2026, 10 + Math.floor(round / 6), 1 + round);
      // The fourth user has postings in every third round only, the last one in the last round
      // only.
      const active = users.filter((_, index) =>
        index === 3 ? round % 3 === 0 : index < 5 || round === 11,
      );
      await Promise.all(
        active.map(async (userId, index) => {
          await ledger.post({
            userId,
            kind: 'top_up',
            amount: toQuota(1 + index),
            reference: null,
          });
          const own = posted.get(userId) ?? { count: 0, sum: 0 };
          posted.set(userId, { count: own.count + 1, sum: own.sum + 1 + index });
        }),
      );
      const [reader = 0] = users.slice(round % 5);
      await Promise.all([
        sumEverybody(storage, clock, never),
        service.statement(reader),
        round % 4 === 3 ? sumEverybody(storage, clock, never) : undefined,
      ]);
    }
    expect(await storage.statements.verify()).toEqual([]);
    const newest = await storage.statements.newestPosting();
    expect(await summedUsers(storage, users, newest)).toBe(users.length);
    for (const [user, { count, sum }] of posted) {
      const sums = [
        ...(await storage.statements.sums(user, 202610)),
        ...(await storage.statements.sums(user, 202611)),
      ];
      expect(sums.reduce((all, one) => all + one.count, 0)).toBe(count);
      expect((await service.statement(user, 202611)).closing).toBe(sum);
    }
  });

  test('a posting that is older than what is searched again is summed with the next one of its user', async () => {
    const storage = await engine.open();
    const { clock, service, user, post } = await setUp(storage);
    await post(5);
    await sumEverybody(storage, clock, never);
    await post(7);
    // As if a thousand later postings had been committed, and summed, before this one was.
    const lastId = (await storage.statements.newestPosting()) + 1000;
    const progress = await storage.statements.progress(0);
    await storage.statements.advance(0, progress, { ...progress, lastId });
    await post(11);
    await sumEverybody(storage, clock, never);
    expect((await storage.statements.progress(user)).balance).toBe(23);
    expect(await storage.statements.verify()).toEqual([]);
    expect((await service.statement(user)).sums).toMatchObject([{ count: 3, amount: 23 }]);
  });

  test('a posting that becomes visible while later ones are gathered is summed with them', async () => {
    const storage = await engine.open();
    const { clock, ledger, service, user, post } = await setUp(storage);
    const other = await addUser(storage);
    await post(1);
    await ledger.post({ userId: other, kind: 'top_up', amount: toQuota(1), reference: null });
    await sumEverybody(storage, clock, never);
    await post(5);
    for (let posted = 0; posted < 250; posted += 1)
      await ledger.post({ userId: other, kind: 'top_up', amount: toQuota(1), reference: null });
    await post(7);
    const { statements } = storage;
    let reads = 0;
    const postingsBetween: typeof statements.postingsBetween = async (after, upTo, limit) => {
      if (reads++ > 0) return statements.postingsBetween(after, upTo, limit);
      const postings = await statements.postingsBetween(after, upTo, limit + 1);
      return postings
        .filter(({ userId, amount }) => !(userId === user && amount === 5))
        .slice(0, limit);
    };
    await sumEverybody({ statements: { ...statements, postingsBetween } }, clock, never);
    expect(reads).toBe(2);
    expect((await statements.progress(user)).balance).toBe(13);
    expect((await statements.progress(other)).balance).toBe(251);
    expect(await statements.verify()).toEqual([]);
    expect((await service.statement(user)).sums).toMatchObject([{ count: 3, amount: 13 }]);
  });

  test('users of whom nothing was summed before are summed together', async () => {
    const storage = await engine.open();
    const { clock, ledger, service } = await setUp(storage);
    const users = await Promise.all(Array.from({ length: 3 }, () => addUser(storage)));
    for (const userId of users)
      for (const amount of [5, 7])
        await ledger.post({ userId, kind: 'top_up', amount: toQuota(amount), reference: null });
    const { statements } = storage;
    const moved: number[] = [];
    const advance: typeof statements.advance = (userId, ...step) => {
      moved.push(userId);
      return statements.advance(userId, ...step);
    };
    await sumEverybody({ statements: { ...statements, advance } }, clock, never);
    expect(moved).toEqual([0]);
    for (const user of users)
      expect((await service.statement(user)).sums).toMatchObject([{ count: 2, amount: 12 }]);
    expect(await statements.verify()).toEqual([]);
  });

  test('a run that is stopped leaves the rest to the next one', async () => {
    const storage = await engine.open();
    const { clock, ledger } = await setUp(storage);
    const users = await Promise.all(Array.from({ length: 3 }, () => addUser(storage)));
    for (const userId of users)
      await ledger.post({ userId, kind: 'top_up', amount: toQuota(5), reference: null });
    const stop = new AbortController();
    const stopping: typeof storage.statements.advance = (...step) => {
      stop.abort();
      return storage.statements.advance(...step);
    };
    // Each alone.
    const progressOf = async () => new Map();
    await sumEverybody(
      { statements: { ...storage.statements, advance: stopping, progressOf } },
      clock,
      stop.signal,
    );
    const newest = await storage.statements.newestPosting();
    expect(await summedUsers(storage, users, newest)).toBe(1);
    expect((await storage.statements.progress(0)).lastId).toBe(0);
    await sumEverybody(storage, clock, never);
    expect(await summedUsers(storage, users, newest)).toBe(3);
  });

  test('steps of which another process was first are left out, the others are written', async () => {
    const storage = await engine.open();
    const users = [await addUser(storage), await addUser(storage)];
    const [a = 0, b = 0] = users;
    const start = { lastId: 1, balance: 10, month: 202610 };
    const none = { lastId: 0, balance: 0, month: 0 };
    for (const user of users) await storage.statements.advance(user, none, start);
    const sum = { month: 202610, day: 20261005, kind: 'top_up', count: 1, amount: 5 } as const;
    const step = (userId: number, from: typeof start) => ({
      userId,
      from,
      to: { lastId: 9, balance: 15, month: 202610 },
      sums: [sum],
      months: [{ month: 202610, lastId: 9, closing: 15 }],
    });
    expect(
      await storage.statements.advanceAll([step(a, start), step(b, { ...start, lastId: 2 })]),
    ).toEqual([b]);
    expect([
      await storage.statements.sums(a, 202610),
      await storage.statements.sums(b, 202610),
    ]).toEqual([[sum], []]);
    expect(await storage.statements.months(a)).toEqual([{ month: 202610, lastId: 9, closing: 15 }]);
    expect(await storage.statements.advanceAll([])).toEqual([]);
  });

  test('a balance that was changed without a posting is shown, not hidden', async () => {
    const storage = await engine.open();
    const { service, user } = await setUp(storage);
    const sum = { month: 202610, day: 20261001, kind: 'top_up', count: 1, amount: 100 } as const;
    const months = [{ month: 202610, lastId: 1, closing: 150 }];
    const none = { lastId: 0, balance: 0, month: 0 };
    expect(
      await storage.statements.advance(
        user,
        none,
        { lastId: 1, balance: 150, month: 202610 },
        [sum],
        months,
      ),
    ).toBe(true);
    expect(await service.statement(user)).toMatchObject({
      opening: 0,
      closing: 150,
      difference: 50,
    });
    // Whoever began at the same posting writes nothing a second time.
    expect(
      await storage.statements.advance(user, none, { lastId: 2, balance: 150, month: 202610 }, [
        sum,
      ]),
    ).toBe(false);
    expect(sumOf(await service.statement(user))).toBe(100);
  });

  test('verification finds a sum and a closing balance that were changed by hand', async () => {
    const storage = await engine.open();
    const { clock, service, ledger, user, post, charge } = await setUp(storage);
    await post(1000);
    await charge(30);
    clock.set(2026, 11, 3);
    await charge(5);
    await post(7, 'refund');
    await service.statement(user);
    clock.set(2026, 12, 20);
    await sumEverybody(storage, clock, never);
    expect(await ledger.verify()).toMatchObject({ ok: true, drifts: [] });
    const progress = await storage.statements.progress(user);
    const sum = { month: 202610, day: 20261005, kind: 'charge', count: 0, amount: -1 } as const;
    await storage.statements.advance(user, progress, progress, [sum]);
    const drift = { account: 'statement', id: user };
    const changed = {
      ...drift,
      name: expect.stringMatching(/ 2026-10 charge$/),
      expected: -30,
      actual: -31,
      drift: -1,
    };
    expect(await ledger.verify()).toMatchObject({ ok: false, drifts: [changed] });
    const [, november] = await storage.statements.months(user);
    const closing = { month: 202611, lastId: november?.lastId ?? 0, closing: 973 };
    await storage.statements.advance(user, progress, progress, [], [closing]);
    const moved = {
      ...drift,
      name: expect.stringMatching(/ 2026-11 closing$/),
      expected: 972,
      actual: 973,
      drift: 1,
    };
    expect(await ledger.verify()).toMatchObject({ ok: false, drifts: [changed, moved] });
    await storage.statements.advance(user, progress, progress, [
      { ...sum, month: 202611, day: 20261103, kind: 'refund', count: 1, amount: 0 },
    ]);
    const counted = {
      ...drift,
      name: expect.stringMatching(/ 2026-11 refund count$/),
      expected: 1,
      actual: 2,
      drift: 1,
    };
    expect((await ledger.verify()).drifts).toMatchObject([changed, moved, counted]);
    // It goes on while postings are summed.
    await post(11);
    await service.statement(user);
    expect((await ledger.verify()).drifts).toHaveLength(3);
  });

  test('lists movements of one kind in pages', async () => {
    const storage = await engine.open();
    const { service, user, post, charge } = await setUp(storage);
    for (let amount = 1; amount <= 5; amount += 1) await post(amount);
    await post(-3, 'adjustment');
    await charge(2);
    const page = await service.movements(user, 202610, { offset: 3, limit: 2 }, 'top_up');
    expect(page.total).toBe(5);
    expect(page.items.map(({ amount }) => amount)).toEqual([4, 5]);
    expect((await service.movements(user, 202610, { offset: 0, limit: 9 })).items).toHaveLength(6);
  });
});

describe('the months of postings', () => {
  const posting = (
    id: number,
    amount: number,
    balanceAfter: number,
    ...at: [number, number, number]
  ) => ({
    id,
    userId: 1,
    tokenId: null,
    kind: 'charge' as const,
    amount: toQuota(amount),
    balanceAfter: toQuota(balanceAfter),
    reference: null,
    createdAt: new Date(...at).getTime() / 1000,
  });
  test('follow each other even if the times do not', () => {
    const { sums, months, to } = sumPostings(
      [
        posting(1, -1, 9, 2026, 9, 31),
        posting(2, -2, 7, 2026, 10, 1),
        posting(3, -4, 3, 2026, 9, 30),
      ],
      0,
    );
    expect(months).toEqual([
      { month: 202610, lastId: 1, closing: 9 },
      { month: 202611, lastId: 3, closing: 3 },
    ]);
    expect(sums).toMatchObject([
      { day: 20261031, amount: -1 },
      { day: 20261101, amount: -6, count: 2 },
    ]);
    expect(to).toEqual({ lastId: 3, balance: 3, month: 202611 });
  });
});
