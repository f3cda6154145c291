/**
 * `thinkingConfig` for a model and a request (docs/rules/providers.md#gemini-thinking). Never both
 * budget and level.
 */

import type { Reasoning, ReasoningEffort } from '../../canonical/chat.ts';
import { compact } from '../../canonical/kit/read-json.ts';
import { readOption } from '../../canonical/kit/read-option.ts';
import { effortOf } from '../../canonical/kit/reasoning.ts';
import { levelFor, thinkingBudget, thinksByLevel } from '../../canonical/models/gemini.ts';
import type { ProviderOptions } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { geminiOptions } from './options.ts';

const shareByEffort: Readonly<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: 0.05,
  low: 0.2,
  medium: 0.5,
  high: 0.8,
  xhigh: 1,
  max: 1,
};
const levels = ['xhigh', 'high', 'medium', 'low', 'minimal'] as const;

function clampBudget(model: string, budget: number): number {
  const { min, max } = thinkingBudget(model) ?? { min: 0, max: budget };
  return Math.min(max, Math.max(min, Math.floor(budget)));
}

/** The requested thinking on this model's scale. */
function configFor(model: string, reasoning: Reasoning): JsonObject | undefined {
  const effort = effortOf(reasoning);
  const includeThoughts = effort !== 'none' && reasoning.include !== false ? true : undefined;
  if (thinksByLevel(model))
    return compact({
      includeThoughts,
      thinkingLevel: effort === undefined ? undefined : levelFor(model, effort),
    });
  const bounds = thinkingBudget(model);
  if (bounds === undefined) return undefined;
  if (effort === 'none') return bounds.off ? { thinkingBudget: 0 } : undefined;
  const given = reasoning.budgetTokens;
  if (given !== undefined && given < 0) return compact({ includeThoughts, thinkingBudget: -1 });
  const budget = given ?? (effort === undefined ? undefined : bounds.max * shareByEffort[effort]);
  return compact({
    includeThoughts,
    thinkingBudget: budget === undefined ? undefined : clampBudget(model, budget),
  });
}

/**
 * `extra_body.google.thinking_config` of chat callers, in snake case. Throws
 * AppError('invalid_text_request') for camel case there.
 */
export function readGoogleConfig(extra: JsonObject): JsonObject | undefined {
  const body = extra.extra_body;
  const google =
    isObject(body) && isObject(body.google)
      ? body.google
      : isObject(extra.google)
        ? extra.google
        : undefined;
  return google as JsonObject | undefined;
}

export function ownThinkingConfig(google: JsonObject | undefined): JsonObject | undefined {
  const given = google?.thinking_config;
  if (!isObject(given)) {
    if (google?.thinkingConfig === undefined) return undefined;
    throw new AppError('invalid_text_request', {
      detail: 'extra_body.google.thinkingConfig: write thinking_config',
    });
  }
  for (const name of ['thinkingBudget', 'includeThoughts', 'thinkingLevel']) {
    if (given[name] !== undefined)
      throw new AppError('invalid_text_request', {
        detail: `extra_body.google.thinking_config.${name}`,
      });
  }
  const budget = given.thinking_budget as JsonValue | undefined;
  const include =
    given.include_thoughts ?? (typeof budget === 'number' && budget > 0 ? true : undefined);
  return compact({
    includeThoughts: include as JsonValue | undefined,
    thinkingBudget: given.thinking_level === undefined ? budget : undefined,
    thinkingLevel: given.thinking_level as JsonValue | undefined,
  });
}

export interface SuffixedGemini {
  readonly model: string;
  /** What the suffix requests; absent: no suffix. */
  readonly suffix?:
    | 'thinking'
    | 'nothinking'
    | { readonly budget: number }
    | { readonly level: string };
}

/**
 * Takes the adapter's suffixes off, where the adapter is on
 * (docs/rules/channel-rules.md#model-suffixes).
 */
export function splitGeminiSuffix(model: string, options: ProviderOptions): SuffixedGemini {
  if (!readOption(options, geminiOptions, 'gemini.thinking_adapter_enabled')) return { model };
  if (model.endsWith('-nothinking'))
    return { model: model.slice(0, -'-nothinking'.length), suffix: 'nothinking' };
  if (model.endsWith('-thinking'))
    return { model: model.slice(0, -'-thinking'.length), suffix: 'thinking' };
  const budget = /^(.+)-thinking-(\d+)$/.exec(model);
  if (budget?.[1] !== undefined) return { model: budget[1], suffix: { budget: Number(budget[2]) } };
  const level = thinksByLevel(model)
    ? levels.find((word) => model.endsWith(`-${word}`))
    : undefined;
  return level === undefined
    ? { model }
    : { model: model.slice(0, -level.length - 1), suffix: { level } };
}

function suffixConfig(
  given: SuffixedGemini,
  request: ThinkingRequest,
  options: ProviderOptions,
): JsonObject | undefined {
  const { model, suffix } = given;
  if (suffix === undefined) return undefined;
  if (suffix === 'nothinking') return configFor(model, { effort: 'none' });
  if (typeof suffix === 'object' && 'level' in suffix)
    return { includeThoughts: true, thinkingLevel: suffix.level };
  if (typeof suffix === 'object')
    return configFor(model, { budgetTokens: clampBudget(model, suffix.budget) });
  const share = readOption(
    options,
    geminiOptions,
    'gemini.thinking_adapter_budget_tokens_percentage',
  );
  const limit = request.maxOutputTokens;
  const budgetTokens = limit === undefined ? undefined : clampBudget(model, limit * share);
  return configFor(
    model,
    budgetTokens === undefined ? { ...request.reasoning, include: true } : { budgetTokens },
  );
}

interface ThinkingRequest {
  readonly maxOutputTokens?: number;
  readonly reasoning?: Reasoning;
}

/**
 * Undefined: the model's default. The caller's own config wins, then the suffix, then the canonical
 * request.
 */
export function thinkingConfig(
  given: SuffixedGemini,
  request: ThinkingRequest,
  own: JsonObject | undefined,
  options: ProviderOptions,
): JsonObject | undefined {
  const config =
    own ??
    suffixConfig(given, request, options) ??
    (request.reasoning && configFor(given.model, request.reasoning));
  return config === undefined || Object.keys(config).length === 0 ? undefined : config;
}
