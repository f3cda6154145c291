import type { SettledLog } from '../../storage/ledger/settlement.ts';

/** Quota: the balance before the charge, the cost, and the part of it that is charged. */
interface ChargedAmounts {
  readonly before: number;
  readonly due: number;
  readonly amount: number;
}

/**
 * The log row of a charge. Its `other` gets `debt`, the part that takes the balance below zero
 * (docs/rules/ledger.md#debt), and `uncharged`, the part beyond the range of quota
 * (docs/rules/ledger.md#quota-range), where there are any.
 */
export function chargedLog(log: SettledLog, { before, due, amount }: ChargedAmounts): SettledLog {
  const debt = Math.max(0, amount - Math.max(0, before));
  const uncharged = due - amount;
  if (debt === 0 && uncharged === 0) return log;
  const notes = { ...(debt > 0 && { debt }), ...(uncharged > 0 && { uncharged }) };
  const text = JSON.stringify(notes);
  const { other } = log;
  const merged = other === '' || other === '{}' ? text : `${other.slice(0, -1)},${text.slice(1)}`;
  return { ...log, quota: amount, other: merged };
}
