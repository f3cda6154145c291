// Covers src/core/storage/repositories/budget-repository.ts
/** What is noted of a window beside its money, on each engine. */
import { expect, it } from 'vitest';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { neverEnds } from '../../../src/core/vocabulary/budgets.ts';
import { forEachEngineInTurn } from '../../support/storage.ts';
import {
  addUser,
  charge,
  closeLedgersAfterEach,
  grant,
  holdFor,
  logFor,
  openLedger,
} from '../billing/ledger-support.ts';

forEachEngineInTurn('notes of a window', (engine) => {
  closeLedgersAfterEach();

  it('keep the largest, are made once, and begin anew with a grant', async () => {
    const { budgets } = await engine.open();
    const budgetId = await budgets.insert({
      owner: 'user',
      ownerId: '1',
      each: 'conversation',
      amount: toQuota(1000),
      period: 'total',
      userId: 1,
      createdTime: 1,
    });
    const open = await budgets.openWindow({
      budgetId,
      revision: 0,
      subject: 'talk',
      startsAt: 1000,
      endsAt: neverEnds,
      isRolling: true,
      userId: 1,
      before: null,
    });
    const id = open?.id ?? 0;
    for (const repeats of [3, 5, 4]) await budgets.noteRepeats(id, repeats);
    for (const pace of [20, 50, 40]) await budgets.notePace(id, pace);
    expect(await budgets.findWindow(id)).toMatchObject({ repeats: 5, pace: 50, userId: 1 });
    const told = await Promise.all([1, 2, 3].map(() => budgets.noteWarned(id, 0, 80)));
    expect(told.filter(Boolean)).toHaveLength(1);
    expect(await budgets.noteWarned(id, 80, 100)).toBe(true);
    expect(await budgets.grant(id, 500, 2000)).toBe(true);
    expect(await budgets.findWindow(id)).toMatchObject({
      extra: 500,
      grants: 1,
      fencedFrom: 2000,
      warned: 0,
      pace: 0,
      repeats: 5,
    });
    expect(await budgets.grant(999_999, 500, 2000)).toBe(false);
    expect(await budgets.find(budgetId)).toMatchObject({ grants: 1 });
  });

  it('a window about a tag begins with what its requests cost', async () => {
    const storage = await engine.open();
    const ledger = openLedger(storage);
    const userId = await addUser(storage);
    await grant(ledger, userId, 100_000);
    for (const [amount, tags] of [
      [40, 'school'],
      [2, 'home,school'],
      [1, 'home'],
    ] as const) {
      const request = holdFor(userId, 0, 50);
      const log = { ...logFor(userId, request.requestId, amount), createdAt: 8000, tags };
      await ledger.settle(await ledger.hold(request), { ...charge(amount), log });
    }
    await ledger.drain();
    const opened: (number | undefined)[] = [];
    for (const tag of ['school', 'home', 'scho']) {
      const budgetId = await storage.budgets.insert({
        owner: 'user',
        ownerId: String(userId),
        amount: toQuota(1000),
        tag,
        userId: 1,
        createdTime: 1,
      });
      const row = await storage.budgets.openWindow({
        budgetId,
        revision: 0,
        subject: '',
        startsAt: 7000,
        endsAt: neverEnds,
        isRolling: false,
        before: { userId, models: [], tag },
      });
      opened.push(row?.spent);
    }
    expect(opened).toEqual([42, 3, 0]);
  });
});
