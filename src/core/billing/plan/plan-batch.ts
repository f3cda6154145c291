/**
 * The rules of money, decided once for both engines: what a batch of settlements writes
 * (docs/rules/ledger.md#one-transaction). Pure; items are applied in their order, and an item that
 * cannot be written is refused without any effect on the others.
 */
import { addQuota, maxQuota } from '../../kernel/quota.ts';
import type { PlanBatch, WindowAmounts } from '../../storage/ledger/plan.ts';
import type {
  AllowanceSettlement,
  ChargeSettlement,
  PostingSettlement,
  RefundedCharge,
  RefundSettlement,
  Settlement,
  SettlementResult,
} from '../../storage/ledger/settlement.ts';
import { chargedLog } from './charged-log.ts';
import { findProblem } from './check-item.ts';
import {
  addPosting,
  addRollup,
  addToChannel,
  allowanceOf,
  changeAllowance,
  chargedWalletOf,
  type Draft,
  type DraftAllowance,
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
  if (item.kind === 'charge' || item.kind === 'release') {
    draft.holds.push(item.requestId);
    for (const window of item.windows ?? []) draft.windows.add(window);
  }
  const problem = findProblem(item);
  if (problem !== undefined) return refuse(problem);
  switch (item.kind) {
    case 'charge':
      return charge(draft, item);
    case 'posting':
      return post(draft, item);
    case 'refund':
      return refund(draft, item);
    case 'allowance':
      return setAllowance(draft, item);
    case 'release':
      return { done: true, balance: 0 };
  }
}

/**
 * A charge is always posted, also to a user who no longer exists
 * (docs/rules/ledger.md#closed-accounts). It never takes a balance below the range of quota: what
 * is beyond is not charged, and the log row says so. Counters stop at the bound.
 */
function charge(draft: Draft, item: ChargeSettlement): SettlementResult {
  const { userId, tokenId, channelId, requestId, at, log } = item;
  const wallet = chargedWalletOf(draft, userId);
  if (!passGuard(draft, item.guard)) return { done: false, balance: wallet.quota };
  const before = wallet.quota;
  const amount = Math.min(item.amount, before + maxQuota);
  let posting: number | null = null;
  if (amount !== 0) {
    posting = addPosting(draft, wallet, {
      tokenId: tokenId === 0 ? null : tokenId,
      kind: 'charge',
      amount: -amount,
      reference: requestId,
      at,
      windows: item.windows && new Map(item.windows.map((id) => [id, amount])),
    });
    wallet.used = addQuota(wallet.used, amount);
    wallet.requests += 1;
    chargeAllowance(draft, item, amount);
    if (channelId !== 0) addToChannel(draft, channelId, amount);
  }
  if (log !== null)
    draft.logs.push({ row: chargedLog(log, { before, due: item.amount, amount }), posting });
  addRollup(draft, item.amount === amount ? item : { ...item, amount });
  const allowance = allowanceOf(draft, tokenId);
  return {
    done: true,
    balance: wallet.quota,
    ...(allowance !== undefined && { remain: allowance.remain }),
  };
}

/** Both counters stop at the bound of quota together, so that their sum stays what was granted. */
function chargeAllowance(draft: Draft, { tokenId, at }: ChargeSettlement, amount: number): void {
  const allowance = allowanceOf(draft, tokenId);
  if (allowance === undefined) return;
  const { remain, used } = allowance;
  const counted = Math.min(amount, remain + maxQuota, maxQuota - used);
  changeAllowance(draft, allowance, {
    remain: remain - counted,
    used: used + counted,
    charged: amount,
    at,
  });
  allowance.at = at;
}

function post(draft: Draft, item: PostingSettlement): SettlementResult {
  const { userId, posting: kind, amount, reference, at, log } = item;
  const wallet = walletOf(draft, userId);
  if (wallet === undefined) return { done: false, balance: 0 };
  if (isPosted(draft, kind, reference)) return { done: false, balance: wallet.quota };
  if (!Number.isSafeInteger(wallet.quota + amount))
    return { ...refuse('the balance would be out of range'), overLimit: true };
  if (!passGuard(draft, item.guard)) return { done: false, balance: wallet.quota };
  const posting = addPosting(draft, wallet, { tokenId: null, kind, amount, reference, at });
  if (log !== null) draft.logs.push({ row: log, posting });
  return { done: true, balance: wallet.quota };
}

