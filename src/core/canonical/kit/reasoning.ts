/** The common scale of thinking efforts and budgets (docs/rules/formats.md#reasoning-scale). */
import { type ReasoningEffort, reasoningEfforts } from '../../vocabulary/reasoning-efforts.ts';
import type { Reasoning } from '../chat.ts';

export function readEffort(value: unknown): ReasoningEffort | undefined {
  return reasoningEfforts.find((effort) => effort === value);
}

/** Token budget of an effort for models that take a budget (Claude before `effort` existed). */
export const budgetByEffort: Readonly<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: 1024,
  low: 1280,
  medium: 2048,
  high: 4096,
  xhigh: 16_384,
  max: 31_999,
};

export function effortFromBudget(budget: number): ReasoningEffort {
  if (budget === 0) return 'none';
  if (budget > 8192 || budget < 0) return budget < 0 ? 'medium' : 'high';
  if (budget <= 1024) return 'minimal';
  return budget <= 2048 ? 'low' : 'medium';
}

/** The requested effort, given directly or by a budget; undefined where the provider decides. */
export function effortOf(reasoning: Reasoning | undefined): ReasoningEffort | undefined {
  if (reasoning?.effort !== undefined) return reasoning.effort;
  return reasoning?.budgetTokens === undefined
    ? undefined
    : effortFromBudget(reasoning.budgetTokens);
}
