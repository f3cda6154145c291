import { clampQuota } from '../kernel/quota.ts';
import type { Storage } from '../storage/storage.ts';
import type { DriftAccount, LedgerVerification } from './ledger.ts';
import { monthText } from './statement-months.ts';

/**
 * Recomputes every balance and every statement from the postings, and remaining plus used quota of every token from its
 * allowances. Sums are exact.
 * `staleHolds`: holds that no living process owns, where they outlive their process.
 */
export async function verifyLedger(
  storage: Pick<Storage, 'users' | 'ledger' | 'statements'>,
  staleHolds = 0,
): Promise<LedgerVerification> {
  const [wallets, tokens, statements, kinds, users] = await Promise.all([
    storage.ledger.verify(),
    storage.ledger.verifyTokens(),
    storage.statements.verify(),
    storage.ledger.sumByKind(),
    storage.users.count(),
  ]);
  const drifts = [
    ...wallets.map((drift) => toDrift('user', drift.userId, drift.username, drift.quota, drift.posted)),
    ...tokens.map((drift) => toDrift('token', drift.tokenId, drift.name, drift.granted, drift.posted)),
    ...statements.map(({ userId, username, month, figure, stored, posted }) =>
      toDrift('statement', userId, `${username} ${monthText(month)} ${figure}`, stored, posted),
    ),
  ];
  return {
    ok: drifts.length === 0,
    users,
    postings: kinds.reduce((sum, kind) => sum + kind.count, 0),
    sum: clampQuota(kinds.reduce((sum, kind) => sum + kind.amount, 0n)),
    staleHolds,
    drifts,
  };
}

/** The difference is exact; amounts beyond the safe integers are shown as the nearest. */
function toDrift(account: DriftAccount, id: number, name: string, actual: bigint, expected: bigint) {
  return { account, id, name, expected: clampQuota(expected), actual: clampQuota(actual), drift: clampQuota(actual - expected) };
}
