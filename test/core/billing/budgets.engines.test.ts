/** Windows of budgets in both engines of the ledger (docs/rules/budgets.md#admission). */
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { BudgetWindow, Hold, Ledger } from '../../../src/core/billing/index.ts';
import { systemClock } from '../../../src/core/kernel/clock.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import type { OpenStorage } from '../../../src/core/storage/open.ts';
import { neverEnds } from '../../../src/core/vocabulary/budgets.ts';
import { fc, runs } from '../../support/property.ts';
import { forEachEngineInTurn, sqliteFileOf } from '../../support/storage.ts';
import {
  addToken,
  addUser,
  admitted,
  charge,
  closeLedgersAfterEach,
  codeOf,
  expireAll,
  grant,
  holdFor,
  logFor,
  openLedger,
  poolOf,
} from './ledger-support.ts';

interface WindowOptions {
  readonly limit: number;
  readonly refuses?: boolean;
  readonly pace?: number;
}

/** A budget with one window that is open. */
async function addWindow(
  storage: OpenStorage,
  { limit, refuses = true, pace = 0 }: WindowOptions,
): Promise<BudgetWindow> {
  const budgetId = await storage.budgets.insert({
    name: 'b',
    owner: 'group',
    ownerId: 'default',
    amount: toQuota(limit),
    period: 'total',
    userId: 1,
    createdTime: 1,
    mostPace: pace,
  });
  const opening = { budgetId, revision: 0, subject: '', startsAt: 1, endsAt: neverEnds };
  const row = await storage.budgets.openWindow({ ...opening, isRolling: false, before: null });
  if (row === null) throw new Error('the window was not opened');
  return { id: row.id, budget: 'b', limit, refuses, endsAt: neverEnds };
}

const spentIn = async (storage: OpenStorage, { id }: BudgetWindow) => {
  const row = await storage.budgets.findWindow(id);
  return { spent: row?.spent, held: row?.held };
};

