/**
 * Anthropic's usage → the canonical {@link Usage}, one report after another and iteration by
 * iteration (docs/rules/metering.md#usage-normal-form).
 */
import type { Usage } from '../usage.ts';
import { countOf, type Loose, listOf, recordOf, recordsOf, textOf } from './read-json.ts';
import { firstCount, reported, statedCost, sum, tiersOf, toolCalls } from './usage.ts';

const anthropicCounts = [
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
] as const;
/** A member with the usage as its server wrote it, where another wire was put into this form. */
export const asWritten = 'as_written';
/**
 * The most iterations of one reply that are read: they are summed again with every report of usage.
 */
const mostIterations = 1000;
/** Characters of a model's name. */
const longestName = 200;

/**
 * What is there and positive overwrites, a zero never replaces a positive count, what is absent
 * stays.
 */
function overwrite(before: Loose, after: Loose): Loose {
  const said = Object.entries(after).filter(
    ([name, value]) => value != null && !(countOf(value) === 0 && (countOf(before[name]) ?? 0) > 0),
  );
  return { ...before, ...Object.fromEntries(said) };
}

/** Members that break counts down. */
const breakdowns = ['cache_creation', 'server_tool_use', 'output_tokens_details'] as const;

/**
 * Joins the raw usage of `message_start` with that of a `message_delta`, count by count
 * (docs/rules/metering.md#usage-normal-form).
 */
export function mergeAnthropicUsage(earlier: unknown, later: unknown): Loose | undefined {
  const before = recordOf(earlier);
  const after = recordOf(later);
  if (before === undefined || after === undefined) return after ?? before;
  const merged = overwrite(before, after);
  for (const name of breakdowns) {
    const [first, second] = [recordOf(before[name]), recordOf(after[name])];
    if (first !== undefined && second !== undefined) merged[name] = overwrite(first, second);
  }
  return merged;
}

/** Prompt tokens of one reply, and those of them that the cache read and wrote. */
function promptOf(usage: Loose) {
  const split = recordOf(usage.cache_creation);
  const read = countOf(usage.cache_read_input_tokens);
  const write = firstCount(
    usage.cache_creation_input_tokens,
    sum(countOf(split?.ephemeral_5m_input_tokens), countOf(split?.ephemeral_1h_input_tokens)),
  );
  return { all: sum(countOf(usage.input_tokens), read, write), read, write };
}

/** The longest prompt of several iterations: each is a request of its own. */
function longestIn(iterations: readonly Loose[]): Pick<Usage, 'longestPrompt'> {
  if (iterations.length < 2) return {};
  return { longestPrompt: Math.max(...iterations.map((one) => promptOf(one).all ?? 0)) };
}

/** The counts of iterations put together, over those of `usage`. */
function withSums(usage: Loose, iterations: readonly Loose[]): Loose {
  const summed: Loose = { ...usage };
  for (const name of anthropicCounts)
    summed[name] = sum(...iterations.map((one) => countOf(one[name]))) ?? usage[name];
  const longWrites = sum(
    ...iterations.map((one) => countOf(recordOf(one.cache_creation)?.ephemeral_1h_input_tokens)),
  );
  if (longWrites !== undefined)
    summed.cache_creation = {
      ...recordOf(usage.cache_creation),
      ephemeral_1h_input_tokens: longWrites,
    };
  return summed;
}

/**
 * `iterations` break the total down, and the top level may hold the last one only: their sums are
 * billed. Advisors and models that answered instead of the requested one name themselves; the
 * requested model is that of the first message.
 */
function splitIterations(usage: Loose): {
  readonly own: Loose;
  readonly longest: Pick<Usage, 'longestPrompt'>;
  readonly others: Usage['others'];
} {
  const iterations = recordsOf(listOf(usage.iterations).slice(0, mostIterations));
  if (iterations.length === 0) return { own: usage, longest: {}, others: undefined };
  const first = iterations.find((one) => one.type === 'message') ?? iterations[0];
  const requested = textOf(first?.model);
  const own: Loose[] = [];
  const others = new Map<string, Loose[]>();
  for (const one of iterations) {
    const model = textOf(one.model);
    if (model === undefined || model === requested || model.length > longestName) own.push(one);
    else others.set(model, [...(others.get(model) ?? []), one]);
  }
  const { inference_geo } = usage;
  return {
    own: withSums(usage, own),
    longest: longestIn(own),
    others:
      others.size === 0
        ? undefined
        : Array.from(others, ([model, parts]) => ({
            model,
            usage: { ...readParts(withSums({ inference_geo }, parts)), ...longestIn(parts) },
          })),
  };
}

/** Usage of messages. Where only the output is reported, the prompt stays undefined. */
export function usageFromAnthropic(raw: unknown): Usage | undefined {
  const given = recordOf(raw);
  const usage = given && readParts(given);
  return usage && { ...usage, raw: [recordOf(given[asWritten]) ?? given] };
}

function readParts(given: Loose): Usage | undefined {
  const { own: usage, longest, others } = splitIterations(given);
  const split = recordOf(usage.cache_creation);
  const tools = recordOf(usage.server_tool_use);
  const { all, read, write } = promptOf(usage);
  return reported({
    promptTokens: all,
    ...longest,
    completionTokens: countOf(usage.output_tokens),
    cachedTokens: read,
    cacheWriteTokens: write,
    cacheWrite1hTokens: countOf(split?.ephemeral_1h_input_tokens),
    reasoningTokens: countOf(recordOf(usage.output_tokens_details)?.thinking_tokens),
    toolCalls: toolCalls({
      web_search: countOf(tools?.web_search_requests),
    }),
    // Which one, the message says.
    containers: (countOf(tools?.code_execution_requests) ?? 0) > 0 ? [{}] : undefined,
    others,
    statedCost: statedCost(given),
    tiers: tiersOf(usage.service_tier, usage.speed, usage.inference_geo),
  });
}
