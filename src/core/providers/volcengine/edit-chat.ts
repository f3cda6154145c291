import type { ChatRequest } from '../../canonical/chat.ts';
import { effortOf } from '../../canonical/kit/reasoning.ts';
import type { EditFields, FieldEdits } from '../openai-compatible/model-rules.ts';

const thinkingSuffix = '-thinking';

/**
 * DeepSeek's models think where they are told to: by the suffix of the name callers use (docs/rules/providers.md#ark).
 */
export function thinksByName(model: string): boolean {
  return model.startsWith('deepseek') && model.endsWith(thinkingSuffix);
}

export const editForArk: EditFields = (_field, given) => {
  if (!thinksByName(given)) return { model: given, edits: {} };
  return { model: given.slice(0, -thinkingSuffix.length), edits: { thinking: { type: 'enabled' } } };
};

/** Names of models that can be told whether to think; what an endpoint's id (`ep-…`) stands for is not known. */
function takesThinking(model: string): boolean {
  return /^doubao-seed-|^deepseek-v3-[1-9]/.test(model);
}

/** The wish of callers of other wires; those of chat completions say `thinking` themselves. */
export function writeThinking(request: ChatRequest, model: string): FieldEdits {
  const effort = effortOf(request.reasoning);
  const desired = effort !== undefined || request.reasoning?.adaptive === true;
  if (!desired || request.origin === 'openai-chat' || !takesThinking(model)) return {};
  return { thinking: { type: effort === 'none' ? 'disabled' : 'enabled' } };
}
