/**
 * What Claude's generations accept: the catalogue's facts, as encoders read them
 * (docs/rules/providers.md#claude-generations).
 */
import type { ReasoningEffort } from '../../canonical/chat.ts';
import { readOption } from '../../canonical/kit/read-option.ts';
import type { ProviderOptions } from '../../canonical/provider.ts';
import { factsOf, knownModels } from '../../models/known-models.ts';
import type { ModelFacts } from '../../models/schema.ts';
import { anthropicOptions } from './options.ts';

/**
 * The name in the catalogue: resellers put a region and a maker before it. A name of one's own is
 * read as Claude's, too: without a number it counts as the newest, as clients do with names that
 * they do not know.
 */
function claudeName(model: string): string {
  const name = model.toLowerCase();
  const start = name.indexOf('claude');
  return start === -1 ? `claude-${name}` : name.slice(start);
}

const claudeFacts = (model: string): ModelFacts => factsOf(claudeName(model));

const thinksBy =
  (way: NonNullable<ModelFacts['thinking']>[number]) =>
  (model: string): boolean =>
    claudeFacts(model).thinking?.includes(way) === true;

/** 3, 3.5, 3.7, 4, 4.1, 4.5, …; Infinity for names without a number. */
export function claudeGeneration(model: string): number {
  return knownModels.find(claudeName(model)).generation ?? Number.POSITIVE_INFINITY;
}

/** Names that only the retired text completion API served. */
export function isLegacyClaude(model: string): boolean {
  return claudeFacts(model).kind === 'completion';
}

/** The most `max_tokens` a model takes; undefined where unknown. */
export function outputLimit(model: string): number | undefined {
  return claudeFacts(model).outputTokens;
}

/** Thinking exists at all. */
export const canThink = (model: string): boolean => (claudeFacts(model).thinking?.length ?? 0) > 0;
/** `thinking: {type: "adaptive"}` is known. */
export const takesAdaptive = thinksBy('adaptive');
/** Token budgets for thinking are refused: the model decides itself. */
export const decidesItself = (model: string): boolean =>
  takesAdaptive(model) && !thinksBy('budget')(model);
/** Thinking can be turned off. */
export const canStopThinking = thinksBy('off');
/** `thinking: {type: "between_tools"}`, the least of a model that always thinks. */
export const takesBetweenTools = thinksBy('between_tools');
/** `temperature` and `top_p` may not come together. */
export const wantsOneSampling = (model: string): boolean =>
  claudeFacts(model).takes?.two_samplings === false;
/** Fields that are refused: sampling, since models decide themselves. */
export const refusedFields = (model: string): readonly string[] => claudeFacts(model).drops ?? [];
/** The efforts of `output_config.effort`; empty: the field is unknown. */
export const effortsOf = (model: string): readonly ReasoningEffort[] =>
  claudeFacts(model).efforts ?? [];
/** `output_config.format` with a JSON schema. */
export const takesOutputFormat = (model: string): boolean =>
  claudeFacts(model).takes?.json_schema === true;
/** Tools can be forced: `tool_choice` `any`, or a name. */
export const takesForcedTools = (model: string): boolean =>
  claudeFacts(model).takes?.forced_tools !== false;
/** The conversation may end with the beginning of the answer. */
export const takesPrefill = (model: string): boolean => claudeFacts(model).takes?.prefill !== false;

interface SuffixedModel {
  /** The name without suffix. */
  readonly model: string;
  /** The name ended in `-thinking`. */
  readonly thinking: boolean;
  /** The name ended in an effort: `claude-opus-4-6-high`. */
  readonly effort?: ReasoningEffort;
}

const effortSuffixes = ['max', 'xhigh', 'high', 'medium', 'low'] as const;

/**
 * Takes the adapter's suffixes off, where the adapter is on
 * (docs/rules/channel-rules.md#model-suffixes).
 */
export function splitSuffix(model: string, options: ProviderOptions): SuffixedModel {
  if (!readOption(options, anthropicOptions, 'claude.thinking_adapter_enabled'))
    return { model, thinking: false };
  if (model.endsWith('-thinking'))
    return { model: model.slice(0, -'-thinking'.length), thinking: true };
  const effort = effortSuffixes.find((word) => model.endsWith(`-${word}`));
  const bare = effort === undefined ? model : model.slice(0, -effort.length - 1);
  return effort !== undefined && takesAdaptive(bare) && effortsOf(bare).includes(effort)
    ? { model: bare, thinking: false, effort }
    : { model, thinking: false };
}

/**
 * `max_tokens` for callers who gave none: the option's value for the upstream model, within what
 * the model takes.
 */
export function defaultMaxTokens(model: string, options: ProviderOptions): number {
  const limits = readOption(options, anthropicOptions, 'claude.default_max_tokens');
  const requested = limits[model] ?? limits.default ?? 8192;
  return Math.min(requested, outputLimit(model) ?? requested);
}
