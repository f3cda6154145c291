import { AppError } from '../kernel/errors.ts';
import { clampQuota } from '../kernel/quota.ts';
import type { ImportedBalance, Storage } from '../storage/storage.ts';

/**
 * Balances that users bring along from another program become their first postings
 * (docs/rules/import.md#balances). `storage` is that of the transaction that inserted the users.
 * The ledger of a running gateway does not see them: imports hold the data folder's lock.
 */
export async function postImportedBalances(
  storage: Pick<Storage, 'imports'>,
  balances: readonly { readonly userId: number; readonly amount: number }[],
  at: number,
): Promise<void> {
  const postings: ImportedBalance[] = balances
    .filter(({ amount }) => amount !== 0)
    .map(({ userId, amount }) => ({
      userId,
      kind: 'import',
      amount,
      balanceAfter: amount,
      reference: `import:${userId}`,
    }));
  await storage.imports.post(postings, at);
}

/**
 * What users had been promised beside their balance is added to it, each as a posting of kind
 * `grant`. Throws AppError amount_limit where a balance would leave the exact numbers.
 */
export async function postImportedGrants(
  storage: Pick<Storage, 'imports' | 'users'>,
  grants: readonly {
    readonly userId: number;
    readonly amount: number;
    readonly reference: string;
  }[],
  at: number,
): Promise<void> {
  const balances = new Map<number, number>();
  const postings: ImportedBalance[] = [];
  for (const { userId, amount, reference } of grants) {
    const before = balances.get(userId) ?? (await storage.users.find(userId))?.quota ?? 0;
    const balanceAfter = before + amount;
    if (clampQuota(balanceAfter) !== balanceAfter) throw new AppError('amount_limit');
    balances.set(userId, balanceAfter);
    postings.push({ userId, kind: 'grant', amount, balanceAfter, reference });
  }
  await storage.imports.post(postings, at);
}
