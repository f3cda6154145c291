/**
 * What Claude's generations accept, read from the model's name
 * (docs/rules/providers.md#claude-generations).
 */
import { readOption } from '../../canonical/kit/read-option.ts';
import type { ProviderOptions } from '../../canonical/provider.ts';
import { anthropicOptions } from './options.ts';

/**
 * 3, 3.5, 3.7, 4, 4.1, 4.5, … Names without a number, which only newer ones may have, count as the
 * newest: clients do the same with names they do not know.
 */
export function claudeGeneration(model: string): number {
  const match = /-(\d{1,2})(?:[-.](\d{1,2}))?(?=[-.@:]|$)/.exec(model);
  if (match === null) return Number.POSITIVE_INFINITY;
  return Number(`${match[1]}.${match[2] ?? 0}`);
}

/** Names that only the retired text completion API served. */
export function isLegacyClaude(model: string): boolean {
  return model.startsWith('claude-2') || model.startsWith('claude-instant');
}

/** The most `max_tokens` a model takes; undefined where unknown. */
export function outputLimit(model: string): number | undefined {
  const generation = claudeGeneration(model);
  if (generation === Number.POSITIVE_INFINITY) return undefined;
  if (generation >= 4.6) return 128_000;
  if (generation >= 4.5) return 64_000;
  if (generation >= 4) return model.includes('opus') ? 32_000 : 64_000;
  if (generation >= 3.7) return 64_000;
  return generation >= 3.5 ? 8192 : 4096;
}

/** Thinking exists at all. */
export const canThink = (model: string): boolean => claudeGeneration(model) >= 3.7;
/** `thinking: {type: "adaptive"}` is known. */
export const takesAdaptive = (model: string): boolean => claudeGeneration(model) >= 4.6;
/**
 * Token budgets for thinking and sampling parameters are refused: the newest generation decides
 * itself.
 */
export const decidesItself = (model: string): boolean => claudeGeneration(model) >= 4.7;
/** `temperature` and `top_p` may not come together. */
export const wantsOneSampling = (model: string): boolean => claudeGeneration(model) >= 4.5;
/** `output_config.effort`. */
export const takesEffort = (model: string): boolean =>
  claudeGeneration(model) >= 4.6 || (claudeGeneration(model) >= 4.5 && model.includes('opus'));
/** `output_config.format` with a JSON schema. */
export const takesOutputFormat = (model: string): boolean =>
  claudeGeneration(model) >= 4.5 || (claudeGeneration(model) >= 4.1 && model.includes('opus'));

interface SuffixedModel {
  /** The name without suffix. */
  readonly model: string;
  /** The name ended in `-thinking`. */
  readonly thinking: boolean;
  /** The name ended in an effort: `claude-opus-4-6-high`. */
  readonly effort?: string;
}

const effortSuffixes = ['max', 'high', 'medium', 'low'];

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
  return effort !== undefined && takesAdaptive(bare)
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
