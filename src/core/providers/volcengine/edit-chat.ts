import type { ChatRequest } from '../../canonical/chat.ts';
import { compact, recordOf } from '../../canonical/kit/read-json.ts';
import { effortOf } from '../../canonical/kit/reasoning.ts';
import { effortFor } from '../../canonical/models/openai.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { factsOf } from '../../models/known-models.ts';
import { type EditFields, editEffort, type FieldEdits } from '../openai-compatible/model-rules.ts';

const thinkingSuffix = '-thinking';

/**
 * Thinking of DeepSeek's models is switched by the suffix of the requested name
 * (docs/rules/providers.md#ark).
 */
export function thinksByName(model: string): boolean {
  return model.startsWith('deepseek') && model.endsWith(thinkingSuffix);
}

export const editForArk: EditFields = (field, given) => {
  if (!thinksByName(given)) return { model: given, edits: editEffort(field, given) };
  return {
    model: given.slice(0, -thinkingSuffix.length),
    edits: { thinking: { type: 'enabled' } },
  };
};

/** The model behind an endpoint's id (`ep-…`) is not known. */
const takesThinking = (model: string): boolean =>
  factsOf(model).thinking?.includes('switch') === true;

/**
 * Thinking as callers of other formats request it; callers of chat completions set `thinking`
 * themselves.
 */
export function writeThinking(request: ChatRequest, model: string): FieldEdits {
  const effort = effortOf(request.reasoning);
  const desired = effort !== undefined || request.reasoning?.adaptive === true;
  if (!desired || request.origin === 'openai-chat' || !takesThinking(model)) return {};
  return compact({
    thinking: { type: effort === 'none' ? 'disabled' : 'enabled' },
    reasoning_effort:
      effort === undefined || factsOf(model).efforts === undefined
        ? undefined
        : effortFor(model, effort),
  });
}

/** The same of a body of Responses, where the effort has another name. */
export const editResponsesForArk: EditFields = (field, given, call) => {
  const reasoning = recordOf(field('reasoning')) as JsonObject | undefined;
  const { model, edits } = editForArk(
    (name) => (name === 'reasoning_effort' ? reasoning?.effort : undefined),
    given,
    call,
  );
  const { reasoning_effort: effort, ...others } = edits;
  return {
    model,
    edits: effort === undefined ? others : { ...others, reasoning: { ...reasoning, effort } },
  };
};
