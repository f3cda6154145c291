/**
 * The model catalogue of Codex (docs/rules/formats.md#codex-catalogue): its entries decide what
 * Codex sends for a model.
 */

import type { JsonObject } from '../../../kernel/json.ts';
import { bareModelName, factsOf } from '../../../models/known-models.ts';
import { kindOfModel } from '../../../models/model-type.ts';

/** Most tokens of a context where the catalogue knows none. */
const usualWindow = 128_000;

const baseInstructions = [
  "You are a coding agent in the user's terminal. Work in the current directory with the tools you are given.",
  'Read before you change, keep changes small and in the style of the code around them, and run what proves them.',
  'Go on until the task is done; then say briefly what you did and what is left.',
].join('\n');

/** Those of OpenAI's that Codex has words for. */
const codexLevels = new Set(['minimal', 'low', 'medium', 'high', 'xhigh']);

const levels = (...efforts: readonly string[]) =>
  efforts.map((effort) => ({ effort, description: effort }));

/** Requests to models of other vendors are translated, and any effort is too. */
function reasoningLevels(model: string): readonly JsonObject[] {
  const { tokenizer, efforts = [] } = factsOf(model);
  if (tokenizer === undefined) return levels('low', 'medium', 'high');
  return levels(...efforts.filter((effort) => codexLevels.has(effort)));
}

function entry(model: string, priority: number): JsonObject {
  const supported = reasoningLevels(model);
  // gpt-5 introduced verbosity and free-form patches; older models refuse or misuse them.
  const modern = model.startsWith('gpt') && supported.length > 0;
  return {
    slug: model,
    display_name: model,
    description: model,
    default_reasoning_level: supported.length > 0 ? 'medium' : null,
    supported_reasoning_levels: supported,
    shell_type: 'unified_exec',
    visibility: 'list',
    supported_in_api: true,
    priority,
    supports_reasoning_summaries: supported.length > 0,
    support_verbosity: modern,
    apply_patch_tool_type: modern ? 'freeform' : null,
    truncation_policy: { mode: 'tokens', limit: 10_000 },
    supports_parallel_tool_calls: true,
    context_window: factsOf(model).inputTokens ?? usualWindow,
    experimental_supported_tools: [],
    base_instructions: baseInstructions,
    availability_nux: null,
    upgrade: null,
  };
}

/** Models that only speak are none for a terminal. */
function holdsConversations(model: string): boolean {
  const { writes = ['text'] } = factsOf(bareModelName(model));
  return kindOfModel(model) === 'chat' && !writes.includes('audio');
}

/** Entries in the order of `models`; models that cannot hold a conversation are left out. */
export function codexModels(models: readonly string[]): JsonObject {
  return { models: models.filter(holdsConversations).map(entry) };
}