/**
 * Takes charges back: everything that they changed is changed back, except the numbers of requests.
 * Like a charge it is also posted to a user who no longer exists. Balance and counters stop at the
 * bounds of quota.
 */
function refund(draft: Draft, item: RefundSettlement): SettlementResult {
  const { userId, charges, reference, at, log, guard } = item;
  const wallet = chargedWalletOf(draft, userId);
  if (isPosted(draft, item.kind, reference) || !passGuard(draft, guard))
    return { done: false, balance: wallet.quota };
  const total = charges.reduce((sum, { amount }) => addQuota(sum, amount), 0);
  const amount = Math.min(total, maxQuota - wallet.quota);
  const [{ tokenId = 0 } = {}] = charges;
  const posting =
    amount === 0
      ? null
      : addPosting(draft, wallet, {
          tokenId: tokenId === 0 ? null : tokenId,
          kind: item.kind,
          amount,
          reference,
          at,
          windows: givenBack(charges),
        });
  wallet.used = Math.max(0, wallet.used - total);
  for (const charged of charges) {
    takeBack(draft, item, charged);
    for (const window of charged.windows ?? []) draft.windows.add(window);
  }
  for (const [id, refunded] of totalsByToken(charges)) {
    const allowance = allowanceOf(draft, id);
    if (allowance !== undefined)
      giveBack(draft, allowance, { refunded, charged: id === tokenId ? -amount : 0, at });
  }
  if (log !== null) draft.logs.push({ row: log, posting });
  const tokens = charges.flatMap((charged) => allowanceOf(draft, charged.tokenId) ?? []);
  return {
    done: true,
    balance: wallet.quota,
    remains: Object.fromEntries(tokens.map(({ id, remain }) => [id, remain])),
  };
}

/** Undefined: the charges were in no windows of budgets. */
function givenBack(charges: readonly RefundedCharge[]): WindowAmounts | undefined {
  const amounts = new Map<number, number>();
  for (const { windows = [], amount } of charges)
    for (const id of windows) amounts.set(id, addQuota(amounts.get(id) ?? 0, -amount));
  return amounts.size === 0 ? undefined : amounts;
}

/** A refund has one posting, of the token that paid first; several tokens may have paid. */
function totalsByToken(charges: readonly RefundedCharge[]): ReadonlyMap<number, number> {
  const totals = new Map<number, number>();
  for (const { tokenId, amount } of charges)
    totals.set(tokenId, addQuota(totals.get(tokenId) ?? 0, amount));
  return totals;
}

function giveBack(
  draft: Draft,
  allowance: DraftAllowance,
  {
    refunded,
    charged,
    at,
  }: { readonly refunded: number; readonly charged: number; readonly at: number },
): void {
  const { remain, used } = allowance;
  const counted = Math.max(0, Math.min(refunded, maxQuota - remain, used));
  changeAllowance(draft, allowance, {
    remain: remain + counted,
    used: used - counted,
    charged,
    at,
  });
}

function takeBack(
  draft: Draft,
  { userId }: RefundSettlement,
  { amount, channelId, rollup }: RefundedCharge,
): void {
  if (channelId !== 0) addToChannel(draft, channelId, -amount);
  if (rollup === null) return;
  const { cost } = rollup;
  const tokens = -rollup.tokens;
  draft.rollups.add({
    ...rollup,
    userId,
    channelId,
    quota: -amount,
    tokens,
    count: 0,
    cost: cost === undefined ? cost : -cost,
  });
}

function setAllowance(
  draft: Draft,
  { tokenId, remainQuota, unlimited, at }: AllowanceSettlement,
): SettlementResult {
  const allowance = allowanceOf(draft, tokenId);
  if (allowance === undefined) return { done: false, balance: 0 };
  const { remain, used } = allowance;
  changeAllowance(draft, allowance, { remain: remainQuota ?? remain, used, charged: 0, at });
  allowance.unlimited = unlimited;
  return { done: true, balance: 0 };
}

function refuse(reason: string): SettlementResult {
  return { done: false, balance: 0, refused: reason };
}
