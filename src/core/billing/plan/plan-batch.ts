/**
 * The rules of money, decided once for both engines: what a batch of settlements writes (docs/rules/ledger.md#one-transaction).
 * Pure; items are applied in their order, and an item that cannot be written is refused without any effect on the others.
 */
import type { PlanBatch } from '../../storage/ledger/plan.ts';
import type {
  AllowanceSettlement,
  ChargeSettlement,
  PostingSettlement,
  Settlement,
  SettlementResult,
} from '../../storage/ledger/settlement.ts';
import { findProblem } from './check-item.ts';
import { withDebt } from './debt.ts';
import {
  addPosting,
  addRollup,
  addToChannel,
  allowanceOf,
  type Draft,
  finishDraft,
  isPosted,
  passGuard,
  startDraft,
  walletOf,
} from './draft.ts';

export const planBatch: PlanBatch = (batch, state) => {
  const draft = startDraft(state);
  const results = batch.map((item) => apply(draft, item));
  return { plan: finishDraft(draft), results };
};

function apply(draft: Draft, item: Settlement): SettlementResult {
  // The request is over, even if its charge is refused.
  if (item.kind === 'charge' || item.kind === 'release') draft.holds.push(item.requestId);
  const problem = findProblem(item);
  if (problem !== undefined) return refuse(problem);
  switch (item.kind) {
    case 'charge':
      return charge(draft, item);
    case 'posting':
      return post(draft, item);
    case 'allowance':
      return setAllowance(draft, item);
    case 'release':
      return { done: true, balance: 0 };
  }
}

/** A charge to a user who is gone is logged and counted in the rollup, but not posted. */
function charge(draft: Draft, item: ChargeSettlement): SettlementResult {
  const { userId, tokenId, channelId, amount, requestId, at, log } = item;
  const wallet = walletOf(draft, userId);
  const allowance = allowanceOf(draft, tokenId);
  const before = wallet?.quota ?? 0;
  if (wallet !== undefined && !fits(before - amount, wallet.used + amount)) return refuse('the balance would be out of range');
  if (allowance !== undefined && !fits(allowance.remain - amount, allowance.used + amount)) {
    return refuse('the allowance would be out of range');
  }
  let posting: number | null = null;
  if (wallet !== undefined && amount !== 0) {
    posting = addPosting(draft, wallet, {
      tokenId: tokenId === 0 ? null : tokenId,
      kind: 'charge',
      amount: -amount,
      reference: requestId,
      at,
    });
    wallet.used += amount;
    wallet.requests += 1;
    if (allowance !== undefined) {
      allowance.remain -= amount;
      allowance.used += amount;
      allowance.at = at;
      allowance.changed = true;
    }
    if (channelId !== 0) addToChannel(draft, channelId, amount);
  }
  if (log !== null) draft.logs.push({ row: wallet === undefined ? log : withDebt(log, before, amount), posting });
  addRollup(draft, item);
  return { done: wallet !== undefined, balance: wallet?.quota ?? 0 };
}

function post(draft: Draft, item: PostingSettlement): SettlementResult {
  const { userId, posting: kind, amount, reference, at, log } = item;
  const wallet = walletOf(draft, userId);
  if (wallet === undefined) return { done: false, balance: 0 };
  if (!fits(wallet.quota + amount)) return refuse('the balance would be out of range');
  if (isPosted(draft, item) || !passGuard(draft, item)) return { done: false, balance: wallet.quota };
  const posting = addPosting(draft, wallet, { tokenId: null, kind, amount, reference, at });
  if (log !== null) draft.logs.push({ row: log, posting });
  return { done: true, balance: wallet.quota };
}

function setAllowance(draft: Draft, { tokenId, remainQuota, unlimited }: AllowanceSettlement): SettlementResult {
  const allowance = allowanceOf(draft, tokenId);
  if (allowance === undefined) return { done: false, balance: 0 };
  allowance.remain = remainQuota;
  allowance.unlimited = unlimited;
  allowance.changed = true;
  return { done: true, balance: 0 };
}

function refuse(reason: string): SettlementResult {
  return { done: false, balance: 0, refused: reason };
}

function fits(...amounts: readonly number[]): boolean {
  return amounts.every(Number.isSafeInteger);
}
