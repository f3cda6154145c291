import type { SettledLog } from '../../storage/ledger/settlement.ts';

/**
 * The part of a charge that takes a wallet below zero, in quota (docs/rules/ledger.md#debt). A wallet that is in debt already goes deeper by the whole
 * charge.
 */
function debtOf(balanceBefore: number, amount: number): number {
  return Math.max(0, amount - Math.max(0, balanceBefore));
}

/** The log row of a charge, with `debt` added to its `other` where there is one. */
export function withDebt(log: SettledLog, balanceBefore: number, amount: number): SettledLog {
  const debt = debtOf(balanceBefore, amount);
  if (debt === 0) return log;
  const { other } = log;
  return { ...log, other: other === '' || other === '{}' ? `{"debt":${debt}}` : `${other.slice(0, -1)},"debt":${debt}}` };
}
