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
    .map(({ userId, amount }) => ({ userId, amount, reference: `import:${userId}` }));
  await storage.imports.post(postings, at);
}
