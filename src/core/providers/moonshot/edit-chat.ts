import { dropFields, type EditFields, renameLimit } from '../openai-compatible/model-rules.ts';

/** Kimi's models refuse any value but their default; without the field they use it. */
const fixed = ['temperature', 'top_p', 'n', 'presence_penalty', 'frequency_penalty'];

/**
 * Differences of Kimi's models from OpenAI's (docs/rules/providers.md#moonshot). The older
 * `moonshot-v1-*` accept OpenAI's fields.
 */
export const editForMoonshot: EditFields = (field, model) => {
  if (!model.startsWith('kimi-')) return { model, edits: {} };
  const choice = field('tool_choice') === 'required' ? { tool_choice: 'auto' } : {};
  return { model, edits: { ...dropFields(field, fixed), ...renameLimit(field), ...choice } };
};
