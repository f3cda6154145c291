/** The plan of a batch while its items are being applied, one after the other. */
import type { GuardChange } from '../../storage/ledger/guards.ts';
import { guardKey, type LedgerPlan, type LedgerState, type PlannedPosting, referenceKey } from '../../storage/ledger/plan.ts';
import type { ChargeSettlement, PostingSettlement, SettledLog } from '../../storage/ledger/settlement.ts';

export interface DraftWallet {
  readonly id: number;
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
  changed: boolean;
}

export interface Draft {
  readonly state: LedgerState;
  readonly postings: PlannedPosting[];
  readonly logs: { readonly row: SettledLog; readonly posting: number | null }[];
  readonly wallets: Map<number, DraftWallet>;
  readonly allowances: Map<number, DraftAllowance>;
  readonly channels: Map<number, { readonly id: number; used: number }>;
  readonly rollups: Map<string, DraftRollup>;
  readonly references: Set<string>;
  readonly guards: Map<string, GuardChange>;
  readonly holds: string[];
}

type DraftRollup = { -readonly [Name in keyof LedgerPlan['rollups'][number]]: LedgerPlan['rollups'][number][Name] };

export function startDraft(state: LedgerState): Draft {
  return {
    state,
    postings: [],
    logs: [],
    wallets: new Map(),
    allowances: new Map(),
    channels: new Map(),
    rollups: new Map(),
    references: new Set(),
    guards: new Map(),
    holds: [],
  };
}

export function finishDraft(draft: Draft): LedgerPlan {
  return {
    postings: draft.postings,
    logs: draft.logs,
    users: [...draft.wallets.values()].filter(({ changed }) => changed),
    tokens: [...draft.allowances.values()].filter(({ changed }) => changed),
    channels: [...draft.channels.values()],
    rollups: [...draft.rollups.values()],
    guards: [...draft.guards.values()],
    holds: draft.holds,
  };
}

export function walletOf({ wallets, state }: Draft, id: number): DraftWallet | undefined {
  const known = wallets.get(id);
  const before = state.wallets.get(id);
  if (known !== undefined || before === undefined) return known;
  const wallet = { id, quota: before.quota, used: before.used, requests: 0, changed: false };
  wallets.set(id, wallet);
  return wallet;
}

export function allowanceOf({ allowances, state }: Draft, id: number): DraftAllowance | undefined {
  const known = allowances.get(id);
  const before = state.allowances.get(id);
  if (known !== undefined || before === undefined) return known;
  const allowance = { id, ...before, at: null, changed: false };
  allowances.set(id, allowance);
  return allowance;
}

/** Changes the balance and adds the row that explains it; returns the row's index. */
export function addPosting(draft: Draft, wallet: DraftWallet, row: Omit<PlannedPosting, 'userId' | 'balanceAfter'>): number {
  wallet.quota += row.amount;
  wallet.changed = true;
  if (row.reference !== null && row.kind !== 'charge') draft.references.add(referenceKey(row.kind, row.reference));
  return draft.postings.push({ userId: wallet.id, balanceAfter: wallet.quota, ...row }) - 1;
}

export function addToChannel({ channels }: Draft, id: number, amount: number): void {
  const channel = channels.get(id);
  if (channel === undefined) channels.set(id, { id, used: amount });
  else channel.used += amount;
}

export function addRollup({ rollups }: Draft, { userId, amount, rollup }: ChargeSettlement): void {
  if (rollup === null) return;
  const { username, modelName, hour, tokens } = rollup;
  const key = `${userId}\0${hour}\0${modelName}\0${username}`;
  const row = rollups.get(key);
  if (row === undefined) rollups.set(key, { userId, username, modelName, hour, count: 1, quota: amount, tokens });
  else {
    row.count += 1;
    row.quota += amount;
    row.tokens += tokens;
  }
}

/** Whether the reference was posted before, by an earlier batch or an earlier item of this one. */
export function isPosted({ references, state }: Draft, { posting, reference }: PostingSettlement): boolean {
  if (reference === null) return false;
  const key = referenceKey(posting, reference);
  return state.references.has(key) || references.has(key);
}

/** Whether the guarded row is in the state that the guard asks for; from now on it is in the next one. */
export function passGuard({ guards, state }: Draft, { guard }: PostingSettlement): boolean {
  if (guard === null) return true;
  const key = guardKey(guard);
  const earlier = guards.get(key);
  if ((earlier?.state ?? state.guards.get(key)) !== guard.from) return false;
  guards.set(key, { table: guard.table, id: guard.id, state: guard.to, set: { ...earlier?.set, ...guard.set } });
  return true;
}
