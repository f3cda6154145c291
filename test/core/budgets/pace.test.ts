/** Spending far above a key's usual (docs/rules/budgets.md#pace). */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createPaceCheck, timesUsual, usualPerMinute } from '../../../src/core/budgets/pace.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import type { HourSpent } from '../../../src/core/storage/storage.ts';
import { createTestApp } from '../../support/app.ts';

const hour = 3600;
/** So many hours with spending on each of so many days. */
const history = (days: number, hoursEach: number, spent: (index: number) => number): HourSpent[] =>
  Array.from({ length: days * hoursEach }, (_, index) => ({
    start: (Math.floor(index / hoursEach) * 24 + (index % hoursEach)) * hour,
    spent: spent(index),
  }));

describe('the usual', () => {
  it('is not known before there are 24 hours with spending on three days', () => {
    expect(usualPerMinute([])).toBeUndefined();
    expect(usualPerMinute(history(2, 20, () => 600))).toBeUndefined();
    expect(usualPerMinute(history(3, 7, () => 600))).toBeUndefined();
    expect(usualPerMinute(history(3, 8, () => 600))).toBe(10);
  });

  it('is a busy hour, which neither a runaway night nor idle hours change', () => {
    const steady = history(10, 8, () => 600);
    const night = { start: 240 * hour, spent: 1_000_000_000 };
    expect(usualPerMinute([...steady, night, { ...night, start: 241 * hour }])).toBe(10);
    expect(usualPerMinute(history(10, 8, (index) => (index % 4 === 0 ? 6000 : 60)))).toBe(100);
  });

  it('is compared only where something is spent that matters', () => {
    expect(timesUsual(99_999, 10, 1_000_000)).toBe(0);
    expect(timesUsual(100_000, 10, 1_000_000)).toBe(1000);
    expect(timesUsual(100_000, 10_000, 1_000_000)).toBe(1);
  });
});

describe('the check', () => {
  const noted: unknown[] = [];
  afterEach(() => {
    noted.length = 0;
    vi.useRealTimers();
  });
  const spender = { tokenId: 7, userId: 3, userGroup: 'default' };
  const open = (refuses: boolean) => ({
    window: { id: 5, limit: 10_000, refuses },
    fence: { budget: 'b', minutes: 0, from: 99_990, repeats: 0, pace: 20 },
    pace: 0,
  });

  function makeCheck(spent: number, hours = history(3, 8, () => 600)) {
    const reads: unknown[] = [];
    const check = createPaceCheck({
      budgets: {
        spentByHour: async (...asked) => {
          reads.push(asked);
          return hours;
        },
        spentIn: async (...asked) => {
          reads.push(asked);
          return spent;
        },
        notePace: async (...what) => void noted.push(what),
      },
      clock: { now: () => 100_000_000 } as never,
      logger: { warn: () => undefined },
    });
    return { check, reads };
  }

  it('refuses from so many times the usual on, and notes it once', async () => {
    const { check, reads } = makeCheck(2000);
    const opened = open(true);
    const refused = { code: 'fence_pace', params: { budget: 'b', times: 20, minutes: 10 } };
    await expect(check([opened], spender)).rejects.toMatchObject(refused);
    await expect(check([opened], spender)).rejects.toMatchObject(refused);
    expect(noted).toEqual([[5, 20]]);
    // What the key usually costs is read once; after a grant only what was spent since counts.
    expect(reads).toEqual([
      [{ userId: 3, tokenId: 7 }, 97_200 - 14 * 86_400, 97_200],
      [5, 99_990],
      [5, 99_990],
    ]);
  });

  it('lets pass what is slower, what only warns, and who is not known yet', async () => {
    await makeCheck(1999).check([open(true)], spender);
    await makeCheck(9999).check([open(false)], spender);
    expect(noted).toEqual([
      [5, 19],
      [5, 99],
    ]);
    const { check, reads } = makeCheck(9999, []);
    await check([open(true)], spender);
    expect(reads).toHaveLength(1);
  });
});

it('a loop at night is stopped with the charges that the ledger has, until more is given', async () => {
  const { app, clock, operator, addUser } = await createTestApp();
  const userId = await addUser('ann', { quota: 100_000_000 });
  const spender = { tokenId: 0, userId, userGroup: 'default' };
  const spend = async (quota: number, conversation: string) => {
    const subjects = { conversation: () => conversation };
    const windows = (await app.budgets.gate.windowsOf(spender, 'm', subjects)) ?? [];
    const amount = toQuota(quota);
    const hold = await app.ledger.hold({ requestId: 'r', ...spender, amount, windows });
    await app.ledger.settle(hold, { amount, channelId: 0, log: null, rollup: null });
    await app.ledger.drain();
    clock.move(60_000);
  };
  for (let at = 0; at < 24; at += 1) {
    await spend(60_000, 'daily work');
    clock.move((at % 8 === 7 ? 17 : 1) * hour * 1000 - 60_000);
  }
  const { id } = await operator.budgets.create({
    owner: 'user',
    owner_id: String(userId),
    each: 'conversation',
    period: 'total',
    amount: 1_000_000,
    most_pace: 20,
  });
  // The usual is 1,000 a minute: 200,000 in ten minutes are too much.
  for (let turn = 0; turn < 4; turn += 1) await spend(50_000, 'loop');
  await expect(spend(1, 'loop')).rejects.toMatchObject({ code: 'fence_pace' });
  await spend(50_000, 'another');
  const [loop, other] = (await operator.budgets.conversations({})).items;
  expect(loop).toMatchObject({
    budget_id: id,
    spent: 200_000,
    username: 'ann',
    used_percent: 100,
    fence: { pace: { used: 20, limit: 20 }, requests: { limit: 0 } },
  });
  expect(other).toMatchObject({ spent: 50_000, used_percent: 5 });
  await operator.budgets.grant({ id, window: loop?.id ?? 0, amount: 500_000 });
  await spend(100_000, 'loop');
  const [granted] = (await operator.budgets.conversations({ window: loop?.id })).items;
  expect(granted).toMatchObject({ spent: 300_000, fence: { pace: { used: 0 } } });
});
