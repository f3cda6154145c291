import type { ChatRequest } from '../../canonical/chat.ts';
import { effortOf } from '../../canonical/kit/reasoning.ts';
import type { EditFields, FieldEdits } from '../openai-compatible/model-rules.ts';

const thinkingSuffix = '-thinking';

/**
 * Thinking of DeepSeek's models is switched by the suffix of the requested name
 * (docs/rules/providers.md#ark).
 */
export function thinksByName(model: string): boolean {
  return model.startsWith('deepseek') && model.endsWith(thinkingSuffix);
}

export const editForArk: EditFields = (_field, given) => {
  if (!thinksByName(given)) return { model: given, edits: {} };
  return {
    model: given.slice(0, -thinkingSuffix.length),
    edits: { thinking: { type: 'enabled' } },
  };
};

/**
 * Names of models whose thinking can be switched; the model behind an endpoint's id (`ep-…`) is not
 * known.
 */
function takesThinking(model: string): boolean {
  return /^doubao-seed-|^deepseek-v3-[1-9]/.test(model);
}

/**
 * Thinking as callers of other formats request it; callers of chat completions set `thinking`
 * themselves.
 */
export function writeThinking(request: ChatRequest, model: string): FieldEdits {
  const effort = effortOf(request.reasoning);
  const desired = effort !== undefined || request.reasoning?.adaptive === true;
  if (!desired || request.origin === 'openai-chat' || !takesThinking(model)) return {};
  return { thinking: { type: effort === 'none' ? 'disabled' : 'enabled' } };
}
