import { modelWithBudget, seriesName } from '../models/series.ts';
import { modelOfSnapshot } from '../models/snapshot.ts';

/**
 * The wildcard name that prices a whole series: gizmos and thinking budgets
 * (docs/rules/pricing.md#wildcard-names).
 */
export function wildcardName(model: string): string {
  const named = modelWithBudget(model);
  return named === undefined ? seriesName(model) : `${named}-thinking-*`;
}

/**
 * The model that a name with a date or a budget of thinking stands for, which it costs as much as
 * (docs/rules/pricing.md#dated-names). Undefined: the name has neither.
 */
export function modelNamed(name: string): string | undefined {
  return modelWithBudget(name) ?? modelOfSnapshot(name);
}
