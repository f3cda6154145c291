/** What a batch of settlements writes on PostgreSQL, worked out in their order on accounts that are locked. */
import { toQuota } from '../../kernel/quota.ts';
import type { LockedAccounts } from './postgres-accounts.ts';
import {
  type AllowanceSettlement,
  type ChargeSettlement,
  type PostingSettlement,
  type SettledLog,
  type Settlement,
  type SettlementResult,
  tellDebt,
} from './settlement.ts';

/** Gives a hold back; nothing is posted. */
export interface ReleaseSettlement {
  readonly kind: 'release';
  readonly requestId: string;
  readonly userId: number;
  /** 0: none. */
  readonly tokenId: number;
}

export type PostgresSettlement = Settlement | ReleaseSettlement;

/** What is known before the batch. */
export interface PlanGround extends LockedAccounts {
  /** Keys of {@link referenceKey} that are posted already. */
  readonly references: ReadonlySet<string>;
  readonly unusedCodes: ReadonlySet<number>;
}

/** Rows by the names that the statement of postgres-write.ts reads. */
export interface Plan {
  readonly results: SettlementResult[];
  /** Request ids whose holds end. */
  readonly holds: string[];
  readonly postings: {
    readonly n: number;
    readonly user_id: number;
    readonly token_id: number | null;
    readonly kind: string;
    readonly amount: number;
    readonly balance_after: number;
    readonly reference: string | null;
    readonly created_at: number;
  }[];
  /** `posting` is the `n` of the posting that a row explains. */
  readonly logs: (SettledLog & { readonly posting: number | null })[];
  readonly users: Map<number, { id: number; balance: number; quota: number; used: number; requests: number }>;
  /** `remain` and `unlimited` as they are to be; `at` null: not used. */
  readonly tokens: Map<number, { id: number; remain: number; unlimited: boolean; used: number; at: number | null }>;
  readonly channels: Map<number, { readonly id: number; amount: number }>;
  readonly rollups: Map<string, RollupRow>;
  readonly codes: { readonly id: number; readonly user_id: number; readonly at: number }[];
}

interface RollupRow {
  readonly user_id: number;
  readonly username: string;
  readonly model_name: string;
  readonly hour: number;
  count: number;
  quota: number;
  tokens: number;
}

/** References are unique per kind. */
export const referenceKey = (kind: string, reference: string): string => `${kind} ${reference}`;

/** Throws RangeError when a balance would leave the safe integers. */
export function planBatch(batch: readonly PostgresSettlement[], ground: PlanGround): Plan {
  const plan: Plan = {
    results: [],
    holds: [],
    postings: [],
    logs: [],
    users: new Map([...ground.wallets].map(([id, { quota }]) => [id, { id, balance: quota, quota: 0, used: 0, requests: 0 }])),
    tokens: new Map(
      [...ground.allowances].map(([id, { remain, unlimited }]) => [id, { id, remain, unlimited, used: 0, at: null }]),
    ),
    channels: new Map(),
    rollups: new Map(),
    codes: [],
  };
  const references = new Set(ground.references);
  const unusedCodes = new Set(ground.unusedCodes);
  for (const item of batch) {
    plan.results.push(
      item.kind === 'charge'
        ? charge(plan, item)
        : item.kind === 'posting'
          ? post(plan, item, references, unusedCodes)
          : item.kind === 'allowance'
            ? allow(plan, item)
            : release(plan, item),
    );
  }
  return plan;
}

function charge(plan: Plan, item: ChargeSettlement): SettlementResult {
  plan.holds.push(item.requestId);
  const { amount, userId, tokenId, channelId, log, rollup } = item;
  const user = plan.users.get(userId);
  const before = user?.balance ?? 0;
  let posting: number | null = null;
  if (user !== undefined && amount !== 0) {
    posting = addPosting(plan, user, { ...item, amount: -amount, kind: 'charge', reference: item.requestId });
    user.used += amount;
    user.requests += 1;
    const token = plan.tokens.get(tokenId);
    if (token !== undefined) {
      token.remain -= amount;
      token.used += amount;
      token.at = item.at;
    }
    const channel = plan.channels.get(channelId);
    if (channel !== undefined) channel.amount += amount;
    else if (channelId !== 0) plan.channels.set(channelId, { id: channelId, amount });
  }
  if (log !== null) plan.logs.push({ ...(user === undefined ? log : tellDebt(log, before, amount)), posting });
  if (rollup !== null) {
    const { modelName, username, hour, tokens } = rollup;
    const key = `${userId} ${hour} ${modelName}`;
    const row = plan.rollups.get(key);
    if (row === undefined) {
      plan.rollups.set(key, { user_id: userId, username, model_name: modelName, hour, count: 1, quota: amount, tokens });
    } else {
      row.count += 1;
      row.quota += amount;
      row.tokens += tokens;
    }
  }
  return { done: user !== undefined, balance: user?.balance ?? 0 };
}

function post(plan: Plan, item: PostingSettlement, references: Set<string>, unusedCodes: Set<number>): SettlementResult {
  const user = plan.users.get(item.userId);
  if (user === undefined) return { done: false, balance: 0 };
  const key = item.reference === null ? undefined : referenceKey(item.posting, item.reference);
  if (key !== undefined && references.has(key)) return { done: false, balance: user.balance };
  if (item.redeem !== null) {
    const id = item.redeem.redemptionId;
    if (!unusedCodes.delete(id)) return { done: false, balance: user.balance };
    plan.codes.push({ id, user_id: item.userId, at: item.at });
  }
  if (key !== undefined) references.add(key);
  const posting = addPosting(plan, user, { ...item, tokenId: 0, kind: item.posting });
  if (item.log !== null) plan.logs.push({ ...item.log, posting });
  return { done: true, balance: user.balance };
}

function addPosting(
  plan: Plan,
  user: { id: number; balance: number; quota: number },
  row: { tokenId: number; kind: string; amount: number; reference: string | null; at: number },
): number {
  const n = plan.postings.length;
  user.balance = toQuota(user.balance + row.amount);
  user.quota += row.amount;
  plan.postings.push({
    n,
    user_id: user.id,
    token_id: row.tokenId === 0 ? null : row.tokenId,
    kind: row.kind,
    amount: row.amount,
    balance_after: user.balance,
    reference: row.reference,
    created_at: row.at,
  });
  return n;
}

function allow(plan: Plan, { tokenId, remainQuota, unlimited }: AllowanceSettlement): SettlementResult {
  const token = plan.tokens.get(tokenId);
  if (token === undefined) return { done: false, balance: 0 };
  token.remain = remainQuota;
  token.unlimited = unlimited;
  return { done: true, balance: 0 };
}

function release(plan: Plan, { requestId }: ReleaseSettlement): SettlementResult {
  plan.holds.push(requestId);
  return { done: true, balance: 0 };
}
