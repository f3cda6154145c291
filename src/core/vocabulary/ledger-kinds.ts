/**
 * Why a balance changed (docs/rules/ledger.md#posting-kinds). A user's quota is the sum of that
 * user's postings.
 */
export const ledgerKinds = [
  'opening',
  'grant',
  'top_up',
  'payment_refund',
  'redemption',
  'invite',
  'transfer',
  'charge',
  'refund',
  'adjustment',
  'import',
] as const;
export type LedgerKind = (typeof ledgerKinds)[number];
