/**
 * Wire usage → the canonical {@link Usage}: prompt with cache reads and writes, completion with
 * reasoning (docs/rules/metering.md#usage-normal-form). Pass-through metering reads with the same
 * functions. "Not reported" stays undefined.
 */
import { chargedTier } from '../../models/tier-names.ts';
import type { Usage } from '../usage.ts';
import { countOf, type Loose, listOf, recordOf, recordsOf, textOf } from './read-json.ts';

/** Undefined: none of them is known. */
export function sum(...terms: readonly (number | undefined)[]): number | undefined {
  let total: number | undefined;
  for (const term of terms) if (term !== undefined) total = (total ?? 0) + term;
  return total;
}

/** The first that is a count. */
export function firstCount(...values: readonly unknown[]): number | undefined {
  for (const value of values) {
    const count = countOf(value);
    if (count !== undefined) return count;
  }
  return undefined;
}

/**
 * Keeps a usage object free of keys without a value, so that merging is a plain overwrite. The
 * vendor's own words alone are no usage.
 */
export function reported(usage: Usage): Usage | undefined {
  const kept: Record<string, unknown> = {};
  let any = false;
  for (const name in usage) {
    const value = usage[name as keyof Usage];
    if (value === undefined) continue;
    kept[name] = value;
    any ||= name !== 'raw';
  }
  return any ? kept : undefined;
}

/**
 * Merges usage field by field: values of `later` win, absent fields keep the earlier value. Never
 * adds.
 */
export function mergeUsage(
  earlier: Usage | undefined,
  later: Usage | undefined,
): Usage | undefined {
  if (earlier === undefined || later === undefined) return later ?? earlier;
  const merged: Record<string, unknown> = { ...earlier };
  for (const [name, value] of Object.entries(later)) if (value !== undefined) merged[name] = value;
  if (earlier.toolCalls !== undefined && later.toolCalls !== undefined)
    merged['toolCalls'] = { ...earlier.toolCalls, ...later.toolCalls };
  return merged;
}

/** Pieces of thinking whose loss is noted. */
const mostDropped = 20;

/**
 * Usage with what the vendor says of earlier thinking that it threw away: `input_transformations`
 * of messages and Responses (docs/rules/usage-logs.md#thinking-dropped).
 */
export function withDroppedThinking(
  usage: Usage | undefined,
  transformations: unknown,
): Usage | undefined {
  const dropped = recordsOf(listOf(transformations))
    .filter(({ type }) => type !== 'thinking_mismatch_allowed')
    .flatMap(({ reason }) => textOf(reason)?.slice(0, 100) ?? [])
    .slice(0, mostDropped);
  return dropped.length === 0 ? usage : { ...usage, thinkingDropped: dropped };
}

/**
 * Usage with the vendor's reason why its cache did not serve the prompt: `prompt_cache_diagnostics` of
 * Responses, `diagnostics` of messages; both come only to those who ask
 * (docs/rules/usage-logs.md#cache-miss).
 */
export function withCacheMiss(usage: Usage | undefined, diagnosis: unknown): Usage | undefined {
  const said = recordOf(diagnosis);
  if (said === undefined || said.type === 'cache_hit') return usage;
  const reason = textOf(said.reason) ?? textOf(recordOf(said.cache_miss_reason)?.type ?? said.type);
  return reason === undefined ? usage : { ...usage, cacheMiss: reason.slice(0, 100) };
}

/** Usage of two replies that are one answer, each billed by itself: tokens and calls add up. */
export function addUsage(earlier: Usage | undefined, later: Usage): Usage {
  if (earlier === undefined) return later;
  const added: Record<string, unknown> = { ...earlier, ...later };
  for (const name of Object.keys(added) as (keyof Usage)[]) {
    const a = earlier[name];
    const b = later[name];
    if (typeof a === 'number' && typeof b === 'number') added[name] = a + b;
  }
  if (earlier.raw !== undefined && later.raw !== undefined)
    added['raw'] = [...earlier.raw, ...later.raw];
  const prompts = [earlier, later].map((one) => one.longestPrompt ?? one.promptTokens ?? 0);
  added['longestPrompt'] = Math.max(...prompts);
  const calls: Record<string, number> = { ...earlier.toolCalls };
  for (const [tool, count] of Object.entries(later.toolCalls ?? {}))
    calls[tool] = (calls[tool] ?? 0) + count;
  return Object.keys(calls).length === 0 ? added : { ...added, toolCalls: calls };
}

