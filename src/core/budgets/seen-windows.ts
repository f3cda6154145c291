import type { Actor } from '../kernel/actor.ts';
import type { Budget, BudgetWindowRow, Storage } from '../storage/storage.ts';
import { playgroundOf } from '../vocabulary/budgets.ts';
import { isAdmin } from '../vocabulary/roles.ts';

/**
 * The windows of a budget that somebody may see: of a group's those that are about it, or about all
 * together (docs/rules/budgets.md#whose). Others' names and figures are theirs.
 */
export async function seenWindows(
  tokens: Pick<Storage['tokens'], 'find'>,
  actor: Actor,
  budget: Budget,
  rows: readonly BudgetWindowRow[],
): Promise<readonly BudgetWindowRow[]> {
  const { owner, each } = budget;
  if (isAdmin(actor.role) || owner !== 'group' || each === '') return rows;
  if (each === 'user') return rows.filter(({ subject }) => subject === String(actor.id));
  if (each !== 'token') return rows.filter(({ userId }) => userId === actor.id);
  const seen: BudgetWindowRow[] = [];
  for (const row of rows) {
    const { subject } = row;
    const ownerId = playgroundOf(budget, subject) ?? (await tokens.find(Number(subject)))?.userId;
    if (ownerId === actor.id) seen.push(row);
  }
  return seen;
}
