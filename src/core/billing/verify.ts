import type { Storage } from '../storage/storage.ts';
import type { LedgerVerification } from './ledger.ts';

/**
 * Recomputes every balance from its postings. Sums are exact; what leaves the safe range is an error, not a rounding.
 * `staleHolds`: holds that no living process owns, where they outlive their process.
 */
export async function verifyLedger(storage: Pick<Storage, 'users' | 'ledger'>, staleHolds = 0): Promise<LedgerVerification> {
  const [drifts, kinds, users] = await Promise.all([storage.ledger.verify(), storage.ledger.sumByKind(), storage.users.count()]);
  return {
    ok: drifts.length === 0,
    users,
    postings: kinds.reduce((sum, kind) => sum + kind.count, 0),
    sum: Number(kinds.reduce((sum, kind) => sum + kind.amount, 0n)),
    staleHolds,
    drifts: drifts.map((drift) => ({
      account: 'user',
      id: drift.userId,
      name: drift.username,
      expected: Number(drift.posted),
      actual: Number(drift.quota),
      drift: Number(drift.quota - drift.posted),
    })),
  };
}
