/** Who is admitted on which hold: docs/rules/ledger.md#admission, docs/rules/budgets.md#admission. */
import { describe, expect, it } from 'vitest';
import { admit, type WindowState } from '../../../src/core/billing/admission.ts';
import type { BudgetWindow, HoldRequest } from '../../../src/core/billing/ledger.ts';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { type Quota, toQuota } from '../../../src/core/kernel/quota.ts';
import { neverEnds } from '../../../src/core/vocabulary/budgets.ts';

const ask = (amount: number, smallAmount?: number): HoldRequest => ({
  requestId: 'r',
  userId: 1,
  tokenId: 5,
  amount: toQuota(amount),
  ...(smallAmount !== undefined && { smallAmount: smallAmount as Quota }),
});
const token = (remain: number, held = 0, unlimited = false) => ({ remain, held, unlimited });
const windowOf = (limit: number, more: Partial<BudgetWindow> = {}): BudgetWindow => ({
  id: 3,
  budget: 'team',
  limit,
  refuses: true,
  endsAt: 900,
  ...more,
});
const stateOf = (
  window: BudgetWindow,
  spent = 0,
  held = 0,
  more: Partial<WindowState> = {},
): WindowState => ({ window, spent, held, requests: 0, ...more });

/** What is held, or why nothing is. */
function outcomeOf(...args: Parameters<typeof admit>): unknown {
  try {
    return admit(...args);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ...error.params, code: error.code };
  }
}

describe('wallet and token', () => {
  const all = { amount: 100, small: false };
  const less = { amount: 30, small: true };
  const busy = { code: 'small_hold_busy' };
  const exhausted = { code: 'token_exhausted' };
  const poor = (quota: number, need: number) => ({ code: 'insufficient_user_quota', quota, need });
  const spent = (quota: number, need: number) => ({
    code: 'pre_consume_token_quota_failed',
    quota,
    need,
  });
  const wallet = (quota: number, held = 0) => ({ quota, held });

  it.each<[string, Parameters<typeof admit>, unknown]>([
    ['has just enough', [wallet(100), null, ask(100)], all],
    ['has just enough beside what is held', [wallet(150, 50), null, ask(100)], all],
    ['has one less', [wallet(99), null, ask(100)], poor(99, 100)],
    ['has one less beside what is held', [wallet(149, 50), null, ask(100)], poor(99, 100)],
    ['is in debt', [wallet(-5), null, ask(100)], poor(0, 100)],
    ['is enough for the small hold', [wallet(30), null, ask(100, 30)], less],
    ['is enough for both', [wallet(100), null, ask(100, 30)], all],
    ['is one less than the small hold', [wallet(29), null, ask(100, 30)], poor(29, 30)],
    ['waits for other holds', [wallet(99, 1), null, ask(100, 30)], busy],
    ['waits for holds of all it has', [wallet(30, 30), null, ask(100, 30)], busy],
    [
      'has one, for a smaller hold of nothing',
      [wallet(1), null, ask(100, 0)],
      { amount: 1, small: true },
    ],
    ['is empty, for a smaller hold of nothing', [wallet(0), null, ask(100, 0)], poor(0, 1)],
    ['has no smaller hold', [wallet(99), null, ask(100, 100)], poor(99, 100)],
    [
      'has no smaller hold, whatever is held',
      [wallet(150, 60), null, ask(100, 100)],
      poor(90, 100),
    ],
    ['has a token with just enough', [wallet(100), token(100), ask(100)], all],
    ['has a token with enough beside holds', [wallet(100), token(120, 20), ask(100)], all],
    ['has a token that is used up', [wallet(100), token(0), ask(0)], exhausted],
    ['has a token beyond its end', [wallet(100), token(-1), ask(100)], exhausted],
    ['has an unlimited token', [wallet(100), token(-1, 5, true), ask(100)], all],
    ['has a token with one less', [wallet(100), token(99), ask(100)], spent(99, 100)],
    ['has a token with holds', [wallet(100), token(110, 20), ask(100)], spent(90, 100)],
    ['has a token with more holds', [wallet(100), token(10, 20), ask(100)], spent(0, 100)],
    ['has a token for the small hold', [wallet(100), token(30), ask(100, 30)], less],
    ['has no token for the small hold', [wallet(100), token(29), ask(100, 30)], spent(29, 30)],
    ['has both too little', [wallet(20), token(20), ask(100, 30)], poor(20, 30)],
  ])('%s', (_, args, expected) => {
    expect(outcomeOf(...args)).toEqual(expected);
  });
});

