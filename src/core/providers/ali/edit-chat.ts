/**
 * Differences of the compatible interface from OpenAI's (docs/rules/providers.md#dashscope-chat).
 */
import type { ChatRequest } from '../../canonical/chat.ts';
import { compact } from '../../canonical/kit/read-json.ts';
import { effortOf } from '../../canonical/kit/reasoning.ts';
import type { EditFields, FieldEdits, FieldReader } from '../openai-compatible/model-rules.ts';

const searchSuffix = '-internet';

/** Both ends of the range are refused. What the caller did not send stays away. */
function editTopP(field: FieldReader): FieldEdits {
  const topP = field('top_p');
  if (typeof topP !== 'number' || (topP > 0 && topP < 1)) return {};
  return { top_p: topP >= 1 ? 0.999 : 0.001 };
}

/** `-internet` behind a model's name is an older way of asking for a search. */
export function requestsSearch(model: string): boolean {
  return model.endsWith(searchSuffix);
}

export const editForAli: EditFields = (field, given) => {
  const searches = requestsSearch(given);
  const model = searches ? given.slice(0, -searchSuffix.length) : given;
  return { model, edits: { ...editTopP(field), ...(searches ? { enable_search: true } : {}) } };
};

/** Models whose thinking can be switched; others refuse the field. */
function takesThinking(model: string): boolean {
  return (
    /^qwen(?:3|-(?:plus|turbo|flash))/.test(model) &&
    !/instruct|thinking|coder|-vl-embedding/.test(model)
  );
}

/**
 * Thinking as callers of other formats request it. Without a request nothing is sent: some models
 * always think, some never.
 */
export function writeThinking(request: ChatRequest, model: string): FieldEdits {
  const { reasoning, origin } = request;
  const effort = effortOf(reasoning);
  const desired = effort !== undefined || reasoning?.adaptive === true;
  if (!desired || origin === 'openai-chat' || !takesThinking(model)) return {};
  const budget = (reasoning?.budgetTokens ?? 0) > 0 ? reasoning?.budgetTokens : undefined;
  return compact({ enable_thinking: effort !== 'none', thinking_budget: budget });
}
