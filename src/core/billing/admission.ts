/** Which requests are admitted: one rule for both engines (docs/rules/ledger.md#admission). */
import { AppError } from '../kernel/errors.ts';
import { neverEnds } from '../vocabulary/budgets.ts';
import type {
  BudgetWindow,
  HoldRequest,
  TightestWindow,
  WindowAccount,
  WindowHold,
} from './ledger.ts';

/** A user's balance and how much of it is held, in quota. */
export interface Wallet {
  quota: number;
  held: number;
}

/**
 * What a token may still spend and how much of it is held, in quota. `remain` of an unlimited token
 * is a counter.
 */
export interface Allowance {
  remain: number;
  held: number;
  unlimited: boolean;
}

/** A window of a budget: what was spent and how much is held, in quota. */
export interface WindowState {
  readonly window: BudgetWindow;
  readonly spent: number;
  readonly held: number;
  /** Charges so far. */
  readonly requests: number;
  readonly account?: WindowAccount;
}

export interface Admission {
  /** Quota to hold in wallet and token. */
  readonly amount: number;
  /** Admitted on the smaller hold. */
  readonly small: boolean;
  /** What to hold in each window. Absent: there is none. */
  readonly windows?: readonly WindowHold[];
  readonly tightest?: TightestWindow | undefined;
}

/**
 * What to hold for a request. `allowance` is null where no token is involved. Throws AppError
 * token_exhausted, small_hold_busy, insufficient_user_quota, pre_consume_token_quota_failed,
 * budget_exceeded.
 */
export function admit(
  wallet: Wallet,
  allowance: Allowance | null,
  request: HoldRequest,
  windows: readonly WindowState[] = [],
): Admission {
  const smallest = smallestOf(request);
  const admission = admitAccounts(wallet, allowance, request.amount, smallest);
  if (windows.length === 0) return admission;
  const { amount, small } = admission;
  const holds: WindowHold[] = [];
  let tightest: BudgetWindow | undefined;
  let least = 0;
  for (const state of windows) {
    const { window, spent, held, account } = state;
    const own = amountIn(state, amount, smallest ?? amount);
    holds.push({ id: window.id, amount: own, account });
    const left = Math.max(0, window.limit - spent - held - own);
    if (tightest !== undefined && left >= least) continue;
    tightest = window;
    least = left;
  }
  return { amount, small, windows: holds, tightest: tightest && named(tightest, least) };
}

/** The smaller hold, of one at least: a hold of nothing would not keep the next one out. */
const smallestOf = ({ smallAmount }: HoldRequest): number | undefined =>
  smallAmount === undefined ? undefined : Math.max(1, smallAmount);

const named = ({ budget, limit, endsAt }: BudgetWindow, left: number): TightestWindow => ({
  budget,
  limit,
  endsAt,
  left,
});

/**
 * What to hold in a window: all, or the smaller hold where nothing else is held in it
 * (docs/rules/budgets.md#admission). Throws AppError small_hold_busy, budget_exceeded,
 * fence_requests.
 */
function amountIn(state: WindowState, amount: number, small: number): number {
  const { window, spent, held, requests } = state;
  const { budget, limit, endsAt, refuses, mostRequests } = window;
  if (refuses && mostRequests !== undefined && requests >= mostRequests)
    throw new AppError('fence_requests', { budget, requests });
  const left = limit - spent;
  if (!refuses || left - held >= amount) return amount;
  const least = Math.min(small, amount);
  if (left >= least && held === 0) return least;
  // Other holds may come back before the window ends.
  if (left >= least) throw new AppError('small_hold_busy');
  throw new AppError('budget_exceeded', {
    budget,
    left: Math.max(left, 0),
    need: least,
    ...(endsAt !== neverEnds && { endsAt }),
  });
}

function admitAccounts(
  wallet: Wallet,
  allowance: Allowance | null,
  amount: number,
  small: number | undefined,
): Admission {
  if (allowance !== null && !allowance.unlimited && allowance.remain <= 0)
    throw new AppError('token_exhausted');
  const free = wallet.quota - wallet.held;
  if (free >= amount && covers(allowance, amount)) return { amount, small: false };
  if (small !== undefined && small < amount && wallet.quota >= small && covers(allowance, small)) {
    if (wallet.held === 0) return { amount: small, small: true };
    // Other holds may come back: the caller should wait a moment, not top up.
    throw new AppError('small_hold_busy');
  }
  if (free < (small ?? amount)) {
    throw new AppError('insufficient_user_quota', {
      quota: Math.max(free, 0),
      need: small ?? amount,
    });
  }
  const remain = allowance === null ? 0 : allowance.remain - allowance.held;
  throw new AppError('pre_consume_token_quota_failed', {
    quota: Math.max(remain, 0),
    need: small ?? amount,
  });
}

function covers(allowance: Allowance | null, amount: number): boolean {
  return allowance === null || allowance.unlimited || allowance.remain - allowance.held >= amount;
}
