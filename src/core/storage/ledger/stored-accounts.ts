/**
 * Reads accounts whose stored amounts may lie beyond the safe integers (rows of older versions, or
 * edited by hand): they count as the nearest safe integer, and the planner posts the difference
 * (docs/rules/ledger.md#quota-range).
 */
import { clampQuota, maxQuota } from '../../kernel/quota.ts';
import type { StoredAllowance, StoredWallet } from './plan.ts';

const isSafe = (column: string): string => `${column} BETWEEN -${maxQuota} AND ${maxQuota}`;
const asText = (sum: string): string => `CAST(CAST(${sum} AS BIGINT) AS TEXT)`;

/** SQL for the exact balance of a row of users, as text; null where it is a safe integer. */
export const exactBalance = `CASE WHEN NOT (${isSafe('quota')}) THEN ${asText('quota')} END`;
/**
 * SQL for the exact sum of a token's remaining and used quota, as text; null where both are safe
 * integers.
 */
export const exactAllowance = `CASE WHEN NOT (${isSafe('remain_quota')} AND ${isSafe('used_quota')})
  THEN ${asText('remain_quota + used_quota')} END`;
/** The same of its used quota alone. */
export const exactUsed = `CASE WHEN NOT (${isSafe('used_quota')}) THEN ${asText('used_quota')} END`;

interface WalletRow {
  readonly quota: number;
  readonly used: number;
  readonly exact: string | null;
}

interface AllowanceRow {
  readonly remain: number;
  readonly unlimited: number;
  readonly used: number;
  readonly exact: string | null;
  readonly exact_used: string | null;
}

export function readWallet({ quota, used, exact }: WalletRow): StoredWallet {
  const wallet = { quota: clampQuota(quota), used: clampQuota(used) };
  return exact === null ? wallet : { ...wallet, beyond: BigInt(exact) - BigInt(wallet.quota) };
}

export function readAllowance({
  remain,
  unlimited,
  used,
  exact,
  exact_used: exactUsed,
}: AllowanceRow): StoredAllowance {
  const allowance = {
    remain: clampQuota(remain),
    unlimited: unlimited === 1,
    used: clampQuota(used),
  };
  if (exact === null) return allowance;
  const beyond = BigInt(exact) - (BigInt(allowance.remain) + BigInt(allowance.used));
  return {
    ...allowance,
    beyond,
    ...(exactUsed !== null && { beyondUsed: BigInt(exactUsed) - BigInt(allowance.used) }),
  };
}
