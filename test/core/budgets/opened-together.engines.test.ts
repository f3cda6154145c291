// Covers src/core/storage/repositories/budget-windows.ts
/** Windows that are opened together, such as those that a list shows first in a new period. */
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/core/kernel/clock.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import type { OpenStorage } from '../../../src/core/storage/open.ts';
import type { SpentBefore, WindowOpening } from '../../../src/core/storage/storage.ts';
import { neverEnds } from '../../../src/core/vocabulary/budgets.ts';
import { forEachEngineInTurn } from '../../support/storage.ts';
import {
  addToken,
  addUser,
  charge,
  closeLedgersAfterEach,
  grant,
  holdFor,
  logFor,
  openLedger,
} from '../billing/ledger-support.ts';

const addBudget = (storage: OpenStorage) =>
  storage.budgets.insert({
    owner: 'group',
    ownerId: 'default',
    amount: toQuota(1000),
    period: 'day',
    userId: 1,
    createdTime: 1,
  });

const openingOf = (budgetId: number, fields: Partial<WindowOpening> = {}): WindowOpening => ({
  budgetId,
  revision: 0,
  subject: '',
  startsAt: 1000,
  endsAt: 2000,
  isRolling: false,
  before: null,
  ...fields,
});

forEachEngineInTurn('windows that are opened together', (engine) => {
  closeLedgersAfterEach();

  it('are found, opened with what their owners spent, or none, each in its place', async () => {
    const storage = await engine.open();
    const ledger = openLedger(storage);
    const userId = await addUser(storage);
    const tokenId = await addToken(storage, userId, 0, true);
    await grant(ledger, userId, 100_000);
    for (const [token, amount] of [
      [tokenId, 40],
      [0, 2],
    ] as const)
      await ledger.settle(await ledger.hold(holdFor(userId, token, 50)), charge(amount));
    await ledger.drain();
    const [known, ofToken, ofUser, ofModels, carried, rolling, changed, empty] = await Promise.all(
      Array.from({ length: 8 }, () => addBudget(storage)),
    );
    if (!known || !ofToken || !ofUser || !ofModels || !carried || !rolling || !changed || !empty)
      throw new Error('the budgets were not added');
    const { openWindow, openEach } = storage.budgets;
    const before = { models: [], tag: '' };
    const found = await openWindow(openingOf(known, { opening: 7 }));
    await openWindow(openingOf(carried, { startsAt: 1, endsAt: 1000, opening: 300 }));
    const open = await openWindow(openingOf(rolling, { isRolling: true, endsAt: neverEnds }));
    await storage.budgets.update(changed, { period: 'month' }, true);
    const rest = (previous: { readonly spent: number } | null) => 1000 - (previous?.spent ?? 0);
    const rows = await openEach([
      openingOf(ofUser, { before: { ...before, userId } }),
      openingOf(known, { before: { ...before, userId } }),
      openingOf(999_999),
      openingOf(carried, { carriedFrom: rest }),
      openingOf(changed),
      openingOf(ofModels, { before: { ...before, userId, models: ['m'] } }),
      openingOf(rolling, { isRolling: true, startsAt: 1500, endsAt: neverEnds }),
      openingOf(ofToken, { before: { ...before, tokenId } }),
      openingOf(empty, { carriedFrom: rest }),
    ]);
    expect(rows[1]?.id).toBe(found?.id);
    expect(rows[6]?.id).toBe(open?.id);
    expect(rows.map((row) => row && [row.budgetId, row.spent, row.opening, row.carried])).toEqual([
      [ofUser, 42, 42, 0],
      [known, 7, 7, 0],
      null,
      [carried, 0, 0, 700],
      null,
      [ofModels, 0, 0, 0],
      [rolling, 0, 0, 0],
      [ofToken, 40, 40, 0],
      [empty, 0, 0, 1000],
    ]);
    expect(await storage.budgets.verify()).toEqual([]);
  });

  it('begin each with what its own owner spent, whatever the others are about', async () => {
    const storage = await engine.open();
    const ledger = openLedger(storage, { clock: { ...systemClock, now: () => 5_000_000 } });
    const [ann, bob] = [await addUser(storage), await addUser(storage)];
    const [one, two] = [
      await addToken(storage, ann, 0, true),
      await addToken(storage, bob, 0, true),
    ];
    for (const userId of [ann, bob]) await grant(ledger, userId, 100_000);
    for (const [userId, token, amount] of [
      [ann, one, 1],
      [ann, 0, 2],
      [bob, two, 4],
      [bob, 0, 8],
    ] as const) {
      const request = holdFor(userId, token, 50);
      const log = { ...logFor(userId, request.requestId, amount), tokenId: token, createdAt: 5000 };
      await ledger.settle(await ledger.hold(request), { ...charge(amount), log });
    }
    await ledger.drain();
    const all = { models: [], tag: '' };
    const ofModel = { models: ['m'], tag: '' };
    const cases: readonly (readonly [SpentBefore, since: number, spent: number])[] = [
      [{ ...all, userId: ann }, 1000, 3],
      [{ ...all, userId: bob }, 1000, 12],
      [{ ...all, userId: bob }, 5001, 0],
      [{ ...all, tokenId: one }, 1000, 1],
      [{ ...all, tokenId: two }, 1000, 4],
      [{ ...all, tokenId: two, userId: bob }, 1000, 4],
      [{ ...all, tokenId: two, userId: ann }, 1000, 0],
      [{ ...all, group: 'default' }, 1000, 15],
      [{ ...all, group: 'default', userId: ann }, 1000, 3],
      [{ ...all, group: 'default', tokenId: two }, 1000, 4],
      [{ ...all, group: 'vip', tokenId: two }, 1000, 0],
      [ofModel, 1000, 15],
      [{ ...ofModel, userId: bob }, 1000, 12],
      [{ ...ofModel, tokenId: one }, 1000, 1],
      [{ models: ['n'], tag: '', tokenId: one }, 1000, 0],
      [{ models: [], tag: 'unknown', userId: ann }, 1000, 0],
    ];
    const openings: WindowOpening[] = [];
    for (const [before, startsAt] of cases)
      openings.push(openingOf(await addBudget(storage), { before, startsAt, endsAt: 9000 }));
    const rows = await storage.budgets.openEach(openings);
    expect(rows.map((row, at) => [cases[at]?.[0], row?.spent])).toEqual(
      cases.map(([before, , spent]) => [before, spent]),
    );
  });

  it('are made once, however many open them at the same time in whatever order', async () => {
    const storage = await engine.open();
    const ids: number[] = [];
    for (let index = 0; index < 250; index += 1) ids.push(await addBudget(storage));
    const openings = ids.map((id) => openingOf(id, { before: { userId: 1, models: [], tag: '' } }));
    const [first, second, third] = await Promise.all([
      storage.budgets.openEach(openings),
      storage.budgets.openEach(openings.toReversed()),
      Promise.all(openings.slice(0, 20).map((opening) => storage.budgets.openWindow(opening))),
    ]);
    expect(first.map((row) => row?.budgetId)).toEqual(ids);
    expect(second.map((row) => row?.id)).toEqual(first.map((row) => row?.id).toReversed());
    expect(third).toEqual(first.slice(0, 20));
    expect(await storage.budgets.openWindows(1500)).toHaveLength(250);
  });
});
