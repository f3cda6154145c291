import { windowName } from '../entities/budget-window-name.ts';
import { clampQuota } from '../kernel/quota.ts';
import type { Storage } from '../storage/storage.ts';
import type { DriftAccount, LedgerVerification } from './ledger.ts';
import type { LedgerHead } from './ledger-head.ts';
import { monthText } from './statement-months.ts';
import { verifyChains } from './verify-chain.ts';

export interface LedgerChecks {
  /** Holds that no living process owns, where they outlive their process. */
  readonly staleHolds?: number;
  /** The newest links, as they were noted outside of the database. */
  readonly noted?: LedgerHead | undefined;
}

/**
 * Recomputes every balance and every statement from the postings, remaining and used quota of every
 * token from its allowances and postings, and follows the chains. Sums are exact.
 */
export async function verifyLedger(
  storage: Pick<Storage, 'users' | 'ledger' | 'chains' | 'statements' | 'budgets'>,
  { staleHolds = 0, noted }: LedgerChecks = {},
): Promise<LedgerVerification> {
  const [wallets, tokens, usages, statements, windows, kinds, users] = await Promise.all([
    storage.ledger.verify(),
    storage.ledger.verifyTokens(),
    storage.ledger.verifyTokenUse(),
    storage.statements.verify(),
    storage.budgets.verify(),
    storage.ledger.sumByKind(),
    storage.users.count(),
  ]);
  const drifts = [
    ...wallets.map((drift) =>
      toDrift('user', drift.userId, drift.username, drift.quota, drift.posted),
    ),
    ...tokens.map((drift) =>
      toDrift('token', drift.tokenId, drift.name, drift.granted, drift.posted),
    ),
    ...usages.map((drift) =>
      toDrift('token_used', drift.tokenId, drift.name, drift.used, drift.posted),
    ),
    ...statements.map(({ userId, username, month, figure, stored, posted }) =>
      toDrift('statement', userId, `${username} ${monthText(month)} ${figure}`, stored, posted),
    ),
    ...windows.map(({ budgetId, name, ownerId, spent, charged, ...window }) => {
      const whose = windowName({ ...window, owner_id: ownerId }, { ...window, name: '' }, 'en');
      return toDrift('budget', budgetId, [name, whose].filter(Boolean).join(' '), spent, charged);
    }),
  ];
  const chain = await verifyChains(storage.chains, noted);
  return {
    ok: drifts.length === 0 && chain.breaks.length === 0,
    users,
    postings: kinds.reduce((sum, kind) => sum + kind.count, 0),
    sum: clampQuota(kinds.reduce((sum, kind) => sum + kind.amount, 0n)),
    staleHolds,
    chain,
    drifts,
  };
}

/** The difference is exact; amounts beyond the safe integers are shown as the nearest. */
function toDrift(
  account: DriftAccount,
  id: number,
  name: string,
  actual: bigint,
  expected: bigint,
) {
  return {
    account,
    id,
    name,
    expected: clampQuota(expected),
    actual: clampQuota(actual),
    drift: clampQuota(actual - expected),
  };
}
