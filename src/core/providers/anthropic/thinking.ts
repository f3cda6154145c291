/**
 * Thinking settings in the form of the model's generation
 * (docs/rules/providers.md#claude-thinking).
 */

import type { Reasoning, ReasoningEffort } from '../../canonical/chat.ts';
import { budgetByEffort } from '../../canonical/kit/reasoning.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { fitEffort } from '../../models/fit-effort.ts';
import {
  canStopThinking,
  canThink,
  decidesItself,
  effortsOf,
  outputLimit,
  takesAdaptive,
  takesBetweenTools,
} from './model-rules.ts';

/** The least budget the API takes. */
const minBudget = 1024;
/** The least `max_tokens` with the adapter's suffix. */
const minAdapterTokens = 1280;

export interface Thinking {
  /** Absent: the model's default. */
  readonly thinking?: JsonObject;
  readonly effort?: ReasoningEffort;
  readonly maxTokens: number;
}

/**
 * The suffix `-thinking`: a share of the output limit goes to thinking, or the model decides where
 * budgets are gone.
 */
export function adapterThinking(model: string, maxTokens: number, share: number): Thinking {
  if (decidesItself(model)) return { thinking: { type: 'adaptive' }, maxTokens };
  const raised = Math.max(maxTokens, minAdapterTokens);
  // Some of the limit has to remain for the reply.
  const budget = Math.min(raised - 1, Math.max(minBudget, Math.floor(raised * share)));
  return { thinking: { type: 'enabled', budget_tokens: budget }, maxTokens: raised };
}

/**
 * A budget below `max_tokens`: the limit is raised by it, up to the model's maximum, so that the
 * reply keeps its share.
 */
function budgeted(model: string, budget: number, maxTokens: number): Thinking {
  const requested = Math.max(minBudget, budget);
  const limit = outputLimit(model) ?? Number.POSITIVE_INFINITY;
  const raised = requested < maxTokens ? maxTokens : Math.min(limit, requested + maxTokens);
  const spent = requested < raised ? requested : Math.max(minBudget, raised - minBudget);
  return {
    thinking: { type: 'enabled', budget_tokens: spent },
    maxTokens: Math.max(raised, spent + 1),
  };
}

/** The least thinking of a model: none, or what it has in its place. */
export function leastThinking(model: string): Pick<Thinking, 'thinking' | 'effort'> {
  if (canStopThinking(model)) return { thinking: { type: 'disabled' } };
  return takesBetweenTools(model)
    ? { thinking: { type: 'between_tools' } }
    : { thinking: { type: 'adaptive' }, effort: 'low' };
}

/** Thinking as the caller requests it, for a model without suffix. */
export function requestedThinking(
  model: string,
  reasoning: Reasoning | undefined,
  maxTokens: number,
): Thinking {
  if (reasoning === undefined || !canThink(model)) return { maxTokens };
  const { effort, budgetTokens } = reasoning;
  if (effort === 'none' || budgetTokens === 0) return { ...leastThinking(model), maxTokens };
  const word = effort === undefined ? undefined : fitEffort(effort, effortsOf(model));
  const budget = budgetTokens ?? (effort === undefined ? undefined : budgetByEffort[effort]);
  if (
    takesAdaptive(model) &&
    (budgetTokens === undefined || budgetTokens < 0 || decidesItself(model))
  ) {
    const requested =
      reasoning.adaptive === true || budget !== undefined || reasoning.include === true;
    return { thinking: requested ? { type: 'adaptive' } : undefined, effort: word, maxTokens };
  }
  if (budget === undefined) return { effort: word, maxTokens };
  return {
    ...budgeted(model, budget < 0 ? budgetByEffort.medium : budget, maxTokens),
    effort: word,
  };
}