/**
 * Usage of every OpenAI call (chat, completions, embeddings, responses, images, audio) and of their
 * look-alikes.
 */
export function usageFromOpenAi(raw: unknown): Usage | undefined {
  const usage = recordOf(raw);
  if (usage === undefined) return undefined;
  const promptDetails =
    recordOf(usage.prompt_tokens_details) ??
    recordOf(usage.input_tokens_details) ??
    recordOf(usage.prompt_token_details) ??
    recordOf(usage.input_token_details) ??
    {};
  const outputDetails =
    recordOf(usage.completion_tokens_details) ??
    recordOf(usage.output_tokens_details) ??
    recordOf(usage.output_token_details) ??
    {};
  // Realtime sessions and images say of what kind the cached ones are.
  const cached = recordOf(promptDetails.cached_tokens_details);
  const total = countOf(usage.total_tokens);
  const cachedTokens = firstCount(
    promptDetails.cached_tokens,
    usage.prompt_cache_hit_tokens,
    usage.num_cached_tokens,
    usage.cached_tokens,
  );
  const completion = firstCount(usage.completion_tokens, usage.output_tokens);
  const input = firstCount(usage.prompt_tokens, usage.input_tokens);
  // Of xAI cached tokens may be beside the others.
  const promptTokens =
    input !== undefined && cachedTokens !== undefined && cachedTokens > input
      ? input + cachedTokens
      : input;
  const rest =
    total !== undefined && promptTokens !== undefined
      ? Math.max(0, total - promptTokens)
      : undefined;
  const reasoning = countOf(outputDetails.reasoning_tokens);
  // xAI leaves thinking out of its completion tokens; the total has it.
  const apart =
    completion !== undefined &&
    reasoning !== undefined &&
    reasoning > 0 &&
    rest === completion + reasoning;
  const spoken = spokenBeside(usage, input, completion, total);
  const { read, thought } = besideOthers(usage);
  const output = apart ? rest : (completion ?? rest);
  return reported({
    promptTokens: promptTokens === undefined ? undefined : promptTokens + read + (spoken ?? 0),
    completionTokens: output === undefined ? undefined : output + thought,
    cachedTokens,
    cacheWriteTokens: firstCount(
      promptDetails.cached_creation_tokens,
      promptDetails.cache_write_tokens,
      // Qwen, for explicit caches.
      promptDetails.cache_creation_input_tokens,
    ),
    cacheWrite1hTokens: firstCount(
      recordOf(promptDetails.cache_write_tokens_details)?.ttl_12h_tokens,
      recordOf(promptDetails.cache_creation)?.ephemeral_1h_input_tokens,
      // New API, of Claude's.
      usage.claude_cache_creation_1_h_tokens,
    ),
    reasoningTokens: thought > 0 ? thought : reasoning,
    promptAudioTokens: uncachedOf(
      firstCount(promptDetails.audio_tokens, spoken),
      cached?.audio_tokens,
    ),
    cachedAudioTokens: countOf(cached?.audio_tokens),
    completionAudioTokens: countOf(outputDetails.audio_tokens),
    promptImageTokens: uncachedOf(countOf(promptDetails.image_tokens), cached?.image_tokens),
    cachedImageTokens: countOf(cached?.image_tokens),
    completionImageTokens: countOf(outputDetails.image_tokens),
    audioSeconds: firstCount(usage.seconds, usage.prompt_audio_seconds),
    toolCalls: reportedCalls(usage),
    statedCost: statedCost(usage),
    raw: [usage],
  });
}

/** Tokens of a kind without those of it that were read from the cache. */
function uncachedOf(tokens: number | undefined, cached: unknown): number | undefined {
  return tokens === undefined ? undefined : Math.max(0, tokens - (countOf(cached) ?? 0));
}

/** Mistral leaves tokens of audio out of the prompt; the total has them. */
function spokenBeside(
  usage: Loose,
  input: number | undefined,
  completion: number | undefined,
  total: number | undefined,
): number | undefined {
  if (usage.prompt_audio_seconds === undefined || total === undefined) return undefined;
  const beside = total - (input ?? 0) - (completion ?? 0);
  return (countOf(usage.prompt_audio_seconds) ?? 0) > 0 && beside > 0 ? beside : undefined;
}

/** xAI's ticks in a dollar. */
const ticksPerDollar = 10_000_000_000;

