/** The plan of a batch while its items are being applied, one after the other. */

import { addQuota, exactDifference } from '../../kernel/quota.ts';
import type { Guard, GuardChange } from '../../storage/ledger/guards.ts';
import {
  guardKey,
  type LedgerPlan,
  type LedgerState,
  type PlannedAllowance,
  type PlannedPosting,
  referenceKey,
  type WindowAmounts,
  type WindowChange,
  windowText,
} from '../../storage/ledger/plan.ts';
import { RollupCollector } from '../../storage/ledger/rollups.ts';
import type { ChargeSettlement, SettledLog } from '../../storage/ledger/settlement.ts';

export interface DraftWallet {
  readonly id: number;
  /** The user no longer exists: charges are posted, but there is no row to change. */
  readonly closed: boolean;
  /** {@link LedgerState.wallets}; undefined once it is posted. */
  beyond: bigint | undefined;
  quota: number;
  used: number;
  requests: number;
  changed: boolean;
}

export interface DraftAllowance {
  readonly id: number;
  remain: number;
  unlimited: boolean;
  used: number;
  at: number | null;
  /** {@link LedgerState.allowances}; undefined once it is posted. */
  beyond: bigint | undefined;
  beyondUsed: bigint | undefined;
  changed: boolean;
}

export interface Draft {
  readonly state: LedgerState;
  readonly postings: PlannedPosting[];
  readonly allowancePostings: PlannedAllowance[];
  readonly logs: { readonly row: SettledLog; readonly posting: number | null }[];
  readonly wallets: Map<number, DraftWallet>;
  readonly allowances: Map<number, DraftAllowance>;
  readonly channels: Map<number, { readonly id: number; used: number }>;
  readonly rollups: RollupCollector;
  readonly references: Set<string>;
  readonly guards: Map<string, GuardChange>;
  readonly windows: Set<number>;
  readonly windowChanges: Map<number, WindowChange>;
  readonly holds: string[];
}

export function startDraft(state: LedgerState): Draft {
  return {
    state,
    postings: [],
    allowancePostings: [],
    logs: [],
    wallets: new Map(),
    allowances: new Map(),
    channels: new Map(),
    rollups: new RollupCollector(),
    references: new Set(),
    guards: new Map(),
    windows: new Set(),
    windowChanges: new Map(),
    holds: [],
  };
}

export function finishDraft(draft: Draft): LedgerPlan {
  return {
    postings: draft.postings,
    allowances: draft.allowancePostings,
    logs: draft.logs,
    users: [...draft.wallets.values()]
      .filter(({ changed, closed }) => changed && !closed)
      .map(({ id, quota, used, requests }) => ({ id, quota, used, requests })),
    tokens: [...draft.allowances.values()]
      .filter(({ changed }) => changed)
      .map(({ id, remain, unlimited, used, at }) => ({ id, remain, unlimited, used, at })),
    channels: [...draft.channels.values()],
    rollups: draft.rollups.rows(),
    guards: [...draft.guards.values()],
    windows: { ids: draft.windows, changes: [...draft.windowChanges.values()] },
    holds: draft.holds,
  };
}

/** Undefined: the user does not exist. */
export function walletOf({ wallets, state }: Draft, id: number): DraftWallet | undefined {
  const before = state.wallets.get(id);
  if (before === undefined) return undefined;
  const known = wallets.get(id);
  if (known !== undefined) return known;
  const { quota, used, beyond } = before;
  const wallet = { id, quota, used, beyond, requests: 0, closed: false, changed: false };
  wallets.set(id, wallet);
  return wallet;
}

/** The wallet that a charge or its refund goes to: also that of a user who no longer exists. */
export function chargedWalletOf(draft: Draft, id: number): DraftWallet {
  const known = walletOf(draft, id) ?? draft.wallets.get(id);
  if (known !== undefined) return known;
  const quota = draft.state.closed.get(id) ?? 0;
  const wallet = {
    id,
    quota,
    used: 0,
    beyond: undefined,
    requests: 0,
    closed: true,
    changed: false,
  };
  draft.wallets.set(id, wallet);
  return wallet;
}

export function allowanceOf({ allowances, state }: Draft, id: number): DraftAllowance | undefined {
  const known = allowances.get(id);
  const before = state.allowances.get(id);
  if (known !== undefined || before === undefined) return known;
  const { remain, unlimited, used, beyond, beyondUsed } = before;
  const allowance = { id, remain, unlimited, used, beyond, beyondUsed, at: null, changed: false };
  allowances.set(id, allowance);
  return allowance;
}