forEachEngineInTurn('budgets in the ledger', (engine) => {
  closeLedgersAfterEach();

  async function setUp(balance = 100_000) {
    const storage = await engine.open();
    const ledger = openLedger(storage);
    const userId = await addUser(storage);
    await grant(ledger, userId, balance);
    const hold = (amount: number, windows: readonly BudgetWindow[], small?: number) =>
      ledger.hold({ ...holdFor(userId, 0, amount, small), windows });
    return { storage, ledger, userId, hold };
  }

  it('says what was spent since a time, and by which hours a token costs what', async () => {
    const storage = await engine.open();
    let now = 7200;
    const clock = { ...systemClock, now: () => now * 1000 };
    const ledger = openLedger(storage, { clock });
    const userId = await addUser(storage);
    const tokenId = await addToken(storage, userId, 0, true);
    await grant(ledger, userId, 100_000);
    const window = await addWindow(storage, { limit: 100_000, pace: 20 });
    const other = await addWindow(storage, { limit: 100_000 });
    const spend = async (at: number, amount: number, token = tokenId) => {
      now = at;
      const request = holdFor(userId, token, amount);
      await ledger.settle(
        await ledger.hold({ ...request, windows: [window, other] }),
        charge(amount),
      );
      await ledger.drain();
    };
    await spend(7200, 10);
    await spend(7300, 5);
    await spend(10_800, 7);
    await spend(10_900, 100, 0);
    await spend(10_950, 0);
    const { spentIn, spentByHour } = storage.budgets;
    expect(
      await Promise.all([1, 7201, 10_801, 20_000].map((at) => spentIn(window.id, at))),
    ).toEqual([122, 112, 100, 0]);
    // Minutes are kept where they are looked at alone, and the newest of those that share a row.
    expect(await spentIn(other.id, 1)).toBe(0);
    await spend(7200 + 16 * 60 * 1000, 3, 0);
    expect(await spentIn(window.id, 1)).toBe(112 + 3);
    const hours = (token: number, from: number, until: number) =>
      spentByHour({ userId, tokenId: token }, from, until);
    expect(await hours(tokenId, 0, 20_000)).toEqual([
      { start: 7200, spent: 15 },
      { start: 10_800, spent: 7 },
    ]);
    expect(await hours(tokenId, 7300, 10_800)).toEqual([{ start: 7200, spent: 5 }]);
    expect(await hours(0, 0, 20_000)).toEqual([{ start: 10_800, spent: 100 }]);
  });

  it('forgets what is old in small steps, and every window adds up after each', async () => {
    const storage = await engine.open();
    let now = 7200;
    const clock = { ...systemClock, now: () => now * 1000 };
    const ledger = openLedger(storage, { clock });
    const userId = await addUser(storage);
    await grant(ledger, userId, 1_000_000);
    const addBudget = (each: string) =>
      storage.budgets.insert({
        owner: 'group',
        ownerId: 'default',
        each,
        amount: toQuota(10_000),
        period: 'total',
        userId: 1,
        createdTime: 1,
      });
    const [all, talks] = [await addBudget(''), await addBudget('conversation')];
    const open = async (budgetId: number, subject: string, endsAt = neverEnds) => {
      const opening = { budgetId, revision: 0, subject, startsAt: now, endsAt, userId };
      const row = await storage.budgets.openWindow({ ...opening, isRolling: true, before: null });
      return { id: row?.id ?? 0, budget: 'b', limit: 10_000, refuses: true, endsAt };
    };
    const spend = async (amount: number, ...windows: readonly BudgetWindow[]) => {
      const hold = await ledger.hold({ ...holdFor(userId, 0, amount), windows });
      await ledger.settle(hold, charge(amount));
    };
    const endless = await open(all, '');
    const ended = await open(all, 'ended', now + 60);
    const [idle, busy, still] = [
      await open(talks, 'idle'),
      await open(talks, 'busy'),
      await open(talks, 'never used'),
    ];
    const left = Array.from({ length: 1100 }, (_, index) => `idle ${index}`);
    for (const subject of left) await open(talks, subject);
    await spend(1100, endless, ended);
    await spend(20, endless, idle);
    await spend(30, endless, busy);
    const before = 150 * 86_400;
    now = 200 * 86_400;
    const young = await open(talks, 'young');
    await spend(4, endless, busy);
    await ledger.drain();

    const { prune, verify, findWindow } = storage.budgets;
    const spent = async (window: BudgetWindow) => (await findWindow(window.id))?.spent;
    const done = { steps: 0, removed: 0, forgotten: 0 };
    for (let next: number | null = 0; next !== null; done.steps += 1) {
      const step = await prune(before, next);
      done.removed += step.removed;
      done.forgotten += step.forgotten;
      next = step.next;
      expect(await verify()).toEqual([]);
      expect([await spent(endless), await spent(busy)]).toEqual([1154, 34]);
      expect(done.steps).toBeLessThan(20);
    }
    // 500 at a time.
    expect(done).toEqual({ steps: 3, removed: 1103, forgotten: 1102 });
    for (const gone of [ended, idle, still]) expect(await findWindow(gone.id)).toBeNull();
    expect(await spent(young)).toBe(0);
    await spend(6, endless);
    await ledger.drain();
    expect([await spent(endless), await verify()]).toEqual([1160, []]);
    expect(await prune(before, 0)).toEqual({ next: null, removed: 0, forgotten: 0 });
  });

  it('lists conversations by their cost, and so many of each budget beside the others', async () => {
    const storage = await engine.open();
    const userId = await addUser(storage);
    const ledger = openLedger(storage);
    await grant(ledger, userId, 100_000);
    const addBudget = (each: string) =>
      storage.budgets.insert({
        owner: 'group',
        ownerId: 'default',
        each,
        amount: toQuota(1000),
        period: 'total',
        userId: 1,
        createdTime: 1,
      });
    const [talks, tokens] = [await addBudget('conversation'), await addBudget('token')];
    for (const [budgetId, subject, spent] of [
      ...([1, 3, 2] as const).map((spent) => [talks, `talk ${spent}`, spent] as const),
      ...([1, 2, 3] as const).map((spent) => [tokens, String(spent), spent] as const),
    ]) {
      const opening = { budgetId, revision: 0, subject, startsAt: 1, endsAt: neverEnds, userId };
      const row = await storage.budgets.openWindow({ ...opening, isRolling: true, before: null });
      const window = {
        id: row?.id ?? 0,
        budget: 'b',
        limit: 1000,
        refuses: true,
        endsAt: neverEnds,
      };
      const hold = await ledger.hold({ ...holdFor(userId, 0, spent), windows: [window] });
      await ledger.settle(hold, charge(spent));
    }
    await ledger.drain();
    const { listConversations, openWindows } = storage.budgets;
    const page = await listConversations({ now: 5 }, { offset: 1, limit: 5 });
    expect(page.total).toBe(3);
    expect(
      page.items.map(({ window, username }) => [window.subject, window.userId, username]),
    ).toEqual(['talk 2', 'talk 1'].map((subject) => [subject, userId, expect.any(String)]));
    expect((await listConversations({ now: 5, userId: 999 }, { offset: 0, limit: 5 })).total).toBe(
      0,
    );
    const [first] = page.items;
    const filter = { now: 5, userId, budgetId: talks, windowId: first?.window.id };
    expect((await listConversations(filter, { offset: 0, limit: 5 })).items).toEqual([first]);
    const shown = await openWindows(5, { budgetIds: [talks, tokens], mostOfEach: 2 });
    expect(shown.map(({ subject }) => subject)).toEqual(['talk 3', 'talk 2', '3', '2', '1']);
  });

  describe('admission', () => {
    it('refuses what a window cannot cover, and holds nothing of it anywhere', async () => {
      const { storage, ledger, userId, hold } = await setUp();
      const [wide, narrow] = [
        await addWindow(storage, { limit: 1000 }),
        await addWindow(storage, { limit: 100 }),
      ];
      expect(await codeOf(hold(101, [wide, narrow]))).toBe('budget_exceeded');
      expect((await ledger.balance(userId)).held).toBe(0);
      expect(ledger.holds()).toBe(0);
      // All of the wider one is left.
      await ledger.release(await hold(1000, [wide]));
      await hold(100, [wide, narrow]);
    });

    it('says what is left of which budget', async () => {
      const { storage, ledger, hold } = await setUp();
      const window = await addWindow(storage, { limit: 100 });
      await ledger.settle(await hold(60, [window]), charge(60));
      await expect(hold(50, [window])).rejects.toMatchObject({
        params: { budget: 'b', left: 40, need: 50 },
      });
    });

    it('admits one request at a time on the smaller hold, and lets the others wait', async () => {
      const { storage, ledger, hold } = await setUp();
      const window = await addWindow(storage, { limit: 100 });
      const first = await hold(500, [window], 80);
      expect(await codeOf(hold(500, [window], 80))).toBe('small_hold_busy');
      // What fits beside it is held in full.
      await ledger.release(await hold(20, [window]));
      await ledger.settle(first, charge(500));
      expect(await spentIn(storage, window)).toMatchObject({ spent: 500 });
      expect(await codeOf(hold(1, [window]))).toBe('budget_exceeded');
    });

    it('counts and refuses nothing where a budget only warns', async () => {
      const { storage, ledger, hold } = await setUp();
      const window = await addWindow(storage, { limit: 10, refuses: false });
      await ledger.settle(await hold(50, [window]), charge(50));
      await ledger.settle(await hold(50, [window]), charge(50));
      expect(await spentIn(storage, window)).toMatchObject({ spent: 100 });
    });

    it('passes over the window of a budget that was deleted meanwhile', async () => {
      const { storage, ledger, hold } = await setUp();
      const window = await addWindow(storage, { limit: 100 });
      const held = await hold(50, [window]);
      const budgetId = (await storage.budgets.findWindow(window.id))?.budgetId ?? 0;
      await storage.budgets.remove(budgetId);
      await ledger.settle(held, charge(50));
      await ledger.drain();
      expect((await ledger.verify()).drifts).toEqual([]);
    });
  });

  it('a refund gives back to the windows that its charge was spent in', async () => {
    const { storage, ledger, userId, hold } = await setUp();
    const [one, other] = [
      await addWindow(storage, { limit: 100 }),
      await addWindow(storage, { limit: 100 }),
    ];
    const task = await storage.tasks.insert({
      userId,
      status: 'NOT_START',
      taskId: 't',
      platform: 'suno',
      createdAt: 1,
    });
    await ledger.settle(await hold(90, [one, other]), charge(90));
    const taken = { amount: 70, tokenId: 0, channelId: 0, rollup: null };
    const isRefunded = await ledger.refund({
      userId,
      charges: [
        { ...taken, windows: [one.id] },
        { ...taken, amount: 5, windows: [one.id] },
      ],
      reference: 'task:1',
      log: logFor(userId, 'r', 0),
      guard: {
        table: 'tasks',
        id: task,
        from: 'NOT_START',
        to: 'FAILURE',
        set: { quota: 0, data: '', private_data: '' },
      },
    });
    expect(isRefunded).toBe(true);
    await ledger.drain();
    expect(await spentIn(storage, one)).toMatchObject({ spent: 15 });
    expect(await spentIn(storage, other)).toMatchObject({ spent: 90 });
    expect((await ledger.verify()).ok).toBe(true);
    await ledger.release(await hold(85, [one]));
  });

  // A database in memory has no second way in.
  it.skipIf(engine.name === 'sqlite in memory')(
    'a verification names a window that is not the sum of its charges, whichever version wrote them',
    async () => {
      const { storage, ledger, hold } = await setUp();
      const window = await addWindow(storage, { limit: 100 });
      await ledger.settle(await hold(30, [window]), charge(30));
      await ledger.drain();
      expect((await ledger.verify()).ok).toBe(true);
      const budgetId = (await storage.budgets.findWindow(window.id))?.budgetId ?? 0;
      await edit(storage, `UPDATE budget_windows SET spent = spent - 1 WHERE id = ${window.id}`);
      const drift = { account: 'budget', id: budgetId, name: 'b' };
      expect((await ledger.verify()).drifts).toEqual([
        { ...drift, expected: 30, actual: 29, drift: -1 },
      ]);
      // What versions before wrote besides the ledger counts as well.
      await edit(storage, `INSERT INTO budget_charges VALUES (${window.id}, 1000, 20)`);
      expect((await ledger.verify()).drifts).toEqual([
        { ...drift, expected: 50, actual: 29, drift: -21 },
      ]);
    },
  );

  it('a new window begins with what its time has cost already', async () => {
    const { storage, ledger, userId } = await setUp();
    const tokenId = await addToken(storage, userId, 0, true);
    const other = await addToken(storage, userId, 0, true);
    for (const [token, amount] of [
      [tokenId, 40],
      [other, 2],
    ] as const) {
      const request = holdFor(userId, token, 50);
      const log = { ...logFor(userId, request.requestId, amount), tokenId: token, createdAt: 8000 };
      await ledger.settle(await ledger.hold(request), { ...charge(amount), log });
    }
    await ledger.drain();
    const budget = await addWindow(storage, { limit: 1 });
    const budgetId = (await storage.budgets.findWindow(budget.id))?.budgetId ?? 0;
    let subject = 0;
    const openingOf = async (startsAt: number, before: object) => {
      subject += 1;
      const row = await storage.budgets.openWindow({
        budgetId,
        revision: 0,
        subject: String(subject),
        startsAt,
        endsAt: neverEnds,
        isRolling: false,
        before: { models: [], tag: '', ...before },
      });
      return row?.spent;
    };
    expect(await openingOf(7200, { tokenId })).toBe(40);
    expect(await openingOf(8001, { tokenId })).toBe(0);
    expect(await openingOf(0, { userId })).toBe(42);
    expect(await openingOf(0, { group: 'default', tokenId: other })).toBe(2);
    expect(await openingOf(0, { group: 'another' })).toBe(0);
    expect(await openingOf(0, { userId, models: ['m'] })).toBe(42);
    expect(await openingOf(0, { userId, models: ['another'] })).toBe(0);
  });

  it('a rolling window is found until it ends, then the next use begins another', async () => {
    const { storage } = await setUp();
    const { id } = await addWindow(storage, { limit: 1 });
    const budgetId = (await storage.budgets.findWindow(id))?.budgetId ?? 0;
    const at = (now: number) =>
      storage.budgets.openWindow({
        budgetId,
        revision: 0,
        subject: 'r',
        startsAt: now,
        endsAt: now + 100,
        isRolling: true,
        before: null,
      });
    const opened = await Promise.all([at(1000), at(1000), at(1000)]);
    expect(new Set(opened.map((row) => row?.id)).size).toBe(1);
    expect((await at(1099))?.id).toBe(opened[0]?.id);
    expect(await at(1100)).toMatchObject({ startsAt: 1100, endsAt: 1200 });
    expect(
      await storage.budgets.openWindow({
        budgetId,
        revision: 7,
        subject: 'r',
        startsAt: 1,
        endsAt: 2,
        isRolling: true,
        before: null,
      }),
    ).toBeNull();
  });

  it('the first requests of a window that nobody has used are not admitted together beyond it', async () => {
    const { storage, hold } = await setUp();
    const window = await addWindow(storage, { limit: 11 });
    const twice = [hold(8, [{ ...window }]), hold(8, [{ ...window }]), hold(8, [{ ...window }])];
    expect(await admitted(twice)).toHaveLength(1);
    expect(await spentIn(storage, window)).toMatchObject({ spent: 0 });
  });

  const step = fc.record({
    action: fc.constantFrom('hold', 'hold', 'hold', 'settle', 'settle', 'release', 'crash'),
    windows: fc.subarray([0, 1, 2]),
    amount: fc.nat(400),
    /** A part of the hold that is charged, in per cent; a smaller hold is charged as the full one. */
    part: fc.nat(100),
    small: fc.option(fc.nat(60)),
    node: fc.nat(1),
  });
  const world = fc.record({
    limits: fc.array(fc.nat(1500), { minLength: 3, maxLength: 3 }),
    steps: fc.array(step, { minLength: 10, maxLength: 60 }),
  });

  it('no window is passed by more than one request on a smaller hold, whatever crashes', async () => {
    const storage = await engine.open();
    const isShared = storage.postgres !== undefined;
    await fc.assert(
      fc.asyncProperty(world, async ({ limits, steps }) => {
        let ledgers = isShared ? [openLedger(storage), openLedger(storage)] : [openLedger(storage)];
        const first = ledgers[0] as Ledger;
        const userId = await addUser(storage);
        await grant(first, userId, 1_000_000);
        const windows = await Promise.all(limits.map((limit) => addWindow(storage, { limit })));
        const spent = new Map(windows.map(({ id }) => [id, 0]));
        const overrun = new Map(windows.map(({ id }) => [id, 0]));
        let open: { hold: Hold; full: number; ledger: Ledger }[] = [];

        const placeHold = async ({ windows: chosen, amount, small, node }: Step) => {
          const ledger = ledgers[node % ledgers.length] as Ledger;
          const request = holdFor(userId, 0, amount, small ?? undefined);
          const [hold] = await admitted([
            ledger.hold({
              ...request,
              windows: windows.filter((_, index) => chosen.includes(index)),
            }),
          ]);
          if (hold !== undefined) open.push({ hold, full: amount, ledger });
        };
        const settleOldest = async ({ part }: Step) => {
          const oldest = open.shift();
          if (oldest === undefined) return;
          const amount = Math.floor((oldest.full * part) / 100);
          await oldest.ledger.settle(oldest.hold, charge(amount));
          for (const held of oldest.hold.windows ?? []) {
            spent.set(held.id, (spent.get(held.id) ?? 0) + amount);
            const beyond = Math.max(0, amount - held.amount);
            overrun.set(held.id, Math.max(overrun.get(held.id) ?? 0, beyond));
          }
        };
        const crash = async () => {
          for (const ledger of ledgers) await ledger.drain();
          if (isShared) {
            // The other process gives back what the lost one held.
            await expireAll(storage);
            await Promise.all(ledgers.map((ledger) => ledger.close()));
            ledgers = [openLedger(storage), openLedger(storage)];
            await nothingHeld(storage, windows);
          } else ledgers = [openLedger(storage)];
          open = [];
        };

        for (const one of steps) {
          if (one.action === 'hold') await Promise.all([placeHold(one), placeHold(one)]);
          if (one.action === 'settle') await settleOldest(one);
          if (one.action === 'release') {
            const oldest = open.shift();
            await oldest?.ledger.release(oldest.hold);
          }
          if (one.action === 'crash') await crash();
        }
        for (const { hold, ledger } of open) await ledger.release(hold);
        for (const ledger of ledgers) await ledger.drain();
        for (const { id, limit } of windows) {
          const row = await storage.budgets.findWindow(id);
          expect(row).toMatchObject({ spent: spent.get(id), held: 0 });
          expect(row?.spent).toBeLessThanOrEqual(limit + (overrun.get(id) ?? 0));
        }
        expect((await (ledgers[0] as Ledger).verify()).drifts).toEqual([]);
      }),
      runs(isShared ? 6 : 25),
    );
  });
});

type Step = {
  readonly windows: readonly number[];
  readonly amount: number;
  readonly part: number;
  readonly small: number | null;
  readonly node: number;
};

/** Resolves when a living process has given the holds back. */
async function nothingHeld(storage: OpenStorage, windows: readonly BudgetWindow[]): Promise<void> {
  const held = async () => {
    const rows = await Promise.all(windows.map(({ id }) => storage.budgets.findWindow(id)));
    return rows.reduce((sum, row) => sum + (row?.held ?? 0), 0);
  };
  await expect.poll(held, { timeout: 60_000 }).toBe(0);
}

/** As an edit by hand would. */
async function edit(storage: OpenStorage, statement: string): Promise<void> {
  const file = sqliteFileOf(storage);
  if (file === undefined) await poolOf(storage).query(statement);
  else {
    const database = new Database(file);
    database.exec(statement);
    database.close();
  }
}