/**
 * What a usage says that its reply cost, in dollars: xAI's ticks, OpenRouter's `cost`, Perplexity's
 * `cost.total_cost`. Whose word counts is a fact of the provider (`statesCost`).
 */
export function statedCost(usage: Loose): number | undefined {
  const ticks = countOf(usage.cost_in_usd_ticks);
  if (ticks !== undefined) return ticks / ticksPerDollar;
  const cost = amountOf(usage.cost) ?? amountOf(recordOf(usage.cost)?.total_cost);
  if (cost === undefined || usage.is_byok !== true) return cost;
  // With a key of one's own OpenRouter bills a fee, and the vendor the rest.
  return amountOf(cost + (amountOf(recordOf(usage.cost_details)?.upstream_inference_cost) ?? 0));
}

function amountOf(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : undefined;
}

/**
 * Perplexity reports thinking beside the completion, and what it read of its sources beside the
 * prompt.
 */
function besideOthers(usage: Loose): { readonly read: number; readonly thought: number } {
  if (usage.citation_tokens === undefined && usage.num_search_queries === undefined)
    return { read: 0, thought: 0 };
  return {
    read: countOf(usage.citation_tokens) ?? 0,
    thought: countOf(usage.reasoning_tokens) ?? 0,
  };
}

/** How much Perplexity searches for a request. */
const searchSizes = ['low', 'medium', 'high'] as const;

/** Calls of hosted tools that a usage counts itself. */
function reportedCalls(usage: Loose): Usage['toolCalls'] {
  // Perplexity: a fee for each request by the size of what it searches, or one for each query.
  const size = searchSizes.find((name) => name === usage.search_context_size);
  const queries = countOf(usage.num_search_queries);
  if (size !== undefined || queries !== undefined)
    return toolCalls({ ...(size && { [`request_${size}`]: 1 }), search_query: queries });
  // OpenRouter's web plugin and tools.
  const searches = countOf(recordOf(usage.server_tool_use)?.web_search_requests);
  if (searches !== undefined && searches > 0) return toolCalls({ web_search: searches });
  // Qwen's `enable_search`
  // (https://docs.qwencloud.com/developer-guides/text-generation/web-search).
  const ofQwen = countOf(recordOf(recordOf(usage.plugins)?.search)?.count);
  if (ofQwen !== undefined && ofQwen > 0) return toolCalls({ web_search: ofQwen });
  // xAI, by tool: `web_search_calls`.
  const details = recordOf(usage.server_side_tool_usage_details);
  if (details === undefined) return undefined;
  const counts = Object.entries(details).map(
    ([name, count]) => [name.replace(/_calls$/, ''), countOf(count)] as const,
  );
  return toolCalls(Object.fromEntries(counts.filter(([, count]) => (count ?? 0) > 0)));
}

/**
 * The tiers among what a reply names (OpenAI's `service_tier`, Anthropic's `speed`, Gemini's
 * `trafficType`); undefined: none but the usual ones (docs/rules/pricing.md#price-tiers).
 */
export function tiersOf(...named: readonly unknown[]): readonly string[] | undefined {
  const tiers = named.flatMap((name) => chargedTier(textOf(name) ?? '') ?? []);
  return tiers.length === 0 ? undefined : tiers;
}

/** The usage of a reply of OpenAI that names its tier beside it. */
export function withTier(usage: Usage | undefined, serviceTier: unknown): Usage | undefined {
  const tiers = usage === undefined ? undefined : tiersOf(serviceTier);
  return tiers === undefined ? usage : { ...usage, tiers };
}

/** Llama.cpp's servers report cached tokens beside the usage, in `timings`. */
export function withTimings(usage: Usage | undefined, timings: unknown): Usage | undefined {
  const cached = countOf(recordOf(timings)?.cache_n);
  if (usage?.promptTokens === undefined || usage.cachedTokens !== undefined || cached === undefined)
    return usage;
  return { ...usage, cachedTokens: Math.min(cached, usage.promptTokens) };
}

/** Undefined: no call of any tool was reported. A reported zero stays. */
export function toolCalls(
  counts: Readonly<Record<string, number | undefined>>,
): Readonly<Record<string, number>> | undefined {
  const named = Object.entries(counts).filter(([, count]) => count !== undefined);
  return named.length === 0 ? undefined : (Object.fromEntries(named) as Record<string, number>);
}
