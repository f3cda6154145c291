/** The budgets of groups and models in a configuration (docs/config-as-code.md). */
import { type BudgetService, readBudgetInput, withDefaults } from '../budgets/budget-service.ts';
import { presentBudget } from '../budgets/present-budget.ts';
import type { Actor } from '../kernel/actor.ts';
import { AppError } from '../kernel/errors.ts';
import type { Storage } from '../storage/storage.ts';
import { type ConfigChanges, type ConfigProblem, isAsSeen } from './config-changes.ts';

type BudgetEntry = ConfigChanges['budgets'][number];

export interface BudgetChangeDeps {
  readonly budgets: Pick<BudgetService, 'create' | 'update' | 'remove' | 'refusals'>;
  readonly storage: Pick<Storage, 'budgets'>;
}

/** What {@link writeBudget} would refuse. */
export async function checkBudgets(
  { budgets, storage }: BudgetChangeDeps,
  actor: Actor,
  entries: readonly BudgetEntry[],
): Promise<readonly ConfigProblem[]> {
  if (entries.length === 0) return [];
  const rows = await storage.budgets.list();
  const live = new Map(rows.map((row) => [row.id, row]));
  const ofGroups = rows.filter(({ owner }) => owner === 'group' || owner === 'model');
  const names = new Set(ofGroups.map(({ name }) => name));
  const problems: ConfigProblem[] = [];
  for (const entry of entries) {
    const { id, name, label = name, remove } = entry;
    const row = id === undefined ? undefined : live.get(id);
    const isFresh =
      row === undefined
        ? id === undefined && !names.has(name)
        : row.name === name && isAsSeen(entry.seen, presentBudget(row));
    const refusals = !isFresh
      ? [new AppError('config_changed_meanwhile')]
      : remove
        ? []
        : await budgets.refusals(actor, fieldsOf(entry), id);
    for (const error of refusals) {
      const { field = '' } = error.params;
      problems.push({ section: 'budgets', label, field: String(field), error });
    }
  }
  return problems;
}

/** Throws what the service of budgets throws. */
export async function writeBudget(
  { budgets }: Pick<BudgetChangeDeps, 'budgets'>,
  actor: Actor,
  entry: BudgetEntry,
): Promise<void> {
  const { id, remove } = entry;
  if (id === undefined) await budgets.create(actor, withDefaults(fieldsOf(entry)));
  else if (remove) await budgets.remove(actor, id);
  else await budgets.update(actor, id, fieldsOf(entry));
}

const fieldsOf = ({
  id: _id,
  label: _label,
  remove: _remove,
  seen: _seen,
  ...entry
}: BudgetEntry) => readBudgetInput(entry);