type NewPosting = Omit<PlannedPosting, 'userId' | 'balanceAfter' | 'amount' | 'windows'> & {
  readonly amount: number;
  /** Absent: it takes nothing from windows of budgets. */
  readonly windows?: WindowAmounts | undefined;
};

/**
 * Changes the balance and adds the row that explains it; returns the row's index. A stored balance
 * beyond the range of quota is first brought back to its bound by an adjustment.
 */
export function addPosting(
  draft: Draft,
  wallet: DraftWallet,
  { windows, ...row }: NewPosting,
): number {
  if (wallet.beyond !== undefined) {
    const mend = {
      userId: wallet.id,
      tokenId: null,
      kind: 'adjustment',
      balanceAfter: wallet.quota,
      reference: null,
      at: row.at,
    };
    draft.postings.push({ ...mend, amount: -wallet.beyond });
    wallet.beyond = undefined;
  }
  wallet.quota += row.amount;
  wallet.changed = true;
  if (row.reference !== null && row.kind !== 'charge')
    draft.references.add(referenceKey(row.kind, row.reference));
  if (windows !== undefined) addToWindows(draft, windows, row.at);
  const posting = {
    userId: wallet.id,
    balanceAfter: wallet.quota,
    ...row,
    ...(windows !== undefined && { windows: windowText(row.kind, windows) }),
  };
  return draft.postings.push(posting) - 1;
}

/**
 * Sets what is left and what was used, and notes by how much both together changed, and the used
 * quota besides what was charged. `charged`: what postings of this token say that it used, less
 * refunds.
 */
export function changeAllowance(
  draft: Draft,
  allowance: DraftAllowance,
  next: {
    readonly remain: number;
    readonly used: number;
    readonly charged: number;
    readonly at: number;
  },
): void {
  const { id, beyond = 0n, beyondUsed = 0n } = allowance;
  const usedMore = BigInt(exactDifference(next.used, allowance.used));
  const amount = BigInt(exactDifference(next.remain, allowance.remain)) + usedMore - beyond;
  const used = usedMore - BigInt(next.charged) - beyondUsed;
  if (amount !== 0n || used !== 0n) {
    draft.allowancePostings.push({
      tokenId: id,
      amount: asNumber(amount),
      used: asNumber(used),
      remainAfter: next.remain,
      at: next.at,
    });
  }
  allowance.remain = next.remain;
  allowance.used = next.used;
  allowance.beyond = undefined;
  allowance.beyondUsed = undefined;
  allowance.changed = true;
}

/** A number where it is exact. */
const asNumber = (amount: bigint): number | bigint =>
  Number.isSafeInteger(Number(amount)) ? Number(amount) : amount;

function addToWindows({ windowChanges }: Draft, amounts: WindowAmounts, at: number): void {
  for (const [id, amount] of amounts) {
    const before = windowChanges.get(id);
    windowChanges.set(id, {
      id,
      amount: addQuota(before?.amount ?? 0, amount),
      requests: (before?.requests ?? 0) + (amount > 0 ? 1 : 0),
      minute: Math.floor(at / 60),
    });
  }
}

export function addToChannel({ channels }: Draft, id: number, amount: number): void {
  const channel = channels.get(id);
  if (channel === undefined) channels.set(id, { id, used: amount });
  else channel.used = addQuota(channel.used, amount);
}

export function addRollup(
  { rollups }: Draft,
  { userId, channelId, amount, rollup }: ChargeSettlement,
): void {
  if (rollup !== null) rollups.add({ ...rollup, userId, channelId, quota: amount });
}

/** Whether the reference was posted before, by an earlier batch or an earlier item of this one. */
export function isPosted(
  { references, state }: Draft,
  kind: string,
  reference: string | null,
): boolean {
  if (reference === null) return false;
  const key = referenceKey(kind, reference);
  return state.references.has(key) || references.has(key);
}

/** Whether the guarded row is as the guard requires it; from now on it is in the next state. */
export function passGuard({ guards, state }: Draft, guard: Guard | null | undefined): boolean {
  if (!guard) return true;
  const key = guardKey(guard);
  const earlier = guards.get(key);
  const row = state.guards.get(key);
  if ((earlier?.state ?? row?.state) !== guard.from) return false;
  const unchanged = Object.entries(guard.unchanged ?? {});
  if (unchanged.some(([column, value]) => (earlier?.set[column] ?? row?.[column]) !== value))
    return false;
  guards.set(key, {
    table: guard.table,
    id: guard.id,
    state: guard.to,
    set: { ...earlier?.set, ...guard.set },
  });
  return true;
}
