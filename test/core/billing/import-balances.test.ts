/** Balances from another program become postings (docs/rules/import.md#balances). */
import { expect, it } from 'vitest';
import {
  postImportedBalances,
  postImportedGrants,
} from '../../../src/core/billing/import-balances.ts';
import { maxQuota } from '../../../src/core/kernel/quota.ts';
import { codeOf } from './ledger-support.ts';

/** User 1 has 100; nobody else is there. */
function open() {
  const posted: unknown[] = [];
  const storage = {
    imports: { post: async (...postings: unknown[]) => void posted.push(postings) },
    users: { find: async (id: number) => (id === 1 ? { quota: 100 } : null) },
  } as unknown as Parameters<typeof postImportedGrants>[0];
  return { storage, posted };
}

it('each balance is one posting, debts too; nothing is none', async () => {
  const { storage, posted } = open();
  const balances = [
    { userId: 1, amount: 5 },
    { userId: 2, amount: 0 },
    { userId: 3, amount: -4 },
  ];
  await postImportedBalances(storage, balances, 77);
  const rest = { kind: 'import' };
  expect(posted).toEqual([
    [
      [
        { ...rest, userId: 1, amount: 5, balanceAfter: 5, reference: 'import:1' },
        { ...rest, userId: 3, amount: -4, balanceAfter: -4, reference: 'import:3' },
      ],
      77,
    ],
  ]);
});

it('grants are added to the balance, one after the other', async () => {
  const { storage, posted } = open();
  const grants = [
    { userId: 1, amount: 5, reference: 'a' },
    { userId: 2, amount: 7, reference: 'b' },
    { userId: 1, amount: 6, reference: 'c' },
  ];
  await postImportedGrants(storage, grants, 77);
  const balances = [105, 7, 111];
  expect(posted).toEqual([
    [grants.map((grant, i) => ({ ...grant, kind: 'grant', balanceAfter: balances[i] })), 77],
  ]);
});

it('a balance that would be no exact number any more is refused, and nothing is posted', async () => {
  const { storage, posted } = open();
  const grant = (amount: number) =>
    codeOf(postImportedGrants(storage, [{ userId: 1, amount, reference: 'a' }], 1));
  expect(await grant(maxQuota - 99)).toBe('amount_limit');
  expect(posted).toEqual([]);
  expect(await grant(maxQuota - 100)).toBe('ok');
});