describe('windows of budgets', () => {
  const rich = { quota: 1000, held: 0 };
  const inWindow = (state: WindowState, request = ask(100, 30)) =>
    outcomeOf(rich, null, request, [state]);
  const held = (amount: number, left: number, endsAt = 900) => ({
    amount: 100,
    small: false,
    windows: [{ id: 3, amount, account: undefined }],
    tightest: { budget: 'team', limit: expect.any(Number), endsAt, left },
  });
  const passed = (left: number, need: number) => ({
    code: 'budget_exceeded',
    budget: 'team',
    left,
    need,
    endsAt: 900,
  });

  it.each<[string, WindowState, unknown]>([
    ['with just enough hold all', stateOf(windowOf(150), 20, 30), held(100, 0)],
    ['with more name what is left', stateOf(windowOf(200), 20, 30), held(100, 50)],
    ['with less hold the smaller amount', stateOf(windowOf(119), 20), held(30, 69)],
    ['with just enough for the smaller one', stateOf(windowOf(50), 20), held(30, 0)],
    ['with other holds wait', stateOf(windowOf(149), 20, 30), { code: 'small_hold_busy' }],
    [
      'with just enough beside other holds wait',
      stateOf(windowOf(50), 20, 30),
      { code: 'small_hold_busy' },
    ],
    ['with too little are passed', stateOf(windowOf(49), 20), passed(29, 30)],
    ['that were passed have nothing left', stateOf(windowOf(10), 20), passed(0, 30)],
    [
      'that only warn hold all, and have nothing left',
      stateOf(windowOf(10, { refuses: false }), 20, 5),
      held(100, 0),
    ],
    [
      'that do not end name no end',
      stateOf(windowOf(10, { endsAt: neverEnds })),
      { code: 'budget_exceeded', budget: 'team', left: 10, need: 30 },
    ],
    [
      'with requests left count on',
      stateOf(windowOf(150, { mostRequests: 3 }), 0, 0, { requests: 2 }),
      held(100, 50),
    ],
    [
      'with all requests made refuse the next',
      stateOf(windowOf(150, { mostRequests: 3 }), 0, 0, { requests: 3 }),
      { code: 'fence_requests', budget: 'team', requests: 3 },
    ],
    [
      'that only warn do not count requests',
      stateOf(windowOf(150, { mostRequests: 3, refuses: false }), 0, 0, { requests: 3 }),
      held(100, 50),
    ],
  ])('%s', (_, state, expected) => {
    expect(inWindow(state)).toEqual(expected);
  });

  it('never hold more than the request asks for, nor less where there is no smaller hold', () => {
    expect(inWindow(stateOf(windowOf(60)), ask(50, 80))).toMatchObject({
      windows: [{ amount: 50 }],
    });
    expect(inWindow(stateOf(windowOf(40)), ask(50, 80))).toMatchObject(passed(40, 50));
    expect(inWindow(stateOf(windowOf(40)), ask(50))).toMatchObject(passed(40, 50));
  });

  it('hold one at least where the smaller hold is nothing, so that the next request waits', () => {
    const request = ask(50, 0);
    expect(inWindow(stateOf(windowOf(21), 20), request)).toMatchObject({
      windows: [{ amount: 1 }],
    });
    expect(inWindow(stateOf(windowOf(21), 20, 1), request)).toEqual({ code: 'small_hold_busy' });
    expect(inWindow(stateOf(windowOf(20), 20), request)).toEqual(passed(0, 1));
    expect(inWindow(stateOf(windowOf(20), 20), ask(0, 0))).toMatchObject({
      windows: [{ amount: 0 }],
    });
  });

  it('hold no more than a wallet that is admitted on its small hold', () => {
    const poor = { quota: 30, held: 0 };
    expect(admit(poor, null, ask(100, 30), [stateOf(windowOf(500))])).toMatchObject({
      amount: 30,
      small: true,
      windows: [{ id: 3, amount: 30 }],
      tightest: { left: 470 },
    });
  });

  it('are all held in, and the first of those with least left is named', () => {
    const account = { spent: 0, held: 0, requests: 0, holds: 0, isForgotten: false };
    const lefts = [
      [700, 'a'] as const,
      [300, 'b'] as const,
      [300, 'c'] as const,
      [500, 'd'] as const,
    ];
    const states = lefts.map(([limit, budget], id) =>
      stateOf(windowOf(limit, { id, budget }), 0, 0, { account }),
    );
    expect(admit(rich, null, ask(100), states)).toEqual({
      amount: 100,
      small: false,
      windows: [0, 1, 2, 3].map((id) => ({ id, amount: 100, account })),
      tightest: { budget: 'b', limit: 300, endsAt: 900, left: 200 },
    });
  });

  it('are not looked at where wallet or token refuse', () => {
    expect(outcomeOf({ quota: 1, held: 0 }, null, ask(100), [stateOf(windowOf(1))])).toMatchObject({
      code: 'insufficient_user_quota',
    });
    expect(admit(rich, null, ask(100))).toEqual({ amount: 100, small: false });
  });
});
