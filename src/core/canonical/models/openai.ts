/**
 * What OpenAI's models accept, read from the model's name. Shared by the vendors that serve them
 * and by callers' formats that describe models.
 */

/** The most characters that OpenAI takes in `user`. */
export const maxUserLength = 64;

export function isOSeries(model: string): boolean {
  return model.startsWith('o1') || model.startsWith('o3') || model.startsWith('o4');
}

/**
 * `gpt-5`, `gpt-5.1-mini`, `gpt-6`: generation and minor version; undefined for anything older or
 * foreign.
 */
export function gptVersion(
  model: string,
): { readonly generation: number; readonly minor: number } | undefined {
  if (!model.startsWith('gpt-')) return undefined;
  const match = /^(\d+)(?:\.(\d+))?(?:-|$)/.exec(model.slice(4));
  const generation = Number(match?.[1]);
  return generation >= 5 ? { generation, minor: Number(match?.[2] ?? 0) } : undefined;
}

/** Models that reason and accept `reasoning_effort`. */
export function isReasoningModel(model: string): boolean {
  return isOSeries(model) || (gptVersion(model) !== undefined && !model.includes('-chat'));
}

/** Whether the effort `none` exists: from gpt-5.1 on. */
export function allowsNoEffort(model: string): boolean {
  const version = gptVersion(model);
  return version !== undefined && (version.generation > 5 || version.minor >= 1);
}

/**
 * Fields that reasoning models refuse with status 400, beyond those that the edits remove, and that
 * callers of other formats cannot know of. OpenAI's reference states it only for `stop` with o3 and
 * o4-mini. That o1, o3 and o4-mini refuse `parallel_tool_calls`, and gpt-5 `stop` and penalties, is
 * known from error messages ("Unsupported parameter: … is not supported with this model") that
 * users of langchain, llama_index, inspect_ai and smolagents report; that gpt-5.5 accepts stop
 * sequences again, from litellm.
 */
export function refusedFields(model: string): readonly string[] {
  if (!isReasoningModel(model)) return [];
  const version = gptVersion(model);
  if (version === undefined)
    return model.startsWith('o1') ? ['parallel_tool_calls'] : ['stop', 'parallel_tool_calls'];
  return version.generation > 5 || version.minor >= 5
    ? []
    : ['stop', 'presence_penalty', 'frequency_penalty'];
}

/** Names and the most output tokens of each, longer names before their beginnings. */
const outputLimits: readonly (readonly [prefix: string, limit: number])[] = [
  ['gpt-3.5', 4096],
  ['gpt-4.1', 32_768],
  ['gpt-4.5', 16_384],
  ['gpt-4o', 16_384],
  ['chatgpt-4o', 16_384],
  ['gpt-4-turbo', 4096],
  ['gpt-4-1106', 4096],
  ['gpt-4-0125', 4096],
  ['gpt-4-vision', 4096],
  ['gpt-5-chat', 16_384],
  ['gpt-5', 128_000],
  ['o1-mini', 65_536],
  ['o1-preview', 32_768],
  ['o1', 100_000],
  ['o3', 100_000],
  ['o4', 100_000],
];

/** The most output tokens one of OpenAI's models gives; undefined where unknown. */
export function outputLimit(model: string): number | undefined {
  return outputLimits.find(([prefix]) => model.startsWith(prefix))?.[1];
}
